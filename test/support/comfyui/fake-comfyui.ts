import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { WebSocketServer, type WebSocket } from 'ws'
import type { ComfyUiWorkflow } from '../../../server/engines/comfyui/workflow.ts'
import { startLoopbackServer } from '../loopback-server.ts'

/** End of a job: success, or the event with which it fails. */
type JobEnd =
  | { readonly event: 'execution_success' }
  | {
      readonly event: 'execution_error' | 'execution_interrupted'
      readonly data: Readonly<Record<string, unknown>>
    }

interface FakeJob {
  readonly id: string
  readonly clientId: string | undefined
  readonly workflow: ComfyUiWorkflow
  isRunning: boolean
  isInterrupted: boolean
}

export interface Output {
  readonly filename: string
  readonly subfolder: string
  readonly type: string
}

/** Behavior of the server, which tests change at any time. */
export type FakeComfyUiBehavior = ReturnType<typeof usualBehavior>

function usualBehavior() {
  return {
    /** Model files by the class and input that take them. */
    models: ['sdxl.safetensors', 'anime/dream.safetensors'],
    loras: [] as string[],
    upscaleModels: [] as string[],
    /** Form of lists of choices in /object_info; `remote` names a route instead of the choices. */
    choices: 'plain' as 'plain' | 'combo' | 'remote',
    /** Further inputs by the class of their node, as /object_info describes them. */
    definitions: {} as Record<string, Record<string, unknown>>,
    /** Classes of nodes that are not installed. */
    missingNodes: [] as string[],
    /** Headers without which requests and WebSockets are rejected with 401. */
    requiredHeaders: {} as Record<string, string>,
    hasWebSocket: true,
    /** False for versions before 0.26. */
    hasCancelEndpoint: true,
    /** Point at which jobs wait for `release`. */
    holdAt: null as 'pending' | 'sampling' | null,
    /** End of the next jobs. */
    end: { event: 'execution_success' } as JobEnd,
    /** Outputs of nodes; null for those of SaveImage. */
    outputs: null as Record<string, readonly Output[]> | null,
    /** Part of the response to a submission. */
    nodeErrors: {} as Record<string, unknown>,
    /** Bytes of all files; null for a PNG of the workflow's size. */
    file: null as Uint8Array | null,
    /** Messages that each job sends while it samples, as they are, to its client. */
    extraMessages: [] as (string | Uint8Array)[],
    /** Responses by path, in place of those of ComfyUI. */
    responses: {} as Record<string, (request: IncomingMessage, response: ServerResponse) => void>,
    /** Paths whose next request is processed, but answered with a reset of the connection. */
    lostResponses: new Set<string>(),
    system: {
      system: { os: 'posix', comfyui_version: '0.26.1' },
      devices: [{ name: 'cuda:0 NVIDIA', type: 'cuda', vram_total: 8e9, vram_free: 6e9 }],
    } as Record<string, unknown>,
  }
}

export type FakeComfyUi = Awaited<ReturnType<typeof startFakeComfyUi>>

const samplers = ['euler', 'euler_ancestral', 'dpmpp_2m']

/**
 * Starts a server on loopback that behaves like ComfyUI: its queue runs one job at a time, the history keeps what has ended,
 * and events of a job are sent only to the WebSocket whose client id has submitted it.
 */
export async function startFakeComfyUi(changes: Partial<FakeComfyUiBehavior> = {}) {
  const behavior: FakeComfyUiBehavior = { ...usualBehavior(), ...changes }
  const requests: { method: string; path: string; headers: IncomingHttpHeaders }[] = []
  const submissions: { id: string; workflow: ComfyUiWorkflow; body: Record<string, unknown> }[] = []
  const uploads: { name: string; type: string; subfolder: string; bytes: Buffer }[] = []
  const interrupted: string[] = []
  const completed: string[] = []
  const sockets = new Map<string, { socket: WebSocket; hasMetadata: boolean; isFirst: boolean }>()
  let queue: FakeJob[] = []
  let history = new Map<string, Record<string, unknown>>()
  let releases: (() => void)[] = []
  let run = 0
  let counter = 0

  const double = await startLoopbackServer(respond)
  const socketServer = new WebSocketServer({ noServer: true })
  double.server.on('upgrade', (incoming, socket, head) => {
    const url = new URL(incoming.url ?? '', 'http://localhost')
    if (!isAllowed(incoming)) socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    else if (!behavior.hasWebSocket) socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    else socketServer.handleUpgrade(incoming, socket, head, (client) => connect(client, url))
  })

  function isAllowed(incoming: IncomingMessage): boolean {
    const { headers } = incoming
    requests.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers })
    return Object.entries(behavior.requiredHeaders).every(([name, value]) => headers[name] === value)
  }

  function connect(socket: WebSocket, url: URL): void {
    const clientId = url.searchParams.get('clientId') ?? ''
    const client = { socket, hasMetadata: false, isFirst: true }
    sockets.set(clientId, client)
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; data: Record<string, unknown> }
      if (client.isFirst && message.type === 'feature_flags') {
        client.hasMetadata = message.data['supports_preview_metadata'] === true
        send(clientId, 'feature_flags', { supports_preview_metadata: true })
      }
      client.isFirst = false
    })
    socket.on('close', () => {
      if (sockets.get(clientId) === client) sockets.delete(clientId)
    })
    send(clientId, 'status', { status: { exec_info: { queue_remaining: queue.length } }, sid: clientId })
  }

  function send(clientId: string | undefined, type: string, data: unknown): void {
    sockets.get(clientId ?? '')?.socket.send(JSON.stringify({ type, data }))
  }

  function broadcast(): void {
    const status = { exec_info: { queue_remaining: queue.length } }
    for (const clientId of sockets.keys()) send(clientId, 'status', { status })
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const isOwn = isAllowed(incoming)
    const url = new URL(incoming.url ?? '', 'http://localhost')
    const path = url.pathname.replace(/^\/api(?!\/jobs)/, '')
    const own = behavior.responses[path]
    if (own) return own(incoming, response)
    const body = await buffer(incoming)
    if (behavior.lostResponses.delete(path)) response.writeHead = () => response.destroy()
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (!isOwn) return json({ error: 'unauthorized' }, 401)
    const parse = () => JSON.parse(body.toString()) as Record<string, unknown>
    const [, first = '', second = ''] = path.split('/')
    const route = `${incoming.method} /${first}`
    switch (route) {
      case 'GET /system_stats':
        return json(behavior.system)
      case 'GET /object_info':
        return json(definitionOf(decodeURIComponent(second)))
      case 'GET /queue':
        return json({
          queue_running: queue.filter((job) => job.isRunning).map(toQueueItem),
          queue_pending: queue.filter((job) => !job.isRunning).map(toQueueItem),
        })
      case 'POST /queue': {
        for (const id of (parse()['delete'] ?? []) as string[]) removePending(id)
        return json({})
      }
      case 'GET /history': {
        const entry = history.get(second)
        return json(entry ? { [second]: entry } : {})
      }
      case 'POST /interrupt': {
        const { prompt_id: id } = parse()
        interrupt(queue.find((job) => job.isRunning && (id === undefined || job.id === id)))
        return response.writeHead(200).end() && undefined
      }
      case 'POST /prompt':
        return acceptJob(parse(), json)
      case 'POST /upload':
        return json(await storeUpload(body, incoming.headers['content-type'] ?? ''))
      case 'GET /view':
        return respondFile(url, response)
      case 'POST /api': {
        const [, , , id = '', action] = path.split('/')
        if (!behavior.hasCancelEndpoint || action !== 'cancel') return json({ error: 'not found' }, 404)
        const running = queue.find((job) => job.isRunning && job.id === id)
        interrupt(running)
        return json({ cancelled: running !== undefined || removePending(id) })
      }
      default:
        return json({ error: 'not found' }, 404)
    }
  }

  function definitionOf(name: string): Record<string, unknown> {
    if (behavior.missingNodes.includes(name)) return {}
    const forms = {
      plain: (values: readonly string[]) => [values, {}],
      combo: (values: readonly string[]) => ['COMBO', { options: values }],
      remote: () => ['COMBO', { remote: { route: '/internal/files' } }],
    }
    const list = forms[behavior.choices]
    const required: Record<string, unknown> = {
      ...(name === 'CheckpointLoaderSimple' && { ckpt_name: list(behavior.models) }),
      ...(name === 'LoraLoader' && { lora_name: list(behavior.loras), strength_model: ['FLOAT', {}] }),
      ...(name === 'UpscaleModelLoader' && { model_name: list(behavior.upscaleModels) }),
      ...(name === 'UNETLoader' && { unet_name: list(behavior.models) }),
      ...behavior.definitions[name],
      ...(name === 'KSampler' && { seed: ['INT', { default: 0 }], sampler_name: list(samplers) }),
    }
    return { [name]: { input: { required }, output: [], name } }
  }

  function acceptJob(body: Record<string, unknown>, json: (value: unknown, status?: number) => void): void {
    type Submission = { prompt: ComfyUiWorkflow; prompt_id: string; client_id?: string }
    const { prompt, prompt_id: id, client_id: clientId } = body as Submission
    submissions.push({ id, workflow: prompt, body })
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
      return json({ error: { type: 'invalid_prompt_id' } }, 400)
    const missing = Object.values(prompt).find((node) => behavior.missingNodes.includes(node.class_type))
    if (missing) {
      const extra = { class_type: missing.class_type }
      return json({ error: { type: 'missing_node_type', extra_info: extra }, node_errors: {} }, 400)
    }
    for (const [nodeId, { inputs, class_type: nodeType }] of Object.entries(prompt)) {
      const files = {
        ckpt_name: behavior.models,
        unet_name: behavior.models,
        lora_name: behavior.loras,
        model_name: behavior.upscaleModels,
      }
      const [name, listed] = Object.entries(files).find(([input]) => input in inputs) ?? ['', []]
      const file = String(inputs[name])
      if (name === '' || listed.includes(file)) continue
      const info = { input_name: name, received_value: file }
      const details = `${name}: '${file}' not in ['/srv/comfy/models/other.safetensors']`
      return json(rejectionOf('value_not_in_list', nodeId, nodeType, info, details), 400)
    }
    enqueue(id, clientId, prompt)
    counter += 1
    json({ prompt_id: id, number: counter, node_errors: behavior.nodeErrors })
  }

  /** Accepts any id, also that of another job. */
  function enqueue(id: string, clientId: string | undefined, workflow: ComfyUiWorkflow): void {
    queue.push({ id, clientId, workflow, isRunning: false, isInterrupted: false })
    broadcast()
    void runQueue(run)
  }

  /** Removes one waiting job with an id. */
  function removePending(id: string): boolean {
    const job = queue.find((queued) => !queued.isRunning && queued.id === id)
    queue = queue.filter((queued) => queued !== job)
    return job !== undefined
  }

  async function runQueue(currentRun: number): Promise<void> {
    if (queue.some((job) => job.isRunning)) return
    if (behavior.holdAt === 'pending') await new Promise<void>((resolve) => releases.push(resolve))
    const job = queue[0]
    if (!job || job.isRunning || currentRun !== run) return
    job.isRunning = true
    await runJob(job, () => currentRun === run)
    if (currentRun === run) await runQueue(currentRun)
  }

  async function runJob(job: FakeJob, isAlive: () => boolean): Promise<void> {
    const { id, clientId, workflow } = job
    const messages: [string, unknown][] = []
    const emit = (type: string, data: Record<string, unknown>) => {
      const event = { ...data, prompt_id: id }
      if (type.startsWith('execution_')) messages.push([type, event])
      send(clientId, type, event)
    }
    emit('execution_start', { timestamp: 1 })
    emit('execution_cached', { nodes: [] })
    const outputs: Record<string, { images: readonly Output[] }> = {}
    for (const [node, { class_type: classType }] of Object.entries(workflow)) {
      await setImmediate()
      if (!isAlive()) return
      emit('executing', { node, display_node: node })
      if (classType === 'KSampler') await sample(job, node, emit)
      if (!isAlive() || job.isInterrupted) break
      const images = behavior.outputs ? behavior.outputs[node] : outputOf(job, node)
      if (!images) continue
      outputs[node] = { images }
      emit('executed', { node, display_node: node, output: outputs[node] })
    }
    if (!isAlive()) return
    const end: JobEnd = job.isInterrupted
      ? { event: 'execution_interrupted', data: { node_id: '3', executed: [] } }
      : behavior.end
    emit(end.event, 'data' in end ? end.data : {})
    const isSuccess = end.event === 'execution_success'
    if (isSuccess) completed.push(id)
    queue = queue.filter((queued) => queued !== job)
    history.set(id, {
      prompt: [0, id, workflow, {}, ['9']],
      outputs: isSuccess ? outputs : {},
      status: { status_str: isSuccess ? 'success' : 'error', completed: isSuccess, messages },
      meta: {},
    })
    send(clientId, 'executing', { node: null, display_node: null, prompt_id: id })
    broadcast()
  }

  async function sample(
    job: FakeJob,
    node: string,
    emit: (type: string, data: Record<string, unknown>) => void,
  ): Promise<void> {
    const steps = 4
    for (let step = 1; step <= steps && !job.isInterrupted; step += 1) {
      await setImmediate()
      emit('progress', { node, value: step, max: steps })
      sendPreview(job, node, await plainPng(32, 24, step))
      for (const message of behavior.extraMessages) sockets.get(job.clientId ?? '')?.socket.send(message)
      if (step === 2 && behavior.holdAt === 'sampling' && !job.isInterrupted) {
        await new Promise<void>((resolve) => releases.push(resolve))
      }
    }
  }

  function sendPreview({ id, clientId }: FakeJob, node: string, image: Buffer): void {
    const client = sockets.get(clientId ?? '')
    if (!client) return
    client.socket.send(client.hasMetadata ? previewMessage(id, node, image) : plainPreviewMessage(image))
  }

  function outputOf({ workflow }: FakeJob, node: string): readonly Output[] | undefined {
    const { class_type: classType, inputs } = workflow[node] ?? {}
    if (classType !== 'SaveImage') return undefined
    const prefix = String(inputs?.['filename_prefix'])
    const [name = '', ...folders] = prefix.split('/').toReversed()
    return [{ filename: `${name}_00001_.png`, subfolder: folders.toReversed().join('/'), type: 'output' }]
  }

  async function respondFile(url: URL, response: ServerResponse): Promise<void> {
    const filename = url.searchParams.get('filename') ?? ''
    const entry = [...history.values()].find(({ outputs }) => JSON.stringify(outputs).includes(filename))
    if (!entry || !/^(output|temp)$/.test(url.searchParams.get('type') ?? '')) {
      response.writeHead(404).end()
      return
    }
    const [, , workflow] = entry['prompt'] as [number, string, ComfyUiWorkflow]
    const sized = /^(EmptyLatentImage|ImageScale)$/
    const latent = Object.values(workflow).find((node) => sized.test(node.class_type))
    const { width = 64, height = 48 } = (latent?.inputs ?? {}) as { width?: number; height?: number }
    const file = behavior.file ?? (await plainPng(width, height, 9))
    response.writeHead(200, { 'content-type': 'image/png' }).end(file)
  }

  async function storeUpload(body: Buffer, type: string): Promise<Record<string, string>> {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const image = form.get('image') as File
    const text = (name: string) => form.get(name) as string
    const upload = { name: image.name, type: text('type'), subfolder: text('subfolder') }
    uploads.push({ ...upload, bytes: Buffer.from(await image.arrayBuffer()) })
    return upload
  }

  function interrupt(job: FakeJob | undefined): void {
    if (!job || job.isInterrupted) return
    job.isInterrupted = true
    interrupted.push(job.id)
    release()
  }

  /** Lets the jobs continue that wait at the holding point. */
  function release(): void {
    for (const resolve of releases.splice(0)) resolve()
  }

  return {
    url: double.origin,
    behavior,
    requests,
    submissions,
    uploads,
    /** Ids of the jobs that were interrupted while they ran. */
    interrupted,
    /** Ids of the jobs that ended with success. */
    completed,
    /** Ids of the jobs in the queue, the running one first. */
    queuedIds: () => queue.map((job) => job.id),
    /** Reports whether a job waits at the holding point. */
    isHolding: () => releases.length > 0,
    connections: () => sockets.size,
    release,
    /** Queues the last submission again. */
    repeatSubmission(): void {
      const last = submissions.at(-1)
      if (last) enqueue(last.id, String(last.body['client_id']), last.workflow)
    },
    /** Adds a job of another program. */
    addForeignJob(id: string): void {
      queue.push({ id, clientId: 'another', workflow: {}, isRunning: false, isInterrupted: false })
    },
    interruptRunning: () => interrupt(queue.find((job) => job.isRunning)),
    /** Closes all WebSockets without a close frame. */
    dropSockets(): void {
      for (const { socket } of sockets.values()) socket.terminate()
    },
    /** Forgets the queue and the history, and closes all WebSockets. */
    restart(): void {
      run += 1
      queue = []
      history = new Map()
      releases = []
      for (const { socket } of sockets.values()) socket.terminate()
    },
    async stop(): Promise<void> {
      run += 1
      release()
      for (const client of socketServer.clients) client.terminate()
      await double.stop()
    },
  }
}

/** Response to a workflow with an input that a node does not accept. */
export function rejectionOf(type: string, nodeId: string, nodeType: string, info: object, details: string) {
  return {
    error: { type: 'prompt_outputs_failed_validation', message: details, details: '/srv/comfy' },
    node_errors: {
      [nodeId]: {
        errors: [{ type, message: details, details, extra_info: info }],
        dependent_outputs: ['9'],
        class_type: nodeType,
      },
    },
  }
}

function toQueueItem({ id, workflow }: FakeJob) {
  return [1, id, workflow, { secret: 'of another user' }, ['9']]
}

/** Preview with metadata, as clients get it that support it. */
export function previewMessage(jobId: string, node: string, image: Uint8Array): Buffer {
  const metadata = Buffer.from(
    JSON.stringify({ node_id: node, prompt_id: jobId, display_node_id: node, image_type: 'image/png' }),
  )
  const head = Buffer.alloc(8)
  head.writeUInt32BE(4, 0)
  head.writeUInt32BE(metadata.length, 4)
  return Buffer.concat([head, metadata, image])
}

/** Preview without metadata. */
export function plainPreviewMessage(image: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(1, 0)
  head.writeUInt32BE(2, 4)
  return Buffer.concat([head, image])
}

/** Creates a PNG whose color depends on a number. */
export function plainPng(width: number, height: number, number: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r: number * 20, g: 90, b: 40 } } })
    .png()
    .toBuffer()
}

import {
  cancelTimeoutMs,
  EngineClient,
  transferTimeoutMs,
  unexpectedResponse,
  type EngineAddress,
} from '../engine-client.ts'
import { EngineError, isTransient } from '../engine-error.ts'
import {
  fieldsOf,
  imageMaxBytes,
  isRecord,
  listOf,
  parseJson,
  requireImage,
  retryDownload,
  urlAt,
} from '../engine-http.ts'
import { type LoraValues, type OfferedLoras, offerLoras, withoutExtension } from '../loras.ts'
import { executionError, rejectionError } from './comfyui-errors.ts'
import type { ComfyUiWorkflow } from './workflow.ts'

/** Maximum size of JSON, in bytes. A queue contains the workflows of all waiting jobs. */
const jsonMaxBytes = 20_000_000

export interface Submission {
  /** Error of outputs that the server skips; null if it skips none. */
  readonly error: EngineError | null
  /** Nodes that are not executed. */
  readonly skippedNodes: ReadonlySet<string>
}

/** State of a job at the server. `unknown` if it was never submitted, or if the server has restarted. */
export type JobState =
  | { readonly type: 'unknown' | 'queued' }
  | {
      readonly type: 'finished'
      /** Error with which it ended; null if it succeeded. */
      readonly error: EngineError | null
      readonly outputs: readonly JobOutput[]
    }

/** File that a job has written. */
export type JobOutput = ReturnType<typeof readOutputs>[number]

/** Statuses of a server that has nothing at a path, or does not have the route. */
const missing = [404, 405]

/** HTTP client of one ComfyUI server. Its headers are those of the WebSocket, too. */
export class ComfyUiClient extends EngineClient {
  constructor(config: EngineAddress) {
    super(config, { api: 'ComfyUI', maxBytes: jsonMaxBytes })
  }

  socketUrl(clientId: string): URL {
    const url = urlAt(this.server.base, '/ws', { clientId })
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    return url
  }

  /** @throws EngineError if the server is not ComfyUI, but koboldcpp, which sends images to the wrong users */
  async requireComfyUi(signal: AbortSignal): Promise<void> {
    const stats = await this.#findJson('/system_stats', signal)
    // A proxy may pass on only what it needs itself.
    if (stats === null && isRecord(await this.#findJson('/queue', signal))) return
    const { system, devices } = fieldsOf(stats)
    if (listOf(devices).some((device) => fieldsOf(device)['name'] === 'koboldcpp')) {
      throw new EngineError(
        'engine_misconfigured',
        'koboldcpp imitates ComfyUI, but mixes up the images of concurrent users: use kind automatic1111 for this server',
      )
    }
    if (!isRecord(system) && !Array.isArray(devices)) {
      throw new EngineError('engine_misconfigured', 'the server is not ComfyUI: check url')
    }
  }

  /** @returns the inputs of a node, empty if the server describes none; null if it does not have the node */
  async findNode(classType: string, signal: AbortSignal): Promise<NodeInputs | null> {
    const body = await this.#findJson(`/object_info/${encodeURIComponent(classType)}`, signal)
    if (body === null) return {}
    const info = fieldsOf(body)[classType]
    return isRecord(info) ? readInputs(info) : null
  }

  /** Lists the values of an input: those of its definition, or of the route that it names; null if it is not a choice. */
  async listChoices(
    inputs: NodeInputs,
    input: string,
    signal: AbortSignal,
  ): Promise<readonly string[] | null> {
    const { route } = fieldsOf(fieldsOf(listOf(inputs[input])[1])['remote'])
    const isPath = typeof route === 'string' && route.startsWith('/')
    const choices = choicesOf(inputs, input) ?? (isPath ? await this.#findJson(route, signal) : null)
    return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : null
  }

  /** Lists the LoRAs that the engine offers, by their names for users. */
  async listLoras(offered: OfferedLoras, signal: AbortSignal): Promise<LoraValues> {
    const files = choicesOf((await this.findNode('LoraLoader', signal)) ?? {}, 'lora_name') ?? []
    return offerLoras(
      files.map((value) => ({ name: withoutExtension(value), value })),
      offered,
    )
  }

  /** Chooses the model that enlarges images; null without one. */
  async findUpscaler(signal: AbortSignal): Promise<string | null> {
    const files = choicesOf((await this.findNode('UpscaleModelLoader', signal)) ?? {}, 'model_name') ?? []
    return files.find((file) => /4x|x4/i.test(file)) ?? files[0] ?? null
  }

  /** Uploads an image to the folder that the server empties at each start. @returns the value for a LoadImage node */
  async upload(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
    const form = new FormData()
    form.set('image', new Blob([bytes]), name)
    form.set('type', 'temp')
    form.set('subfolder', 'rangoli')
    form.set('overwrite', 'true')
    const { body } = await this.request('/upload/image', signal, { form, timeoutMs: transferTimeoutMs })
    const { name: file, subfolder, type } = fieldsOf(parseJson(body.toString()))
    if (typeof file !== 'string') throw unexpectedResponse()
    const folder = typeof subfolder === 'string' && subfolder !== '' ? `${subfolder}/` : ''
    return `${folder}${file}${typeof type === 'string' && type !== 'input' ? ` [${type}]` : ''}`
  }

  /** Submits a job. The server runs a job that is submitted twice twice, also with the same id. */
  async submit(jobId: string, workflow: ComfyUiWorkflow, clientId: string): Promise<Submission> {
    const { status, body } = await this.request('/prompt', new AbortController().signal, {
      json: {
        prompt: workflow,
        client_id: clientId,
        prompt_id: jobId,
        extra_data: { preview_method: 'auto' },
      },
      expected: [200, 400],
    })
    const response = parseJson(body.toString())
    if (status === 400) throw rejectionError(response, workflow)
    if (!isRecord(response)) throw unexpectedResponse()
    if (response['prompt_id'] !== jobId) {
      throw new EngineError(
        'engine_misconfigured',
        'the server does not use the id of the job: update ComfyUI, or check url',
      )
    }
    const skippedNodes = readSkippedNodes(response['node_errors'])
    const error = skippedNodes.size > 0 ? rejectionError(response, workflow) : null
    return { error, skippedNodes }
  }

  async findJob(jobId: string, signal: AbortSignal): Promise<JobState> {
    // A job may end between the two requests: it is in the history before it leaves the queue.
    const finished = await this.#findFinished(jobId, signal)
    if (finished) return finished
    const { running, waiting } = await this.#countEntries(jobId, signal)
    if (running + waiting > 0) return { type: 'queued' }
    return (await this.#findFinished(jobId, signal)) ?? { type: 'unknown' }
  }

  async #findFinished(jobId: string, signal: AbortSignal): Promise<JobState | null> {
    const history = await this.#findJson(`/history/${jobId}`, signal)
    if (history === null) return null
    if (!isRecord(history)) throw unexpectedResponse()
    const entry = history[jobId]
    return isRecord(entry) ? readHistory(entry) : null
  }

  /** Counts the entries of a job. The queue contains the jobs of others, too: only ids are read. */
  async #countEntries(jobId: string, signal: AbortSignal): Promise<{ running: number; waiting: number }> {
    const queue = (await this.#findJson('/queue', signal)) ?? {}
    if (!isRecord(queue)) throw unexpectedResponse()
    const count = (jobs: unknown) => listOf(jobs).filter((job) => listOf(job)[1] === jobId).length
    return { running: count(queue['queue_running']), waiting: count(queue['queue_pending']) }
  }

  download({ filename, subfolder, type }: JobOutput, signal: AbortSignal): Promise<Uint8Array> {
    const query = { filename, subfolder, type }
    const download = async () => {
      const limits = { timeoutMs: transferTimeoutMs, maxBytes: imageMaxBytes, expected: [200, 404] }
      const { status, body } = await this.request('/view', signal, { query, ...limits })
      if (status === 404) throw new EngineError('engine_failed', 'the server no longer has the image')
      return requireImage(body)
    }
    return retryDownload(download, isTransient, signal)
  }

  /**
   * Removes a job from the queue as often as it is there, and interrupts it if it runs. Never affects other jobs.
   *
   * @returns true if there was nothing to cancel
   */
  async cancel(jobId: string): Promise<boolean> {
    const signal = AbortSignal.timeout(cancelTimeoutMs)
    const { running, waiting } = await this.#countEntries(jobId, signal)
    // The server removes one entry for each id.
    const ids = Array.from({ length: waiting }, () => jobId)
    if (waiting > 0) await this.#post('/queue', { delete: ids }, signal)
    if (running > 0 && !(await this.#post(`/api/jobs/${jobId}/cancel`, {}, signal))) {
      // Versions before 0.26 do not have this endpoint. Some of them ignore the id, and interrupt any job.
      await this.#post('/interrupt', { prompt_id: jobId }, signal)
    }
    return running + waiting === 0
  }

  /** @returns false if the server does not have the route */
  async #post(path: string, json: unknown, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.request(path, signal, { json, expected: [200, ...missing] })
    return status === 200
  }

  /** @returns null if the server has nothing at a path, or does not have the route */
  async #findJson(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await this.request(path, signal, { expected: [200, ...missing] })
    if (status !== 200) return null
    const value = parseJson(body.toString())
    if (value === undefined) throw unexpectedResponse()
    return value
  }
}

/** Inputs of a node in the words of `/object_info`, by name. */
export type NodeInputs = Readonly<Record<string, unknown>>

function readInputs({ input }: Record<string, unknown>): NodeInputs {
  const { optional, required } = fieldsOf(input)
  return { ...fieldsOf(optional), ...fieldsOf(required) }
}

/** Returns the values that an input can have; null if it is not a choice. */
export function choicesOf(inputs: NodeInputs, input: string): readonly string[] | null {
  const [type, options] = listOf(inputs[input])
  const choices = type === 'COMBO' ? fieldsOf(options)['options'] : type
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : null
}

function readHistory({ outputs, status }: Readonly<Record<string, unknown>>): JobState {
  const { messages, status_str: outcome } = fieldsOf(status)
  const errors = listOf(messages).flatMap((message) => {
    const [event, data] = listOf(message)
    return executionError(event, data) ?? []
  })
  const failed = outcome === 'error' ? new EngineError('engine_failed', 'the job failed') : null
  return { type: 'finished', error: errors[0] ?? failed, outputs: readOutputs(outputs) }
}

function readSkippedNodes(nodeErrors: unknown): ReadonlySet<string> {
  const nodes = fieldsOf(nodeErrors)
  const dependent = Object.values(nodes).flatMap((node) => listOf(fieldsOf(node)['dependent_outputs']))
  return new Set([...Object.keys(nodes), ...dependent.filter((id) => typeof id === 'string')])
}

export function readOutputs(outputs: unknown) {
  return Object.entries(fieldsOf(outputs)).flatMap(([nodeId, output]) =>
    listOf(fieldsOf(output)['images']).flatMap((image) => {
      const { filename, subfolder = '', type = 'output' } = fieldsOf(image)
      if (typeof filename !== 'string' || typeof subfolder !== 'string' || typeof type !== 'string') return []
      return [{ nodeId, filename, subfolder, type }]
    }),
  )
}

import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { startLoopbackServer } from '../loopback-server.ts'
import { images } from '../openai/images.ts'

/** Products with the API, also for its forks. They differ in what they implement besides `txt2img` and `img2img`. */
export type Flavor = 'a1111' | 'sdnext' | 'koboldcpp' | 'sdcpp' | 'drawthings' | 'llamaswap'

const bare = {
  progress: false,
  /** Status of `/interrupt`; null without it. */
  interrupt: null as number | null,
  /** Whether the web page runs, which knows tasks by id. */
  tasks: false,
  models: 'list' as 'list' | 'marker' | 'root' | 'proxy',
  info: true,
  /** Whether the job ends when its connection closes. */
  endsOnClose: false,
}

const traits: Readonly<Record<Flavor, typeof bare>> = {
  a1111: { ...bare, progress: true, interrupt: 200, tasks: true },
  sdnext: { ...bare, progress: true, interrupt: 204 },
  koboldcpp: { ...bare, progress: true, interrupt: 200, models: 'marker', info: false, endsOnClose: true },
  sdcpp: { ...bare, models: 'marker' },
  drawthings: { ...bare, models: 'root', info: false },
  llamaswap: { ...bare, models: 'proxy' },
}

/** Request that the double received. */
export interface ReceivedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** Responds to a request instead of the double; returns false to leave it to the double. */
export type Override = (request: ReceivedRequest, response: ServerResponse) => boolean | void

export interface DoubleOptions {
  readonly flavor?: Flavor
  /** Required Basic authentication as `user:password`. */
  readonly credentials?: string
  /** Duration of one step, in milliseconds. */
  readonly stepMs?: number
  readonly override?: Override
  /** Finished image; defaults to a JPEG. */
  readonly image?: Uint8Array
  /** Keys of `info` that differ from the default. */
  readonly info?: Readonly<Record<string, unknown>>
  /** False: the interface for programs was not enabled with --api, or no web page runs. */
  readonly hasApi?: boolean
  readonly hasWebPage?: boolean
  /** Names of its upscalers; those of a new installation by default. */
  readonly upscalers?: readonly string[]
}

/** Job of the double, of an engine or of another user. */
export interface Job {
  readonly name: string
  readonly startedAt: string
  readonly taskId: string | null
  readonly isStranger: boolean
  readonly steps: number
  step: number
  isInterrupted: boolean
}

/** A model, the hash of whose file is in its title. */
const model = (title: string, model_name: string, filename: string) => ({
  title,
  model_name,
  hash: /\[(\w+)\]$/.exec(title)?.[1] ?? null,
  sha256: null,
  filename,
  config: null,
})
const samplers = [
  { name: 'DPM++ 2M', aliases: ['k_dpmpp_2m'], options: {} },
  { name: 'Euler a', aliases: ['k_euler_a', 'k_euler_ancestral'], options: {} },
]
const folder = '/data/models/Stable-diffusion'
/** stable-diffusion.cpp lists names and paths only. */
const loras = ['ink', 'soft:light'].map((name) => ({
  name,
  alias: `${name}_alias`,
  path: `/data/models/Lora/${name}.safetensors`,
  metadata: { ss_tag_frequency: { 'a dataset': { ink: 1 } } },
}))
const upscalers = ['None', 'Lanczos', 'Nearest', 'DAT x2', 'R-ESRGAN 4x+'].map((name) => ({
  name,
  model_name: null,
  model_path: null,
  model_url: null,
  scale: 4,
}))

/** Models of the double, as AUTOMATIC1111 lists them. */
export const models = [
  model(
    'sdxl/juggernaut.safetensors [31e35c80fc]',
    'sdxl_juggernaut',
    `${folder}/sdxl/juggernaut.safetensors`,
  ),
  model('v1-5-pruned.ckpt [cc6cb27103]', 'v1-5-pruned', 'C:\\models\\v1-5-pruned.ckpt'),
  model('dreamshaper_8.safetensors', 'dreamshaper_8', `${folder}/dreamshaper_8.safetensors`),
]

/**
 * Double of a server with the API of AUTOMATIC1111: runs one job at a time in order of arrival, with a global state, and
 * answers an interrupted job with its half-finished image.
 */
export async function startAutomatic1111(options: DoubleOptions = {}) {
  const { flavor = 'a1111', credentials, stepMs = 2, image = images.jpeg } = options
  const { progress, interrupt, tasks, models: listing, info, endsOnClose } = traits[flavor]
  const requests: ReceivedRequest[] = []
  const interrupted: ('ours' | 'stranger' | 'idle')[] = []
  const pending = new Set<string>()
  let starts = 0
  let inFlight = 0
  let maxInFlight = 0
  let running: Job | null = null
  /** State of the last job, which the server keeps until the next starts. */
  let last: Job | null = null
  let queue: Promise<unknown> = Promise.resolve()
  const hold = { isActive: false }

  /** Runs a job after all others; resolves when it has ended. */
  function run(job: Omit<Job, 'startedAt' | 'step' | 'isInterrupted'>): Promise<Job> {
    const ended = queue.then(async () => {
      starts += 1
      const begun: Job = { ...job, startedAt: `2026112214${starts}`, step: 0, isInterrupted: false }
      if (job.taskId !== null) pending.delete(job.taskId)
      running = last = begun
      while (begun.step < begun.steps && !begun.isInterrupted) {
        await setTimeout(stepMs)
        begun.step += 1
        // Held in the middle, where a preview exists.
        while (hold.isActive && begun.step >= begun.steps / 2 && !begun.isInterrupted) {
          await setTimeout(2)
        }
      }
      running = null
      return begun
    })
    queue = ended.catch(() => {})
    return ended
  }

  function state() {
    const job = running ?? last
    return {
      skipped: false,
      interrupted: job?.isInterrupted ?? false,
      stopping_generation: false,
      job_no: 0,
      sampling_step: running?.step ?? 0,
      sampling_steps: running?.steps ?? 0,
      ...nameAndStart(job),
      job_count: running ? 1 : 0,
    }
  }

  /** SD.Next restarts a job for each of its parts, and clears the name when a part ends. */
  function nameAndStart(job: Job | null) {
    const startedAt = job?.startedAt ?? '0'
    if (flavor !== 'sdnext' || !running) return { job: running?.name ?? '', job_timestamp: startedAt }
    if (running.step === 0) return { job: running.name, job_timestamp: startedAt }
    if (running.step === 1) return { job: 'TE Encode', job_timestamp: `${startedAt}1` }
    if (running.step === running.steps) return { job: 'VAE Decode', job_timestamp: `${startedAt}2` }
    return { job: running.isStranger ? running.name : '', job_timestamp: `${startedAt}1` }
  }

  function progressBody(path: string) {
    const hasPreview = running !== null && running.step >= running.steps / 2
    return {
      progress: running ? Math.max(0.01, running.step / running.steps) : 0,
      eta_relative: 1,
      state: state(),
      current_image:
        hasPreview && !path.includes('skip_current_image=true')
          ? base64(running?.isStranger ? images.sharper : images.preview)
          : null,
      textinfo: null,
      ...(flavor === 'sdnext' && { id: 'abc123' }),
    }
  }

  async function generate(request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const { body, path } = request
    if (flavor === 'koboldcpp' && running) {
      const detail = { msg: 'Server is busy; please try again later.', type: 'service_unavailable' }
      return json(response, 503, { detail })
    }
    if (flavor === 'llamaswap' && body['model'] !== 'flux') {
      return json(response, 400, { error: 'could not find real modelID for undefined' })
    }
    inFlight += 1
    maxInFlight = Math.max(maxInFlight, inFlight)
    const taskId = typeof body['force_task_id'] === 'string' ? body['force_task_id'] : null
    if (taskId !== null) pending.add(taskId)
    const isImg2img = path.includes('img2img')
    const name = flavor === 'sdnext' ? 'API-TXT' : isImg2img ? 'scripts_img2img' : 'scripts_txt2img'
    const steps = typeof body['steps'] === 'number' ? body['steps'] : 8
    const ended = run({ name, taskId, steps, isStranger: false })
    if (endsOnClose) response.once('close', () => void (running?.taskId === taskId && stopRunning()))
    const job = await ended
    inFlight -= 1
    if (flavor === 'koboldcpp' && job.isInterrupted) return json(response, 200, { images: [''], info: '' })
    const overrides = body['override_settings'] as Record<string, unknown> | undefined
    // Unknown titles are ignored without an error.
    const wanted = models.find(({ title }) => title === overrides?.['sd_model_checkpoint']) ?? models[0]
    const seed = body['seed'] === -1 ? 2_784_513_069 : body['seed']
    const fullInfo = {
      seed,
      all_seeds: [seed],
      width: body['width'],
      height: body['height'],
      sampler_name: body['sampler_name'] ?? 'DPM++ 2M',
      cfg_scale: body['cfg_scale'] ?? 7,
      steps,
      sd_model_name: wanted?.model_name.replace(/^.*_(?=jugg)/, ''),
      extra_generation_params: { 'Schedule type': body['scheduler'] ?? 'Karras' },
      index_of_first_image: 0,
      infotexts: ['…'],
      job_timestamp: job.startedAt,
      ...options.info,
    }
    json(response, 200, {
      images: [base64(job.isInterrupted ? images.preview : image)],
      parameters: { ...body, init_images: null, mask: null },
      info: info ? JSON.stringify(fullInfo) : '',
    })
  }

  /** Returns the image as it is with an upscaler that does nothing, or with a mode that ignores the factor. */
  async function upscale({ body }: ReceivedRequest, response: ServerResponse): Promise<void> {
    const source = Buffer.from(String(body['image']), 'base64')
    const { upscaling_resize: factor = 2, upscaler_1: upscaler = 'None', resize_mode: mode = 0 } = body
    if (!upscalers.some(({ name }) => name === upscaler))
      return json(response, 500, { error: 'AssertionError', detail: '', errors: 'could not find upscaler' })
    await run({ name: 'extras', taskId: null, steps: 4, isStranger: false })
    const { width } = await sharp(source).metadata()
    const isScaled = upscaler !== 'None' && mode === 0
    // Rounds down to multiples of 8.
    const side = Math.floor((width * Number(factor)) / 8) * 8
    const result = isScaled ? await sharp(source).resize({ width: side }).png().toBuffer() : source
    json(response, 200, { image: base64(result), html_info: '<p>' })
  }

  function stopRunning(): void {
    if (running) running.isInterrupted = true
  }

  function answer(request: ReceivedRequest, response: ServerResponse): void | Promise<void> {
    const { method } = request
    const path = request.path.replace(/\?.*$/, '')
    const notFound = () => json(response, 404, { detail: 'Not Found' })
    if (credentials !== undefined && path !== '/internal/progress') {
      const expected = `Basic ${Buffer.from(credentials).toString('base64')}`
      if (request.headers.authorization !== expected) {
        response.setHeader('www-authenticate', 'Basic')
        return json(response, 401, { detail: 'Incorrect username or password' })
      }
    }
    if (path === '/internal/progress' && tasks && (options.hasWebPage ?? true)) {
      const id = request.body['id_task']
      const active = running?.taskId === id
      return json(response, 200, { active, queued: pending.has(String(id)), completed: false })
    }
    if (path === '/' && listing === 'root') {
      return json(response, 200, { model: 'sd_v1.5_f16.ckpt', upscaler: null, steps: 20 })
    }
    if (path === '/v1/models' && listing === 'proxy') {
      return json(response, 200, { object: 'list', data: [{ id: 'flux', owned_by: 'llama-swap' }] })
    }
    if (path === '/') return void response.setHeader('content-type', 'text/html').end('<!doctype html>')
    if (options.hasApi === false) return notFound()
    switch (`${method} ${path}`) {
      case 'POST /sdapi/v1/txt2img':
      case 'POST /sdapi/v1/img2img':
        return generate(request, response)
      case 'GET /sdapi/v1/loras': {
        const names = loras.map(({ name }) => ({ name, path: `${name}.safetensors` }))
        if (flavor === 'sdcpp') return json(response, 200, names)
        return listing === 'list' ? json(response, 200, loras) : notFound()
      }
      case 'GET /sdapi/v1/upscalers': {
        const listed = upscalers.filter(({ name }) => options.upscalers?.includes(name) ?? true)
        return listing === 'list' ? json(response, 200, listed) : notFound()
      }
      case 'POST /sdapi/v1/extra-single-image':
        return listing === 'list' ? upscale(request, response) : notFound()
      case 'GET /sdapi/v1/progress':
        return progress ? json(response, 200, progressBody(request.path)) : notFound()
      case 'POST /sdapi/v1/interrupt':
        if (interrupt === null) return notFound()
        interrupted.push(running ? (running.isStranger ? 'stranger' : 'ours') : 'idle')
        stopRunning()
        return interrupt === 204 ? void response.writeHead(204).end() : json(response, interrupt, {})
      case 'GET /sdapi/v1/sd-models':
        if (listing === 'list') return json(response, 200, models)
        if (listing !== 'marker') return notFound()
        return json(response, 200, [
          { ...models[2], filename: '/srv/dreamshaper_8.gguf', hash: '8888888888' },
        ])
      case 'GET /sdapi/v1/options': {
        const loaded = { list: models[1], marker: models[2], root: null, proxy: null }[listing]
        if (!loaded) return notFound()
        return json(response, 200, { samples_format: 'png', sd_model_checkpoint: loaded.title })
      }
      case 'GET /sdapi/v1/samplers':
        return listing === 'list' || listing === 'marker' ? json(response, 200, samplers) : notFound()
      default:
        return notFound()
    }
  }

  const double = await startLoopbackServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const content = await text(incoming)
    const body = content === '' ? {} : (JSON.parse(content) as Record<string, unknown>)
    const request = { method, path: url, headers, body }
    requests.push(request)
    if (options.override?.(request, response)) return
    await answer(request, response)
  })

  return {
    url: double.origin,
    /** All requests, in order. */
    requests,
    /** Requests for an image, in order. */
    get calls(): readonly ReceivedRequest[] {
      return requests.filter(({ path }) => /\/((txt|img)2img|extra-single-image)$/.test(path))
    },
    /** Jobs that ran at each interrupt. */
    interrupted,
    get running(): Job | null {
      return running
    },
    get last(): Job | null {
      return last
    },
    /** Maximum number of requests for an image at the same time. */
    get maxInFlight(): number {
      return maxInFlight
    },
    /** Stops jobs in the middle until the returned function is called. */
    hold(): () => void {
      hold.isActive = true
      return () => void (hold.isActive = false)
    },
    /** Runs a job of another user: of the web page, or of another client of the API. */
    runStranger(by: 'page' | 'api', steps = 8): Promise<Job> {
      const name = by === 'page' ? (flavor === 'sdnext' ? 'Text' : 'task(xyz)') : 'scripts_txt2img'
      return run({ name, taskId: 'task(xyz)', steps, isStranger: true })
    },
    /** Presses Interrupt on the server's own page. */
    interruptAsOperator: stopRunning,
    async stop(): Promise<void> {
      hold.isActive = false
      stopRunning()
      await double.stop()
    },
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

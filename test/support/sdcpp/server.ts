import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { createSdCppEngine, type SdCppEngineOptions } from '../../../server/engines/sdcpp/sdcpp-engine.ts'
import { startLoopbackServer } from '../loopback-server.ts'

type Fields = Readonly<Record<string, unknown>>

/** Answer of `/sdcpp/v1/capabilities`, as `sd-server` of August 2026 has it. */
const capabilities = {
  model: { name: 'sdxl.safetensors', stem: 'sdxl', path: '/srv/models/sdxl.safetensors' },
  supported_modes: ['img_gen'],
  defaults_by_mode: {
    img_gen: {
      width: 640,
      height: 512,
      sample_params: {
        scheduler: 'default',
        sample_method: 'euler_a',
        sample_steps: 20,
        guidance: { txt_cfg: 7, img_cfg: null },
      },
    },
  },
  limits: { min_width: 64, max_width: 1024, min_height: 64, max_height: 1024, max_queue_size: 64 },
  samplers: ['euler', 'euler_a', 'dpm++2m'],
  schedulers: ['discrete', 'normal', 'karras'],
  upscalers: [{ name: 'None' }, { name: 'Latent' }, { name: '4x-sharp' }],
  loras: [
    { name: 'ink', path: 'styles/ink.safetensors' },
    { name: 'paper', path: 'paper.gguf' },
  ],
}

interface Job {
  status: 'queued' | 'generating' | 'completed' | 'failed' | 'cancelled'
  readonly body: Fields
}

/** What the double does; changed by tests. */
interface SdCppState {
  file: Uint8Array
  capabilities: Fields
  /** Jobs stay in the queue, or run on; `null`: each is completed when it is looked up. */
  hold: 'queued' | 'generating' | null
  /** Jobs of others at the head of the queue. */
  ahead: number
  /** Status of the responses to submissions that are not accepted; null: they are. */
  rejection: number | null
  /** Number of requests for a job that a proxy rejects before it passes them on. */
  limited: number
  isDown: boolean
  /** Submissions are accepted, but answered later. */
  answer: Promise<unknown>
}

/** Creates an engine that looks jobs up often. */
export function createTestEngine(url: string, loras: SdCppEngineOptions['loras'] = null) {
  const log = pino({ level: 'silent' })
  const config = { kind: 'sdcpp', id: 'sd', label: 'SD', model: null, headers: {}, loras } as const
  return createSdCppEngine({ ...config, url, log, pollMs: 10 })
}

/** Starts a double of stable-diffusion.cpp's `sd-server`: its queue is in memory, and a running job is not interrupted. */
export async function startSdCpp(file: Uint8Array) {
  const idle = { hold: null, ahead: 0, rejection: null, limited: 0, isDown: false, answer: Promise.resolve() }
  const state: SdCppState = { file, capabilities, ...idle }
  const jobs = new Map<string, Job>()
  const expired = new Set<string>()
  const submissions: Fields[] = []
  let lookUps = 0
  let rejected = 0

  function describe(id: string, { status, body }: Job) {
    const images = [{ index: 0, b64_json: Buffer.from(state.file).toString('base64') }]
    const code = status === 'failed' ? 'generation_failed' : 'cancelled'
    return {
      id,
      kind: 'img_gen',
      status,
      queue_position: status === 'queued' ? state.ahead + 1 : 0,
      result: status === 'completed' ? { output_format: body['output_format'], images } : null,
      error: status === 'failed' || status === 'cancelled' ? { code, message: 'in /srv/models' } : null,
    }
  }

  const { origin, stop } = await startLoopbackServer(async (incoming, response) => {
    const { url = '', method } = incoming
    const bytes = await buffer(incoming)
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (state.isDown) {
      rejected += 1
      return void response.destroy()
    }
    if (url === '/sdcpp/v1/capabilities') return json(200, state.capabilities)
    if (url === '/sdcpp/v1/img_gen' && method === 'POST') {
      if (state.rejection !== null) return json(state.rejection, { error: 'job queue is full' })
      const body = JSON.parse(bytes.toString()) as Fields
      const loras = (body['lora'] ?? []) as { path: string }[]
      if (loras.some((lora) => !capabilities.loras.some(({ path }) => path === lora.path)))
        return json(400, { error: 'invalid generation parameters' })
      submissions.push(body)
      const id = `job_${submissions.length}`
      jobs.set(id, { status: 'queued', body })
      await state.answer
      return json(202, { id, kind: 'img_gen', status: 'queued', poll_url: `/sdcpp/v1/jobs/${id}` })
    }
    const [, id = '', cancel] = /^\/sdcpp\/v1\/jobs\/([\w-]+)(\/cancel)?$/.exec(url) ?? []
    const job = jobs.get(id)
    if (!job)
      return expired.has(id) ? json(410, { error: 'job expired' }) : json(404, { error: 'job not found' })
    if (cancel) {
      if (job.status === 'generating') return json(409, { error: 'job is currently generating' })
      if (job.status === 'queued') job.status = 'cancelled'
      return json(200, describe(id, job))
    }
    lookUps += 1
    state.limited -= 1
    if (state.limited >= 0) return json(429, {})
    if (job.status === 'queued' || job.status === 'generating') job.status = state.hold ?? 'completed'
    return json(200, describe(id, job))
  })
  return {
    url: origin,
    stop,
    state,
    /** Bodies of the requests for images. */
    submissions: submissions as readonly Fields[],
    lookUps: () => lookUps,
    rejected: () => rejected,
    statuses: () => [...jobs.values()].map(({ status }) => status),
    /** Ends all jobs. They are forgotten after a restart, and ten minutes later. */
    end(how: 'failed' | 'cancelled' | 'restarted' | 'expired') {
      for (const [id, job] of jobs) {
        if (how === 'failed' || how === 'cancelled') job.status = how
        else jobs.delete(id)
        if (how === 'expired') expired.add(id)
      }
    },
  }
}

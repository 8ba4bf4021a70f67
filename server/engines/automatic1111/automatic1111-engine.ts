import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineConfig } from '../../config/engine-section.ts'
import { Semaphore } from '../../tasks/semaphore.ts'
import { untilAborted } from '../../tasks/shared-task.ts'
import { EngineError, interruptedError } from '../engine-error.ts'
import { decodePreview } from '../engine-http.ts'
import {
  type EngineEvent,
  type EngineRequest,
  type EngineStatus,
  type ImageEngine,
  stableDiffusion,
} from '../image-engine.ts'
import { chooseLoras, withPlainPrompts } from '../loras.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { requireEnlarged, upscaleFactors } from '../image-sizes.ts'
import { Automatic1111Client, type Call } from './automatic1111-client.ts'
import { checkSampler, listProxied, readLoaded } from './checks.ts'
import { noExtras, readExtras, requireUpscaler, type ServerExtras } from './extras.ts'
import { createCall, createUpscaleCall, type ImageCall, readResult, taskIdOf } from './image-call.ts'
import { JobWatch, ServerJobs } from './job-watch.ts'
import { findModel, findReported, listedName, listModels, type ServerModels } from './models.ts'

export type Automatic1111EngineOptions = EngineConfig<'automatic1111'> & {
  readonly log: Logger
  /** Delay between requests for progress, in milliseconds; defaults to 700. */
  readonly pollMs?: number
}

/**
 * Creates an engine for servers with the API of AUTOMATIC1111: its forks, SD.Next, koboldcpp, stable-diffusion.cpp and
 * Draw Things.
 *
 * @see https://github.com/AUTOMATIC1111/stable-diffusion-webui/wiki/API
 */
export function createAutomatic1111Engine(options: Automatic1111EngineOptions): ImageEngine {
  const server = new Server(options)
  return createProviderEngine(options, server.client.server, {
    capabilities: stableDiffusion,
    serialKey: server.client.url,
    check: (signal) => server.check(signal),
    generate: (request, signal) => server.generate(request, signal),
    onFailedCheck: () => server.forget(),
  })
}

/** Age after which the list of models is read again, in milliseconds. */
const modelsMaxAgeMs = 60_000

/** Age after which LoRAs and upscalers are read again, in milliseconds: their list may have megabytes. */
const extrasMaxAgeMs = 5 * 60_000

/** Delays before a call that a busy server rejected is sent again, in milliseconds: koboldcpp runs one, llama-swap loads a model. */
const busyDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** Time for which a canceled job that cannot be interrupted yet keeps its turn, in milliseconds. */
const stopTimeoutMs = 10 * 60_000

const defaultPollMs = 700

class Server {
  readonly client: Automatic1111Client
  readonly jobs: ServerJobs
  readonly #config: Automatic1111EngineOptions
  readonly #pollMs: number
  #models: { readonly list: ServerModels | null; readonly readAt: number } | null = null
  #extras: { readonly found: ServerExtras; readonly readAt: number } | null = null

  constructor(options: Automatic1111EngineOptions) {
    this.#config = options
    this.client = new Automatic1111Client(options)
    this.jobs = new ServerJobs(this.client, options.log)
    this.#pollMs = options.pollMs ?? defaultPollMs
  }

  /** @throws EngineError if the server cannot generate images with the configured model and sampler */
  async check(signal: AbortSignal): Promise<EngineStatus> {
    const models = await this.#checkModels(signal)
    const reportsProgress = await this.jobs.probe(signal)
    const { loras, upscaler } = await this.#readExtras(signal, extrasMaxAgeMs)
    const capabilities = {
      ...stableDiffusion,
      ...(!reportsProgress && { progress: false, previews: false }),
      loras: [...loras.keys()],
      upscale: upscaler === null ? [] : upscaleFactors,
    }
    return { models, capabilities }
  }

  /** Forgets what the server has, see `ServerJobs`. */
  forget(): void {
    this.jobs.forget()
    this.#extras = null
  }

  async #readExtras(signal: AbortSignal, maxAgeMs: number): Promise<ServerExtras> {
    const former = this.#extras
    if (former && performance.now() - former.readAt < maxAgeMs) return former.found
    try {
      const canSwitch = this.#models?.list?.canSwitch ?? false
      const found = await readExtras(this.client, this.#config.loras, canSwitch, signal)
      this.#extras = { found, readAt: performance.now() }
      return found
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof EngineError) return former?.found ?? noExtras
      throw error
    }
  }

  async #checkModels(signal: AbortSignal): Promise<readonly string[]> {
    const list = await this.#readModels(signal, 0)
    const { model, sampler } = this.#config
    if (!list) return listProxied(this.client, model, signal)
    if (sampler !== null) await checkSampler(this.client, sampler, signal)
    if (model !== null) return [listedName(list, findModel(list.models, model))]
    const loaded = await readLoaded(this.client, list, signal)
    const names = list.models.map((one) => listedName(list, one))
    return loaded === null ? names : [loaded, ...names.filter((name) => name !== loaded)]
  }

  /** @throws EngineError, or a system error of the connection */
  async *generate(of: EngineRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    const request = withPlainPrompts(of, this.#config.loras)
    const endTurn = await takeTurn(this.client.url, signal)
    let stopped = Promise.resolve()
    try {
      const { call: imageCall, title, list } = await this.#createCall(request, signal)
      for (const delayMs of [...busyDelaysMs, null]) {
        const watch = new JobWatch(
          this.jobs,
          taskIdOf(request),
          request.upscale === null ? 'image' : 'upscale',
        )
        await watch.prepare(signal)
        signal.throwIfAborted()
        const call = this.client.call(imageCall.path, imageCall.body)
        try {
          yield* this.#follow(call, watch, signal)
        } finally {
          if (call.isOpen) stopped = this.#stop(call, watch)
        }
        try {
          const { bytes, settings } = readResult(await call.response, imageCall)
          const [source] = request.references
          if (source && request.upscale !== null) await requireEnlarged(bytes, source, request.upscale)
          if (await watch.wasInterrupted(signal)) throw interruptedError()
          signal.throwIfAborted()
          const model = usedModel(settings.model, title, list)
          yield { type: 'complete', bytes, settings: { ...settings, ...(model !== undefined && { model }) } }
          return
        } catch (error) {
          if (!(error instanceof EngineError) || error.code !== 'engine_busy' || delayMs === null) throw error
          await setTimeout(delayMs, undefined, { signal })
        }
      }
    } finally {
      void stopped.finally(endTurn)
    }
  }

  async #createCall(
    request: EngineRequest,
    signal: AbortSignal,
  ): Promise<{ call: ImageCall; title: string | null; list: ServerModels | null }> {
    if (request.upscale !== null) {
      const list = await this.#readModels(signal, modelsMaxAgeMs)
      const upscaler = requireUpscaler(await this.#readExtras(signal, extrasMaxAgeMs))
      return { call: createUpscaleCall(request, request.upscale, upscaler), title: null, list }
    }
    const wanted = request.model ?? this.#config.model
    const list = await this.#readModels(signal, modelsMaxAgeMs).catch((error: unknown) => {
      // The loaded model is used without a list. Whatever else is wrong, the call finds it.
      const isDown = !(error instanceof EngineError) || error.code === 'engine_unavailable'
      if (isDown || wanted !== null) throw error
      return null
    })
    const model = wanted !== null && list ? await this.#findModel(list, wanted, signal) : null
    const title = model && list?.canSwitch ? model.title : null
    const call = await createCall(request, {
      ...(await this.#chooseLoras(request, signal)),
      config: this.#config,
      title,
      model: list ? null : wanted,
      hasOwnSteps: list !== null && !list.canSwitch,
      reportsProgress: this.jobs.reportsProgress,
    })
    return { call, title, list }
  }

  async #chooseLoras({ loras }: EngineRequest, signal: AbortSignal) {
    if (loras.length === 0) return { loras: [], hasLoraField: false }
    const known = await this.#readExtras(signal, extrasMaxAgeMs)
    const isKnown = loras.every(({ name }) => known.loras.has(name))
    const { loras: values, hasLoraField } = isKnown ? known : await this.#readExtras(signal, 0)
    return { loras: chooseLoras(loras, values), hasLoraField }
  }

  /** Finds a model in a list that may be older than the model. */
  async #findModel(list: ServerModels, wanted: string, signal: AbortSignal) {
    const found = findReported(list.models, wanted)
    if (found) return found
    const { models } = (await this.#readModels(signal, 0)) ?? list
    return findModel(models, wanted)
  }

  async #readModels(signal: AbortSignal, maxAgeMs: number): Promise<ServerModels | null> {
    const now = performance.now()
    if (this.#models && now - this.#models.readAt < maxAgeMs) return this.#models.list
    try {
      const list = await listModels(this.client, signal)
      this.#models = { list, readAt: now }
      return list
    } catch (error) {
      signal.throwIfAborted()
      // A server that loads a model may not respond for a while. If it is down, the call fails.
      if (this.#models && maxAgeMs > 0) return this.#models.list
      throw error
    }
  }

  /** Yields progress and previews until the call has ended. */
  async *#follow(call: Call, watch: JobWatch, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    let progress = 0
    let preview = ''
    while (call.isOpen) {
      await untilAborted(Promise.race([call.ended, pause(this.#pollMs)]), signal)
      if (!call.isOpen) return
      const status = await untilAborted(Promise.race([call.ended, watch.read(signal)]), signal)
      if (!status || !call.isOpen) continue
      // The server counts down at the end of a job.
      if (status.progress > progress) {
        progress = status.progress
        yield { type: 'progress', progress }
      }
      if (status.preview === null || status.preview === preview) continue
      preview = status.preview
      const bytes = decodePreview(preview)
      if (bytes) yield { type: 'partial', bytes }
    }
  }

  /**
   * Ends a canceled call. Interrupts its job as soon as the server says that it runs, as an interrupt ends whatever runs, and
   * waits for the half-finished image, which is dropped. Keeps a job waiting at the server until then, because the server
   * would run it even if the connection was closed.
   */
  async #stop(call: Call, watch: JobWatch): Promise<void> {
    const deadline = AbortSignal.timeout(stopTimeoutMs)
    call.unref()
    while (call.isOpen && this.jobs.reportsProgress && !deadline.aborted) {
      try {
        const status = await watch.read(deadline)
        if (status && !status.isInterrupted && call.isOpen && !(await this.jobs.interrupt(deadline))) break
      } catch (err) {
        this.#config.log.debug({ err }, 'the state of a canceled job is unknown')
      }
      await Promise.race([call.ended, pause(this.#pollMs)])
    }
    call.close()
    await call.ended
  }
}

/**
 * Returns the listed name of the model that the server used, as far as it is known.
 *
 * @param title of the requested model; null for the loaded one
 * @throws EngineError if the server used another model than the requested one, which it does without an error
 */
function usedModel(name: string | undefined, title: string | null, list: ServerModels | null) {
  const reported = name !== undefined && list ? findReported(list.models, name) : null
  if (title !== null && reported && reported.title !== title) {
    throw new EngineError('engine_failed', 'the server used another model than the requested one')
  }
  return reported && list ? listedName(list, reported) : name
}

/** Turns of the generations of this process, by server: its engines share them. */
const turns = new Map<string, Semaphore>()

function takeTurn(server: string, signal: AbortSignal): Promise<() => void> {
  const turn = turns.get(server) ?? new Semaphore(1)
  turns.set(server, turn)
  return turn.acquire({ signal })
}

/** Does not keep the process alive: a job that is left behind ends at the server. */
function pause(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds, undefined, { ref: false })
}

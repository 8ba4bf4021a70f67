import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineConfig } from '../../config/engine-section.ts'
import { submissionWaitMs } from '../engine-client.ts'
import { EngineError, interruptedError, isTransient } from '../engine-error.ts'
import { retryWhileDown } from '../engine-http.ts'
import {
  defaultSize,
  type EngineEvent,
  type EngineRequest,
  isLeftToOthers,
  type Size,
} from '../image-engine.ts'
import { chooseLoras, withoutTags } from '../loras.ts'
import { chooseSize, requireEnlarged, sizeOf } from '../image-sizes.ts'
import { untilAborted } from '../../tasks/shared-task.ts'
import type { ComfyUiClient, JobOutput, JobState, Submission } from './comfyui-client.ts'
import { findInputs, setInputs, type WorkflowInput } from './workflow-inputs.ts'
import { JobFeed } from './job-feed.ts'
import {
  builtInWorkflow,
  fillWorkflow,
  findPlaces,
  insertLoras,
  readSettings,
  type ComfyUiWorkflow,
} from './workflow.ts'
import { fitMask, fitReference, plainImage } from './workflow-images.ts'

export interface ComfyUiEngineOptions extends EngineConfig<'comfyui'> {
  readonly log: Logger
  /** Defaults to `defaultTiming`. */
  readonly timing?: typeof defaultTiming
}

const defaultTiming = {
  /** Interval at which a job is looked up without a WebSocket, in milliseconds. */
  pollMs: 1_000,
  /** Interval with a WebSocket, in milliseconds: a connection may be lost without a sign. */
  connectedPollMs: 5_000,
  /** Time for which the server may be down while a job runs, in milliseconds. */
  maxOutageMs: 120_000,
  /** Time after which a job that is neither in the queue nor in the history counts as lost, in milliseconds. */
  lostAfterMs: 5_000,
}

/** Interval at which the result of a job that has ended is looked up, in milliseconds. */
const endPollMs = 100

/** Time for which a canceled job is looked up until the server has removed it, in milliseconds. */
const cancelDeadlineMs = 60_000

const defaults = { steps: 20, sampler: 'euler', scheduler: 'normal', cfgScale: 7, strength: 0.6 }

/** Upper limit of seeds: all samplers and all clients can represent those below. */
const seedLimit = 2 ** 32

/** Maximum number of submissions of a job that the server loses. */
const maxSubmissions = 3

/** Smallest increase of the progress that is reported. */
const progressStep = 0.01

const imageFile = /\.(png|jpe?g|webp)$/i

/** Job that has ended with success. */
interface FinishedJob {
  readonly workflow: ComfyUiWorkflow
  readonly outputs: readonly JobOutput[]
}

/** One image: submits a job whose id is that of the image, or finds the one of an earlier process, until it has ended. */
export class Generation {
  readonly #client: ComfyUiClient
  readonly #options: ComfyUiEngineOptions
  readonly #timing: typeof defaultTiming
  readonly #request: EngineRequest
  readonly #signal: AbortSignal
  readonly #seed: number
  /** What the workflow lets users set. */
  readonly #inputs: readonly WorkflowInput[]
  /** Settles with the pending submission, without its error. */
  #submission: Promise<unknown> = Promise.resolve()
  #isSubmitting = false
  /** True from the submission until the job has ended, or was rejected. */
  #mayRun = false
  /** True if the job may have been submitted before. */
  #mayBeQueuedTwice: boolean
  /** Names of the files that were uploaded for the job. */
  readonly #uploads = new Set<string>()

  constructor(
    client: ComfyUiClient,
    options: ComfyUiEngineOptions,
    request: EngineRequest,
    signal: AbortSignal,
  ) {
    this.#client = client
    this.#options = options
    this.#timing = options.timing ?? defaultTiming
    this.#request = request
    this.#signal = signal
    this.#mayBeQueuedTwice = request.isResumed
    this.#inputs = findInputs(options.workflow ?? {}).inputs
    // The server would return an earlier image for a constant one, and rejects -1.
    this.#seed = request.seed ?? randomInt(seedLimit)
  }

  /** @throws EngineError, or the reason of the signal */
  async *run(): AsyncGenerator<EngineEvent, void> {
    const { isResumed } = this.#request
    // Both servers may have been started together, and ComfyUI takes longer.
    const { maxOutageMs, pollMs } = this.#timing
    const limits = { maxOutageMs: isResumed ? maxOutageMs : 0, pollMs, signal: this.#signal }
    await retryWhileDown(() => this.#client.requireComfyUi(this.#signal), limits)
    try {
      let finished = isResumed ? yield* this.#resume() : null
      for (let submissions = 0; !finished; submissions += 1) {
        if (submissions === maxSubmissions) {
          throw new EngineError('engine_failed', 'the server lost the job repeatedly')
        }
        if (submissions > 0) this.#warn('ComfyUI has lost a job; it is submitted again')
        finished = yield* this.#submitAndFollow()
      }
      yield await this.#complete(finished)
    } finally {
      if (!isLeftToOthers(this.#signal)) {
        if (this.#mayRun || this.#mayBeQueuedTwice) await this.#cancel()
        await this.#blankUploads()
      }
    }
  }

  /** @returns null if the server does not know the job */
  async *#resume(): AsyncGenerator<EngineEvent, FinishedJob | null> {
    const { imageId } = this.#request
    this.#mayRun = (await this.#client.findJob(imageId, this.#signal)).type !== 'unknown'
    if (!this.#mayRun) return null
    for (const { name } of this.#files()) this.#uploads.add(name)
    const workflow = await this.#createWorkflow({})
    // Not connected: the server reports a job only to the client id that submitted it.
    return yield* this.#follow(workflow, new JobFeed(imageId, workflow))
  }

  /** @returns null if the server has lost the job */
  async *#submitAndFollow(): AsyncGenerator<EngineEvent, FinishedJob | null> {
    const workflow = await this.#createWorkflow(await this.#upload())
    const feed = new JobFeed(this.#request.imageId, workflow)
    const clientId = randomUUID()
    try {
      if (!(await feed.connect(this.#client, clientId)))
        this.#warn('no WebSocket to ComfyUI: the image has no previews and no progress')
      this.#signal.throwIfAborted()
      const submission = this.#submit(workflow, clientId)
      this.#isSubmitting = true
      this.#submission = submission.catch(() => {}).finally(() => (this.#isSubmitting = false))
      const { error, skippedNodes } = await untilAborted(submission, this.#signal)
      const savers = Object.keys(workflow).filter((id) => workflow[id]?.class_type === 'SaveImage')
      if (error && savers.length > 0 && savers.every((id) => skippedNodes.has(id))) throw error
      return yield* this.#follow(workflow, feed)
    } finally {
      feed.close()
    }
  }

  /** Does not end when the generation is aborted: only its end shows if there is a job to cancel. */
  async #submit(workflow: ComfyUiWorkflow, clientId: string): Promise<Submission> {
    this.#mayRun = true
    const submit = () => this.#client.submit(this.#request.imageId, workflow, clientId)
    try {
      return await submit().catch((error: unknown) => this.#findSubmitted(error, submit))
    } catch (error) {
      const isAmbiguous = isTransient(error) && !isUnreachable(error)
      if (error instanceof EngineError && (error.code === 'engine_busy' || !isAmbiguous)) this.#mayRun = false
      throw error
    }
  }

  /** Submits the job again after its connection was reset, unless the server has accepted it: it would run it twice. */
  async #findSubmitted(error: unknown, submit: () => Promise<Submission>): Promise<Submission> {
    if (!(error instanceof EngineError) || error.facts.networkError !== 'ECONNRESET') throw error
    this.#mayBeQueuedTwice = true
    await setTimeout(this.#timing.pollMs)
    const { type } = await this.#client.findJob(this.#request.imageId, new AbortController().signal)
    if (type !== 'unknown') return { error: null, skippedNodes: new Set() }
    this.#signal.throwIfAborted()
    return submit()
  }

  /** Reports events until the job has ended. @returns null if the server does not know it */
  async *#follow(workflow: ComfyUiWorkflow, feed: JobFeed): AsyncGenerator<EngineEvent, FinishedJob | null> {
    const { pollMs, connectedPollMs, maxOutageMs, lostAfterMs } = this.#timing
    let isConnected = feed.isConnected
    let isEnding = false
    let pollAt = isConnected ? performance.now() + connectedPollMs : 0
    let respondedAt = performance.now()
    let missingSince: number | null = null
    let reported = 0
    for (;;) {
      const preview = feed.takePreview()
      if (preview) yield { type: 'partial', bytes: preview }
      if (feed.progress >= reported + progressStep) {
        reported = feed.progress
        yield { type: 'progress', progress: reported }
      }
      if (feed.error) throw this.#ended(feed.error)
      if (feed.hasEnded !== isEnding || feed.isConnected !== isConnected) pollAt = 0
      isEnding = feed.hasEnded
      isConnected = feed.isConnected
      if (performance.now() >= pollAt) {
        const state = await this.#findJob(performance.now() - respondedAt < maxOutageMs)
        if (state) respondedAt = performance.now()
        if (state?.type === 'finished') {
          if (state.error) throw this.#ended(state.error)
          return { workflow, outputs: state.outputs }
        }
        if (state?.type === 'unknown') {
          missingSince ??= performance.now()
          const isLost = performance.now() - missingSince >= lostAfterMs
          // The history was cleared.
          if ((isLost || isEnding) && feed.outputs.length > 0) return { workflow, outputs: feed.outputs }
          // A restarted server does not have the connection. This one has removed the job from its queue.
          if (isLost && (await feed.isAlive())) throw this.#ended(interruptedError())
          if (isLost) return null
        } else {
          missingSince = null
        }
        const waitsForEvents = isConnected && missingSince === null
        pollAt = performance.now() + (isEnding ? endPollMs : waitsForEvents ? connectedPollMs : pollMs)
      }
      await feed.changed(pollAt - performance.now(), this.#signal)
    }
  }

  /** @returns null if the server is down, and may be */
  async #findJob(mayBeDown: boolean): Promise<JobState | null> {
    try {
      return await this.#client.findJob(this.#request.imageId, this.#signal)
    } catch (error) {
      this.#signal.throwIfAborted()
      if (mayBeDown && isTransient(error)) return null
      throw error
    }
  }

  #ended(error: EngineError): EngineError {
    this.#mayRun = false
    return error
  }

  async #complete({ workflow, outputs }: FinishedJob): Promise<EngineEvent> {
    this.#mayRun = false
    const output = chooseOutput(workflow, outputs)
    if (!output) throw new EngineError('engine_failed', 'the job ended without an image')
    const bytes = await this.#client.download(output, this.#signal)
    const { references, upscale } = this.#request
    if (references[0] && upscale !== null) await requireEnlarged(bytes, references[0], upscale)
    return { type: 'complete', bytes, settings: readSettings(workflow) }
  }

  /** Cancels the job, and continues in the background until the queue of the server does not have it any more. */
  async #cancel(): Promise<void> {
    await Promise.race([this.#submission, setTimeout(submissionWaitMs, undefined, { ref: false })])
    // The submission was rejected meanwhile.
    if (!this.#mayRun && !this.#mayBeQueuedTwice) return
    if (!(await this.#isCanceled())) void this.#cancelLater(performance.now() + cancelDeadlineMs)
  }

  async #cancelLater(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      await setTimeout(this.#timing.pollMs, undefined, { ref: false })
      if (await this.#isCanceled()) return
    }
    this.#warn('a canceled job still runs at ComfyUI')
  }

  #warn(message: string, facts: { readonly err?: unknown } = {}): void {
    this.#options.log.warn({ imageId: this.#request.imageId, ...facts }, message)
  }

  /** Cancels the job. @returns true if the server does not have it, or cannot be asked */
  async #isCanceled(): Promise<boolean> {
    const isSubmitted = !this.#isSubmitting
    try {
      return (await this.#client.cancel(this.#request.imageId)) && isSubmitted
    } catch (err) {
      this.#warn('a job could not be canceled at ComfyUI, and may still run', { err })
      return isUnreachable(err)
    }
  }

  /** Replaces the uploaded files by one pixel, as the server cannot delete them. */
  async #blankUploads(): Promise<void> {
    const { references, parameterImages } = this.#request
    const hasImages = references.length > 0 || Object.keys(parameterImages).length > 0
    if (!hasImages || this.#uploads.size === 0) return
    const signal = AbortSignal.timeout(cancelDeadlineMs)
    try {
      const pixel = await plainImage({ width: 1, height: 1 }, 'black')
      for (const name of this.#uploads) await this.#client.upload(name, pixel, signal)
    } catch (err) {
      this.#warn('reference images could not be removed from ComfyUI', { err })
    }
  }

  async #createWorkflow({ images = {}, inputs = {} }: Partial<Uploads>): Promise<ComfyUiWorkflow> {
    const { prompt, negativePrompt, model, strength, imageId, references, mask, upscale } = this.#request
    const { steps, sampler, scheduler, cfgScale, loras, workflow } = this.#options
    const filePrefix = `rangoli/${imageId}`
    const upscaler = upscale === null ? undefined : await this.#client.findUpscaler(this.#signal)
    if (upscaler === null) throw new EngineError('engine_misconfigured', 'the server has no upscale model')
    const source = references.length === 0 ? 'text' : mask ? 'mask' : 'image'
    const variant = upscale === null ? source : 'upscale'
    const own = upscale === null ? workflow : null
    const filled = fillWorkflow(own ?? builtInWorkflow(variant, filePrefix), {
      prompt: withoutTags(prompt, loras),
      negativePrompt: withoutTags(negativePrompt, loras),
      seed: this.#seed,
      ...(await this.#size()),
      steps: steps ?? defaults.steps,
      sampler: sampler ?? defaults.sampler,
      scheduler: scheduler ?? defaults.scheduler,
      cfgScale: cfgScale ?? defaults.cfgScale,
      model: upscaler ?? model ?? this.#options.model ?? '',
      // A workflow for reference images generates from noise if nothing of the image is kept.
      strength: source === 'text' ? 1 : (strength ?? defaults.strength),
      ...images,
    })
    const parameters = Object.entries(this.#request.parameters).map(
      ([name, value]) => [name, typeof value === 'string' ? withoutTags(value, loras) : value] as const,
    )
    const set = setInputs(filled, this.#inputs, { ...Object.fromEntries(parameters), ...inputs })
    if (this.#request.loras.length === 0) return set
    const values = await this.#client.listLoras(loras, this.#signal)
    return insertLoras(set, chooseLoras(this.#request.loras, values))
  }

  async #size(): Promise<Size> {
    const { references, upscale } = this.#request
    if (references[0] && upscale !== null) return sizeOf(references[0], upscale)
    return chooseSize(this.#request, defaultSize)
  }

  /** Lists the files that the workflow takes. @throws EngineError if it requires a reference image, and there is none */
  #files(): readonly WorkflowFile[] {
    const { workflow } = this.#options
    const { imageId, references, mask, upscale } = this.#request
    const [reference] = references
    if (reference && upscale !== null)
      return [{ value: 'image', name: `${imageId}.jpg`, read: () => Promise.resolve(reference) }]
    if (!workflow) {
      const read = async () => fitReference(reference ?? Buffer.of(), mask, await this.#size())
      return reference ? [{ value: 'image', name: `${imageId}.png`, read }] : []
    }
    const places = findPlaces(workflow)
    const inputs = Object.entries(this.#request.parameterImages).map(([input, bytes], index) => {
      return { input, name: `${imageId}-input-${index}.jpg`, read: () => Promise.resolve(bytes) }
    })
    if (!places.has('image')) return inputs
    if (!reference && !places.has('strength')) {
      const message = 'This engine needs a reference image. Add one and try again.'
      throw new EngineError('engine_failed', 'the workflow requires a reference image', {}, message)
    }
    const read = async () => reference ?? plainImage(await this.#size(), 'gray')
    const readMask = async () => fitMask(mask, await read())
    return [
      ...inputs,
      { value: 'image', name: `${imageId}${reference ? '.jpg' : '.png'}`, read },
      ...(places.has('mask')
        ? [{ value: 'mask', name: `${imageId}-mask.png`, read: readMask } as const]
        : []),
    ]
  }

  /** Uploads the reference image, its mask, and the images of inputs. */
  async #upload(): Promise<Uploads> {
    const uploads: Uploads = { images: {}, inputs: {} }
    for (const { name, read, ...file } of this.#files()) {
      const bytes = await read()
      this.#uploads.add(name)
      const uploaded = await this.#client.upload(name, bytes, this.#signal)
      if ('input' in file) uploads.inputs[file.input] = uploaded
      else uploads.images[file.value] = uploaded
    }
    return uploads
  }
}

/** Reference image or mask by its placeholder, or image of an input. */
type WorkflowFile = ({ readonly value: 'image' | 'mask' } | { readonly input: string }) & {
  /** Name at the server. */
  readonly name: string
  readonly read: () => Promise<Uint8Array>
}

/** Values of uploads for the workflow. */
interface Uploads {
  readonly images: Partial<Record<'image' | 'mask', string>>
  readonly inputs: Record<string, string>
}

/** Chooses the first image that the workflow saves; else one that it only shows. */
function chooseOutput(workflow: ComfyUiWorkflow, outputs: readonly JobOutput[]): JobOutput | undefined {
  const rank = ({ type, nodeId }: JobOutput) =>
    type !== 'output' ? 2 : workflow[nodeId]?.class_type === 'SaveImage' ? 0 : 1
  return outputs.filter(({ filename }) => imageFile.test(filename)).sort((a, b) => rank(a) - rank(b))[0]
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof EngineError &&
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(error.facts.networkError ?? '')
  )
}

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
import { findInputs, setInputs } from './workflow-inputs.ts'
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

/**
 * Generates one image: submits a job whose id is that of the image, or finds the one of an earlier process, until it has ended.
 *
 * @throws EngineError, or the reason of the signal
 */
export async function* generateImage(
  client: ComfyUiClient,
  options: ComfyUiEngineOptions,
  request: EngineRequest,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { workflow: own, loras: offered, timing = defaultTiming } = options
  const { imageId, isResumed, references, mask, upscale, parameterImages } = request
  const [reference] = references
  /** What the workflow lets users set. */
  const declared = findInputs(own ?? {}).inputs
  // The server would return an earlier image for a constant one, and rejects -1.
  const seed = request.seed ?? randomInt(seedLimit)
  /** Settles with the pending submission, without its error. */
  let submission: Promise<unknown> = Promise.resolve()
  let isSubmitting = false
  /** True from the submission until the job has ended, or was rejected. */
  let mayRun = false
  /** True if the job may have been submitted before. */
  let mayBeQueuedTwice = isResumed
  /** Names of the files that were uploaded for the job. */
  const uploaded = new Set<string>()

  // Both servers may have been started together, and ComfyUI takes longer.
  const limits = { maxOutageMs: isResumed ? timing.maxOutageMs : 0, pollMs: timing.pollMs, signal }
  await retryWhileDown(() => client.requireComfyUi(signal), limits)
  try {
    let finished = isResumed ? yield* resume() : null
    for (let submissions = 0; !finished; submissions += 1) {
      if (submissions === maxSubmissions) {
        throw new EngineError('engine_failed', 'the server lost the job repeatedly')
      }
      if (submissions > 0) warn('ComfyUI has lost a job; it is submitted again')
      finished = yield* submitAndFollow()
    }
    yield await complete(finished)
  } finally {
    if (!isLeftToOthers(signal)) {
      if (mayRun || mayBeQueuedTwice) await cancel()
      await blankUploads()
    }
  }

  /** @returns null if the server does not know the job */
  async function* resume(): AsyncGenerator<EngineEvent, FinishedJob | null> {
    mayRun = (await client.findJob(imageId, signal)).type !== 'unknown'
    if (!mayRun) return null
    for (const { name } of files()) uploaded.add(name)
    const workflow = await createWorkflow({})
    // Not connected: the server reports a job only to the client id that submitted it.
    return yield* follow(workflow, new JobFeed(imageId, workflow))
  }

  /** @returns null if the server has lost the job */
  async function* submitAndFollow(): AsyncGenerator<EngineEvent, FinishedJob | null> {
    const workflow = await createWorkflow(await upload())
    const feed = new JobFeed(imageId, workflow)
    const clientId = randomUUID()
    try {
      if (!(await feed.connect(client, clientId)))
        warn('no WebSocket to ComfyUI: the image has no previews and no progress')
      signal.throwIfAborted()
      const submitting = submit(workflow, clientId)
      isSubmitting = true
      submission = submitting.catch(() => {}).finally(() => (isSubmitting = false))
      const { error, skippedNodes } = await untilAborted(submitting, signal)
      const savers = Object.keys(workflow).filter((id) => workflow[id]?.class_type === 'SaveImage')
      if (error && savers.length > 0 && savers.every((id) => skippedNodes.has(id))) throw error
      return yield* follow(workflow, feed)
    } finally {
      feed.close()
    }
  }

  /** Does not end when the generation is aborted: only its end shows if there is a job to cancel. */
  async function submit(workflow: ComfyUiWorkflow, clientId: string): Promise<Submission> {
    mayRun = true
    const send = () => client.submit(imageId, workflow, clientId)
    try {
      return await send().catch((error: unknown) => findSubmitted(error, send))
    } catch (error) {
      const isAmbiguous = isTransient(error) && !isUnreachable(error)
      if (error instanceof EngineError && (error.code === 'engine_busy' || !isAmbiguous)) mayRun = false
      throw error
    }
  }

  /** Submits the job again after its connection was reset, unless the server has accepted it: it would run it twice. */
  async function findSubmitted(error: unknown, send: () => Promise<Submission>): Promise<Submission> {
    if (!(error instanceof EngineError) || error.facts.networkError !== 'ECONNRESET') throw error
    mayBeQueuedTwice = true
    await setTimeout(timing.pollMs)
    const { type } = await client.findJob(imageId, new AbortController().signal)
    if (type !== 'unknown') return { error: null, skippedNodes: new Set() }
    signal.throwIfAborted()
    return send()
  }

  /** Reports events until the job has ended. @returns null if the server does not know it */
  async function* follow(
    workflow: ComfyUiWorkflow,
    feed: JobFeed,
  ): AsyncGenerator<EngineEvent, FinishedJob | null> {
    const { pollMs, connectedPollMs, maxOutageMs, lostAfterMs } = timing
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
      if (feed.error) throw ended(feed.error)
      if (feed.hasEnded !== isEnding || feed.isConnected !== isConnected) pollAt = 0
      isEnding = feed.hasEnded
      isConnected = feed.isConnected
      if (performance.now() >= pollAt) {
        const state = await findJob(performance.now() - respondedAt < maxOutageMs)
        if (state) respondedAt = performance.now()
        if (state?.type === 'finished') {
          if (state.error) throw ended(state.error)
          return { workflow, outputs: state.outputs }
        }
        if (state?.type === 'unknown') {
          missingSince ??= performance.now()
          const isLost = performance.now() - missingSince >= lostAfterMs
          // The history was cleared.
          if ((isLost || isEnding) && feed.outputs.length > 0) return { workflow, outputs: feed.outputs }
          // A restarted server does not have the connection. This one has removed the job from its queue.
          if (isLost && (await feed.isAlive())) throw ended(interruptedError())
          if (isLost) return null
        } else {
          missingSince = null
        }
        const waitsForEvents = isConnected && missingSince === null
        pollAt = performance.now() + (isEnding ? endPollMs : waitsForEvents ? connectedPollMs : pollMs)
      }
      await feed.changed(pollAt - performance.now(), signal)
    }
  }

  /** @returns null if the server is down, and may be */
  async function findJob(mayBeDown: boolean): Promise<JobState | null> {
    try {
      return await client.findJob(imageId, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (mayBeDown && isTransient(error)) return null
      throw error
    }
  }

  function ended(error: EngineError): EngineError {
    mayRun = false
    return error
  }

  async function complete({ workflow, outputs }: FinishedJob): Promise<EngineEvent> {
    mayRun = false
    const output = chooseOutput(workflow, outputs)
    if (!output) throw new EngineError('engine_failed', 'the job ended without an image')
    const bytes = await client.download(output, signal)
    if (reference && upscale !== null) await requireEnlarged(bytes, reference, upscale)
    return { type: 'complete', bytes, settings: readSettings(workflow) }
  }

  /** Cancels the job, and continues in the background until the queue of the server does not have it any more. */
  async function cancel(): Promise<void> {
    await Promise.race([submission, setTimeout(submissionWaitMs, undefined, { ref: false })])
    // The submission was rejected meanwhile.
    if (!mayRun && !mayBeQueuedTwice) return
    if (!(await isCanceled())) void cancelLater(performance.now() + cancelDeadlineMs)
  }

  async function cancelLater(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      await setTimeout(timing.pollMs, undefined, { ref: false })
      if (await isCanceled()) return
    }
    warn('a canceled job still runs at ComfyUI')
  }

  function warn(message: string, facts: { readonly err?: unknown } = {}): void {
    options.log.warn({ imageId, ...facts }, message)
  }

  /** Cancels the job. @returns true if the server does not have it, or cannot be asked */
  async function isCanceled(): Promise<boolean> {
    const isSubmitted = !isSubmitting
    try {
      return (await client.cancel(imageId)) && isSubmitted
    } catch (err) {
      warn('a job could not be canceled at ComfyUI, and may still run', { err })
      return isUnreachable(err)
    }
  }

  /** Replaces the uploaded files by one pixel, as the server cannot delete them. */
  async function blankUploads(): Promise<void> {
    const hasImages = reference !== undefined || Object.keys(parameterImages).length > 0
    if (!hasImages || uploaded.size === 0) return
    const limited = AbortSignal.timeout(cancelDeadlineMs)
    try {
      const pixel = await plainImage({ width: 1, height: 1 }, 'black')
      for (const name of uploaded) await client.upload(name, pixel, limited)
    } catch (err) {
      warn('reference images could not be removed from ComfyUI', { err })
    }
  }

  async function createWorkflow({ images = {}, inputs = {} }: Partial<Uploads>): Promise<ComfyUiWorkflow> {
    const { prompt, negativePrompt, model, strength, parameters, loras } = request
    const { steps, sampler, scheduler, cfgScale } = options
    const upscaler = upscale === null ? undefined : await client.findUpscaler(signal)
    if (upscaler === null) throw new EngineError('engine_misconfigured', 'the server has no upscale model')
    const source = !reference ? 'text' : mask ? 'mask' : 'image'
    const variant = upscale === null ? source : 'upscale'
    const used = upscale === null ? own : null
    const filled = fillWorkflow(used ?? builtInWorkflow(variant, `rangoli/${imageId}`), {
      prompt: withoutTags(prompt, offered),
      negativePrompt: withoutTags(negativePrompt, offered),
      seed,
      ...(await size()),
      steps: steps ?? defaults.steps,
      sampler: sampler ?? defaults.sampler,
      scheduler: scheduler ?? defaults.scheduler,
      cfgScale: cfgScale ?? defaults.cfgScale,
      model: upscaler ?? model ?? options.model ?? '',
      // A workflow for reference images generates from noise if nothing of the image is kept.
      strength: source === 'text' ? 1 : (strength ?? defaults.strength),
      ...images,
    })
    const plain = Object.entries(parameters).map(
      ([name, value]) => [name, typeof value === 'string' ? withoutTags(value, offered) : value] as const,
    )
    const set = setInputs(filled, declared, { ...Object.fromEntries(plain), ...inputs })
    if (loras.length === 0) return set
    return insertLoras(set, chooseLoras(loras, await client.listLoras(offered, signal)))
  }

  async function size(): Promise<Size> {
    if (reference && upscale !== null) return sizeOf(reference, upscale)
    return chooseSize(request, defaultSize)
  }

  /** Lists the files that the workflow takes. @throws EngineError if it requires a reference image, and there is none */
  function files(): readonly WorkflowFile[] {
    if (reference && upscale !== null)
      return [{ value: 'image', name: `${imageId}.jpg`, read: () => Promise.resolve(reference) }]
    if (!own) {
      const read = async () => fitReference(reference ?? Buffer.of(), mask, await size())
      return reference ? [{ value: 'image', name: `${imageId}.png`, read }] : []
    }
    const places = findPlaces(own)
    const inputs = Object.entries(parameterImages).map(([input, bytes], index) => {
      return { input, name: `${imageId}-input-${index}.jpg`, read: () => Promise.resolve(bytes) }
    })
    if (!places.has('image')) return inputs
    if (!reference && !places.has('strength')) {
      const message = 'This engine needs a reference image. Add one and try again.'
      throw new EngineError('engine_failed', 'the workflow requires a reference image', {}, message)
    }
    const read = async () => reference ?? plainImage(await size(), 'gray')
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
  async function upload(): Promise<Uploads> {
    const uploads: Uploads = { images: {}, inputs: {} }
    for (const { name, read, ...file } of files()) {
      const bytes = await read()
      uploaded.add(name)
      const value = await client.upload(name, bytes, signal)
      if ('input' in file) uploads.inputs[file.input] = value
      else uploads.images[file.value] = value
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

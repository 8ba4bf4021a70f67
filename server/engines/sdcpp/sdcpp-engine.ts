import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineConfig } from '../../config/engine-section.ts'
import { untilAborted } from '../../tasks/shared-task.ts'
import { submissionWaitMs } from '../engine-client.ts'
import { EngineError, interruptedError, unknownModel } from '../engine-error.ts'
import { decodeImage, retryWhileDown, toBase64 } from '../engine-http.ts'
import {
  type EngineEvent,
  type EngineRequest,
  type ImageEngine,
  isLeftToOthers,
  knownSettings,
} from '../image-engine.ts'
import { chooseSize } from '../image-sizes.ts'
import { chooseLoras, withPlainPrompts } from '../loras.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { samplingOf, serverCapabilities, type ServerModel } from './capabilities.ts'
import { SdCppClient } from './sdcpp-client.ts'

export type SdCppEngineOptions = EngineConfig<'sdcpp'> & {
  readonly log: Logger
  /** Interval at which a job is looked up, in milliseconds; a second by default. */
  readonly pollMs?: number
}

/** Time for which the server may be down while it has a job, in milliseconds: it loads its model before it listens. */
const maxOutageMs = 120_000

/**
 * Creates an engine for the jobs of stable-diffusion.cpp's `sd-server`, which has them in memory under ids of its own.
 *
 * @see https://github.com/leejet/stable-diffusion.cpp/blob/master/examples/server/api.md
 */
export function createSdCppEngine(options: SdCppEngineOptions): ImageEngine {
  const { log, pollMs = 1_000 } = options
  const client = new SdCppClient(options)

  /** One image: submits a job, or follows the one of an earlier process, until it has ended. */
  async function* generate(request: EngineRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    const { isResumed, imageId, model: wanted, parameters } = request
    let { jobId } = request
    // The server may have the job under an id that was not stored: it is not submitted again.
    if (isResumed && jobId === null) throw interruptedError()
    // Always sent, as the server does not report one that it chooses; the same in every attempt.
    const seed = request.seed ?? Number.parseInt(imageId.slice(-8), 16)
    let submission: Promise<string | null> = Promise.resolve(jobId)
    let isStored = true
    let image: string | null = null
    try {
      const read = () => client.readModel(signal)
      // Both servers may have been started together.
      const model = isResumed ? await retryWhileDown(read, { maxOutageMs, pollMs, signal }) : await read()
      if (wanted !== null && wanted !== model.name) throw unknownModel('the server has another model', wanted)
      const size = await chooseSize(request, model.size)
      for (let losses = 0; image === null; losses += 1) {
        if (losses > 1) throw new EngineError('engine_failed', 'the server lost the job repeatedly')
        if (jobId === null) {
          const body = createBody(model, { ...withPlainPrompts(request, options.loras), size, seed })
          signal.throwIfAborted()
          isStored = false
          // Does not end when the generation is aborted: only its end shows if there is a job to cancel.
          const submitting = client.submit(body)
          submission = submitting.catch(() => null)
          jobId = await untilAborted(submitting, signal)
          yield { type: 'submitted', jobId }
          isStored = true
        }
        image = yield* follow(jobId, signal)
        jobId = null
      }
      const used = samplingOf(model, parameters)
      const named = (name: string) => (name === 'default' ? null : name)
      const settings = knownSettings({
        model: model.name,
        seed,
        steps: used.sample_steps,
        sampler: named(used.sample_method),
        scheduler: named(used.scheduler),
        cfgScale: used.guidance.txt_cfg,
        size: `${size.width}x${size.height}`,
      })
      yield { type: 'complete', bytes: decodeImage(image), settings }
    } finally {
      if (image === null && !(isStored && isLeftToOthers(signal))) {
        const canceled = await Promise.race([submission, setTimeout(submissionWaitMs, null, { ref: false })])
        const warn = (err: unknown) => log.warn({ imageId, err }, 'a canceled job may still run at sd-server')
        if (canceled !== null) await client.cancel(canceled).catch(warn)
      }
    }
  }

  /** Reports events until a job has ended. @returns the image in base64; null if the server has lost the job */
  async function* follow(jobId: string, signal: AbortSignal): AsyncGenerator<EngineEvent, string | null> {
    for (let reported: number | null = null; ;) {
      const job = await retryWhileDown(() => client.findJob(jobId, signal), { maxOutageMs, pollMs, signal })
      if (job === null || job.image !== null) return job && job.image
      if (job.ahead !== reported) yield { type: 'waiting', ahead: job.ahead }
      reported = job.ahead
      await setTimeout(pollMs, undefined, { signal })
    }
  }

  return createProviderEngine(options, client.server, {
    capabilities: serverCapabilities,
    hasModelDetails: true,
    serialKey: client.serverKey,
    canResume: true,
    async check(signal) {
      const { name, details } = await client.readModel(signal)
      return { models: [name], capabilities: details.capabilities, modelDetails: { [name]: details } }
    },
    generate,
  })
}

function createBody(model: ServerModel, request: EngineRequest) {
  const { prompt, negativePrompt, size, seed, references, mask, strength, parameters, loras } = request
  const [reference] = references
  const { hires_upscaler: upscaler } = parameters
  return {
    prompt,
    ...(negativePrompt !== '' && { negative_prompt: negativePrompt }),
    ...size,
    seed,
    batch_count: 1,
    ...(reference && { init_image: toBase64(reference) }),
    ...(reference && strength !== null && { strength }),
    ...(mask && { mask_image: toBase64(mask) }),
    ...(loras.length > 0 && {
      lora: chooseLoras(loras, model.loras).map(({ value, weight }) => ({ path: value, multiplier: weight })),
    }),
    sample_params: samplingOf(model, parameters),
    // By the factor that the server was started with.
    ...(upscaler !== undefined && { hires: { enabled: true, upscaler } }),
    output_format: 'png',
    embed_image_metadata: false,
  }
}

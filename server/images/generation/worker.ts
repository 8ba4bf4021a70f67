import type { Logger } from 'pino'
import { dimensions } from '../../../shared/engines.ts'
import { errors } from '../../../shared/errors.ts'
import { applyTemplate } from '../../../shared/styles.ts'
import { originalFile } from '../../../shared/image-files.ts'
import type { EngineEvent, EngineRequest, ImageEngine, ReportedSettings } from '../../engines/image-engine.ts'
import { selectVisiblePost } from '../../access/visible-post.ts'
import { AppError } from '../../errors/app-error.ts'
import { sniffFormat } from '../../formats/image-files.ts'
import type { ImageOrigin, SignImage } from '../../formats/signing.ts'
import type { ImageProducer } from '../../formats/xmp.ts'
import type { Reservation } from '../../storage/blob-store.ts'
import { type ImageRow, parameterImagesOf, storedRecipe, type StoredRecipe } from '../images.ts'
import { imageFromEngine } from '../processing.ts'
import type { Needs } from '../services.ts'
import { discardFolder } from '../stored-images.ts'
import type { GenerationJob } from './job.ts'
import { retryStorage } from '../../tasks/retry-storage.ts'
import { timeoutSignal, untilAborted } from '../../tasks/shared-task.ts'
import {
  markCanceled,
  markFailed,
  markRunning,
  markSucceeded,
  releaseClaim,
  storeJobId,
  type Lease,
} from './states.ts'

/** Returns the maximum size of an image with its thumbnails, in bytes. A provider's has at most 32 MB, and is kept beside a JPEG if it is signed. */
export function imageMaxBytes({ kind }: Pick<ImageEngine, 'kind'>): number {
  return (kind === 'rangoli' ? 2 : 66) * 1024 * 1024
}

export interface WorkerServices extends Needs<'db' | 'blobs' | 'log' | 'now' | 'readOptions' | 'engines'> {
  /** Timeout of one generation, in seconds. */
  readonly imageTimeout: number
  /** Called with the outcome of each job: `succeeded`, `canceled`, or the code of its failure. */
  readonly onFinished?: (outcome: string) => void
  /** Time during which storing a generated image is retried, in milliseconds; ten minutes by default. */
  readonly storageRetryMs?: number
  /** Signs images; null: they are not signed. */
  readonly sign?: SignImage | null
}

/**
 * Creates the function that runs a claimed job until its final state is recorded. Errors of the generation are recorded in
 * its row and in the log, not thrown. Once `shutdown` is aborted, the server waits no longer; while it `handsOver`, what
 * was not sent is left to other processes.
 */
export function createWorker(
  services: WorkerServices,
  { lease, shutdown, handsOver }: { lease: Lease; shutdown: AbortSignal; handsOver: () => boolean },
) {
  const { db, engines, log, now } = services

  return async function run(job: GenerationJob): Promise<void> {
    const { imageId, cancellation, loss } = job
    const engine = engines.get(job.row.engine ?? '')
    let wasSent = job.row.started_at !== null
    try {
      if (!engine) throw new AppError('engine_misconfigured')
      // The id may name another engine since the prompt was sent.
      if (wasSent && !engine.canResume) throw new AppError('interrupted')
      shutdown.throwIfAborted()
      const space = await services.blobs.reserve(imageMaxBytes(engine))
      try {
        if (handsOver()) return void (await releaseClaim(db, imageId, lease))
        const request = await toEngineRequest(services, job.row)
        const row = await markRunning(db, imageId, lease, now())
        // Canceled or deleted meanwhile, which is recorded already.
        if (!row) return
        job.emit({ type: 'changed', id: imageId, row })
        job.emit({ type: 'progress', id: imageId, progress: 0 })
        const timeout = timeoutSignal(services.imageTimeout * 1_000)
        const signal = AbortSignal.any([shutdown, cancellation.signal, loss.signal, timeout])
        signal.throwIfAborted()
        wasSent = true
        const report = reporterOf(job, (jobId) =>
          retryStorage(() => storeJobId(db, imageId, lease, jobId), untilShutdown(log, signal, imageId)),
        )
        const generated = await runEngine(engine, request, signal, report)
        job.emit({ type: 'progress', id: imageId, progress: 1 })
        await store(job, engine, generated, space)
      } finally {
        await space.release()
      }
    } catch (error) {
      await finishWithError(job, error, { wasSent, canResume: engine?.canResume ?? false })
    }
  }

  /**
   * Keeps the job's slot while it waits for storage, which limits the images in memory. Also stores the image if the lease
   * was lost meanwhile, as it is paid for.
   */
  async function store(
    job: GenerationJob,
    engine: ImageEngine,
    { bytes, settings }: GeneratedImage,
    space: Reservation,
  ): Promise<void> {
    const { imageId, cancellation } = job
    const recipe = completed(storedRecipe(job.row), settings, job.row.prompt)
    const model = settings.model?.slice(0, settingMax) || recipe.model || engine.model
    const producer = { kind: engine.kind, model }
    const retry = {
      timeoutMs: services.storageRetryMs ?? 10 * 60 * 1_000,
      signal: AbortSignal.any([shutdown, cancellation.signal]),
      onFirstError: (err: Error) => log.error({ err, imageId }, 'storing a generated image failed; retrying'),
    }
    const origin = services.sign && (await retryStorage(() => originOf(job.row), retry))
    const image = await imageFromEngine(bytes, producer, async (jpeg) =>
      origin ? sign(imageId, jpeg, producer, origin) : jpeg,
    )
    const folder = await retryStorage(() => services.blobs.put(image.files, space), retry)
    const { blobs, readOptions } = services
    const { cost } = settings
    const stored = { folder, image, model, recipe, cost, blobs, now: now(), readOptions }
    const row = await retryStorage(() => markSucceeded(db, imageId, lease, stored), retry)
    services.onFinished?.(row ? 'succeeded' : 'canceled')
    if (!row) return discardFolder({ blobs, log }, folder)
    job.emit({ type: 'changed', id: imageId, row })
  }

  async function originOf(row: ImageRow): Promise<ImageOrigin> {
    // The address of an unlisted post is for those who have it.
    const remixed =
      row.remix_of !== null &&
      (await selectVisiblePost(db, row.remix_of, null).where('visibility', '=', 'public').executeTakeFirst())
    const recipe = storedRecipe(row)
    const { sourceImageId, referenceImageIds = [] } = recipe
    const sources = sourceImageId === undefined ? 0 : 1
    const references = sources + referenceImageIds.length + parameterImagesOf(recipe).length
    return { references, remixOf: remixed ? remixed.id : null }
  }

  /** Signs a JPEG; returns it as it is if that fails, as it is paid for. */
  async function sign(imageId: string, jpeg: Uint8Array, producer: ImageProducer, origin: ImageOrigin) {
    try {
      return (await services.sign?.(jpeg, producer, origin)) ?? jpeg
    } catch (err) {
      log.error({ err, imageId }, 'a generated image could not be signed; it is stored without')
      return jpeg
    }
  }

  async function finishWithError(
    job: GenerationJob,
    error: unknown,
    { wasSent, canResume }: { readonly wasSent: boolean; readonly canResume: boolean },
  ): Promise<void> {
    const { imageId, loss } = job
    if (loss.signal.aborted) {
      log.warn({ imageId }, 'a generation was abandoned: its lease had expired, or its image was deleted')
      return
    }
    const failure = toFailure(error)
    const { code, retryAfter } = failure
    const isLeft = code === 'interrupted' && canResume && wasSent
    if (isLeft) log.info({ imageId }, 'a generation is left to the next process')
    else services.onFinished?.(code)
    if (!isLeft && code !== 'canceled')
      log.error(
        { err: failure.cause ?? failure, imageId, engine: job.row.engine, failure: code },
        'a generation failed',
      )
    // Not refunded once the prompt was sent, as the provider charges for it.
    const record = () => {
      if (isLeft) return releaseClaim(db, imageId, lease)
      if (code === 'canceled') return markCanceled(db, imageId, lease, { wasSent, now: now() })
      const { readOptions } = services
      return markFailed(db, imageId, lease, code, { detail: detailOf(failure), now: now(), readOptions })
    }
    try {
      const row = await retryStorage(record, untilShutdown(log, shutdown, imageId))
      if (row) job.emit({ type: 'changed', id: imageId, row, retryAfter })
    } catch (err) {
      // Settled when the lease has expired, or at the next start.
      log.error({ err, imageId }, 'the end of a generation could not be recorded')
    }
  }
}

/** Creates options of `retryStorage` that retry until a signal, such as that of the shutdown. */
export function untilShutdown(log: Logger, shutdown: AbortSignal, imageId?: string) {
  return {
    timeoutMs: Infinity,
    signal: shutdown,
    onFirstError: (err: Error) =>
      log.error({ err, imageId }, 'recording the state of a generation failed; retrying'),
  }
}

interface GeneratedImage {
  readonly bytes: Uint8Array
  readonly settings: ReportedSettings
}

type UnfinishedEvent = Exclude<EngineEvent, { readonly type: 'complete' }>

/**
 * Generates an image.
 * @throws the reason of `signal` at once, even if the engine ignores it; AppError `engine_failed` without an image;
 *   errors of the engine
 */
export function runEngine(
  engine: ImageEngine,
  request: EngineRequest,
  signal: AbortSignal,
  onEvent?: (event: UnfinishedEvent) => Promise<void>,
): Promise<GeneratedImage> {
  async function lastImage(): Promise<GeneratedImage> {
    for await (const event of engine.generate(request, signal)) {
      if (event.type === 'complete') return { bytes: event.bytes, settings: event.settings ?? {} }
      await onEvent?.(event)
    }
    throw new AppError('engine_failed', undefined, {
      cause: new Error('The engine ended without an image.'),
    })
  }
  return untilAborted(lastImage(), signal)
}

/** Least difference of two reported fractions. */
const progressStep = 0.01

/** Reports what an engine reports to the subscribers of a job, and stores the id that it has at the engine's server. */
function reporterOf(job: GenerationJob, storeId: (jobId: string) => Promise<void>) {
  const { imageId: id } = job
  let reported = 0
  return async (event: UnfinishedEvent): Promise<void> => {
    if (event.type === 'submitted') return storeId(event.jobId)
    if (event.type === 'waiting') {
      const { ahead: position } = event
      if (position === null) job.emit({ type: 'progress', id, progress: 0 })
      else job.emit({ type: 'queue', id, position, waitSeconds: null, isSent: true })
    } else if (event.type === 'progress') {
      const { progress } = event
      if (!(progress >= reported + progressStep && progress <= 1)) return
      reported = progress
      job.emit({ type: 'progress', id, progress })
    } else {
      const format = sniffFormat(event.bytes)
      if (!format) return
      const dataUrl = `data:image/${format};base64,${Buffer.from(event.bytes).toString('base64')}`
      job.emit({ type: 'preview', id, dataUrl })
    }
  }
}

/**
 * Builds the request for an image from its row.
 * @throws AppError `not_found` for a deleted reference image; `storage_unavailable`
 */
async function toEngineRequest({ db, blobs }: Needs<'db' | 'blobs'>, row: ImageRow): Promise<EngineRequest> {
  const recipe = storedRecipe(row)
  const [width, height] = recipe.size === undefined ? [] : dimensions(recipe.size)

  async function read(id: string): Promise<Uint8Array> {
    const image = await db
      .selectFrom('images')
      .select('folder')
      .where('id', '=', id)
      .where('owner_id', '=', row.owner_id)
      .where('hidden_at', 'is', null)
      .where('trashed_at', 'is', null)
      .executeTakeFirst()
    const bytes = image?.folder ? await blobs.read(image.folder, originalFile) : null
    if (!bytes) throw new AppError('not_found', 'A reference image has been deleted.')
    return bytes
  }

  return {
    imageId: row.id,
    prompt: recipe.style ? applyTemplate(recipe.style, row.prompt) : row.prompt,
    negativePrompt: recipe.negativePrompt ?? '',
    model: recipe.model ?? null,
    size: width === undefined || height === undefined ? null : { width, height },
    seed: recipe.seed ?? null,
    references: await Promise.all(
      [recipe.sourceImageId ?? [], recipe.referenceImageIds ?? []].flat().map(read),
    ),
    mask: recipe.maskImageId === undefined ? null : await read(recipe.maskImageId),
    strength: recipe.strength ?? null,
    parameters: recipe.parameters ?? {},
    parameterImages: Object.fromEntries(
      await Promise.all(
        parameterImagesOf(recipe).map(async ([name, imageId]) => [name, await read(imageId)] as const),
      ),
    ),
    loras: recipe.loras ?? [],
    upscale: recipe.upscale ?? null,
    isResumed: row.started_at !== null,
    jobId: row.engine_job,
  }
}

/** Maximum length of a reported text, in UTF-16 code units. */
const settingMax = 200

/** Adds what the engine reports to the requested settings. @param prompt without the words of a style, which are not reported */
function completed(recipe: StoredRecipe, settings: ReportedSettings, prompt: string): StoredRecipe {
  const { seed, steps, sampler, scheduler, cfgScale, size, drawnFrom, notDrawn } = settings
  const isTyped = (word: string) => !recipe.style || prompt.includes(word)
  return {
    ...recipe,
    ...(Number.isSafeInteger(seed) && { seed }),
    ...(Number.isSafeInteger(steps) && { steps }),
    ...(sampler && { sampler: sampler.slice(0, settingMax) }),
    ...(scheduler && { scheduler: scheduler.slice(0, settingMax) }),
    ...(Number.isFinite(cfgScale) && { cfgScale }),
    ...(size && { size }),
    ...(drawnFrom && { drawnFrom: drawnFrom.filter(isTyped) }),
    ...(notDrawn && { notDrawn: notDrawn.filter(isTyped) }),
  }
}

/** Converts an error of a job to an error with a code, which is stored in the row. */
function toFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  return new AppError(isTimeout ? 'engine_timeout' : 'engine_failed', undefined, { cause: error })
}

/** Maximum length of a stored message, in UTF-16 code units. */
const detailMax = 500

/** Returns the message of a failure if it says more than its code; else null. */
function detailOf({ code, message }: AppError): string | null {
  return message === errors[code].message ? null : message.slice(0, detailMax)
}

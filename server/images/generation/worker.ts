import type { Logger } from 'pino'
import type { EngineKind } from '../../../shared/engines.ts'
import { originalFile } from '../../../shared/image-files.ts'
import type { Database } from '../../db/open-database.ts'
import { defaultRequest, type EngineRequest, type ImageEngine } from '../../engines/image-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { sniffFormat } from '../../formats/sniff-format.ts'
import type { BlobStore, Reservation } from '../../storage/blob-store.ts'
import { imageFromEngine } from '../processing.ts'
import type { GenerationJob } from './job.ts'
import { retryStorage } from './retry-storage.ts'
import { markCanceled, markFailed, markRunning, markSucceeded, releaseClaim, type Lease } from './states.ts'

/** Maximum size of an image with its thumbnails, in bytes. A provider's image has at most 32 MB. */
export const sizeLimitOf: Readonly<Record<EngineKind, number>> = {
  rangoli: 2 * 1024 * 1024,
  openai: 34 * 1024 * 1024,
  automatic1111: 34 * 1024 * 1024,
  comfyui: 34 * 1024 * 1024,
  chat: 34 * 1024 * 1024,
}

/** Default of `storageRetryMs`. */
const tenMinutes = 10 * 60 * 1_000

export interface WorkerServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly log: Logger
  readonly now: () => number
  readonly dailyImageLimit: number
  /** Timeout of one generation, in seconds. */
  readonly imageTimeout: number
  /** Called with the outcome of each job: `succeeded`, `canceled`, or the code of its failure. */
  readonly onFinished?: (outcome: string) => void
  /** Time during which storing a generated image is retried, in milliseconds. */
  readonly storageRetryMs?: number
}

/** What a job needs to know of its process. */
export interface WorkerProcess {
  readonly lease: Lease
  /** Aborted when the server no longer waits for running jobs. */
  readonly shutdown: AbortSignal
  /** Checks whether generations that were not sent yet are left to other processes. */
  readonly handsOver: () => boolean
}

/**
 * Creates the function that runs a claimed job until its final state is recorded. The function never throws: errors are
 * recorded in the row and in the log.
 */
export function createWorker(services: WorkerServices, { lease, shutdown, handsOver }: WorkerProcess) {
  const { db, engine, log, now } = services

  return async function run(job: GenerationJob): Promise<void> {
    const { imageId, cancellation, loss } = job
    let wasSent = false
    try {
      shutdown.throwIfAborted()
      const space = await services.blobs.reserve(sizeLimitOf[engine.kind])
      try {
        if (handsOver()) return await releaseClaim(db, imageId, lease)
        const row = await markRunning(db, imageId, lease, now())
        // Canceled or deleted meanwhile, which is recorded already.
        if (!row) return
        job.emit({ type: 'changed', id: imageId, row })
        job.emit({ type: 'progress', id: imageId, progress: 0 })
        const timeout = AbortSignal.timeout(services.imageTimeout * 1_000)
        const signal = AbortSignal.any([shutdown, cancellation.signal, loss.signal, timeout])
        signal.throwIfAborted()
        wasSent = true
        const bytes = await runEngine(engine, defaultRequest(imageId, job.prompt), signal, (preview) => {
          const dataUrl = toDataUrl(preview)
          if (dataUrl) job.emit({ type: 'preview', id: imageId, dataUrl })
        })
        job.emit({ type: 'progress', id: imageId, progress: 1 })
        await store(job, bytes, space)
      } finally {
        await space.release()
      }
    } catch (error) {
      await finishWithError(job, error, wasSent)
    }
  }

  /**
   * Keeps the job's slot while it waits for storage, which limits the images in memory. Also stores the image if the lease
   * was lost meanwhile, as it is paid for.
   */
  async function store(job: GenerationJob, bytes: Uint8Array, space: Reservation): Promise<void> {
    const { imageId, cancellation } = job
    const image = await imageFromEngine(bytes, engine)
    const retry = {
      timeoutMs: services.storageRetryMs ?? tenMinutes,
      signal: AbortSignal.any([shutdown, cancellation.signal]),
      onFirstError: (err: Error) => log.error({ err, imageId }, 'storing a generated image failed; retrying'),
    }
    const folder = await retryStorage(() => services.blobs.put(image.files, space), retry)
    const { blobs, dailyImageLimit } = services
    const stored = { folder, image, blobs, now: now(), dailyImageLimit }
    const row = await retryStorage(() => markSucceeded(db, imageId, lease, stored), retry)
    services.onFinished?.(row ? 'succeeded' : 'canceled')
    if (!row) return services.blobs.remove(folder)
    job.emit({ type: 'changed', id: imageId, row, original: image.files[originalFile] })
  }

  async function finishWithError(job: GenerationJob, error: unknown, wasSent: boolean): Promise<void> {
    const { imageId, loss } = job
    if (loss.signal.aborted) {
      log.warn({ imageId }, 'a generation was abandoned: its lease had expired, or its image was deleted')
      return
    }
    const failure = toFailure(error)
    const { code, retryAfter } = failure
    services.onFinished?.(code)
    if (code !== 'canceled') {
      log.error({ err: failure.cause ?? failure, imageId, failure: code }, 'a generation failed')
    }
    // Not refunded once the prompt was sent, as the provider charges for it.
    const record = () =>
      code === 'canceled'
        ? markCanceled(db, imageId, lease, { wasSent, now: now() })
        : markFailed(db, imageId, lease, code, { now: now(), blockedLimit: services.dailyImageLimit })
    try {
      const row = await retryStorage(record, untilShutdown(log, shutdown, imageId))
      if (row) job.emit({ type: 'changed', id: imageId, row, retryAfter })
    } catch (err) {
      // Settled when the lease has expired, or at the next start.
      log.error({ err, imageId }, 'the end of a generation could not be recorded')
    }
  }
}

/** Creates options of `retryStorage` that retry until shutdown. */
export function untilShutdown(log: Logger, shutdown: AbortSignal, imageId?: string) {
  return {
    timeoutMs: Infinity,
    signal: shutdown,
    onFirstError: (err: Error) =>
      log.error({ err, imageId }, 'recording the end of a generation failed; retrying'),
  }
}

/**
 * Generates an image with an engine.
 *
 * @param onPreview called with the bytes of each intermediate image
 * @returns the bytes of the image
 * @throws the reason of `signal` as soon as it is aborted, even if the engine ignores it; AppError `engine_failed` if the
 *   engine ends without an image; errors of the engine
 */
export function runEngine(
  engine: ImageEngine,
  request: EngineRequest,
  signal: AbortSignal,
  onPreview: (bytes: Uint8Array) => void = () => {},
): Promise<Uint8Array> {
  async function lastImage(): Promise<Uint8Array> {
    for await (const event of engine.generate(request, signal)) {
      if (event.type === 'complete') return event.bytes
      if (event.type === 'partial') onPreview(event.bytes)
    }
    throw new AppError('engine_failed', undefined, {
      cause: new Error('The engine ended without an image.'),
    })
  }
  return Promise.race([lastImage(), whenAborted(signal)])
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const rejectWithReason = () => reject(signal.reason as Error)
    if (signal.aborted) rejectWithReason()
    else signal.addEventListener('abort', rejectWithReason, { once: true })
  })
}

/** Encodes a JPEG, PNG or WebP as a data URL. Returns null for other formats. */
function toDataUrl(bytes: Uint8Array): string | null {
  const format = sniffFormat(bytes)
  return format && `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`
}

/** Converts an error of a job to an error with a code, which is stored in the row. */
function toFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  return new AppError(isTimeout ? 'engine_timeout' : 'engine_failed', undefined, { cause: error })
}

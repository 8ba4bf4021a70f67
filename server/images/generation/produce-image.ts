import { AppError } from '../../errors/app-error.ts'
import type { Logger } from 'pino'
import type { Database } from '../../db/open-database.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import type { BlobStore, Reservation } from '../../storage/blob-store.ts'
import { markCancelled, markFailed, markReady, markStarted } from './finish-generation.ts'
import type { GenerationJob } from './generation-job.ts'
import { asGenerationFailure } from './generation-outcome.ts'
import { imageFromEngine } from '../processing.ts'
import { imageDataUrl } from '../image-data-url.ts'
import { runEngine } from './run-engine.ts'
import { retryStorage } from './retry-storage.ts'

/** The most bytes that one image takes with its thumbnails: a provider's is at most 32 MB, ours are small. */
export const sizeLimitOf: Readonly<Record<ImageEngine['name'], number>> = {
  openai: 34 * 1024 * 1024,
  rangoli: 2 * 1024 * 1024,
}

/** The usual `storageRetryMs`. */
const tenMinutes = 10 * 60 * 1_000

export interface ProduceServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly log: Logger
  readonly now: () => number
  readonly dailyImageLimit: number
  /** Seconds that one image may take. */
  readonly imageTimeout: number
  /** Told how each job ended: `ready`, `cancelled`, or the code of its failure. */
  readonly ended?: (outcome: string) => void
  /** How long an image that was paid for is kept in memory while the disk takes nothing, in milliseconds. */
  readonly storageRetryMs?: number
}

/**
 * Makes the image of a job whose turn has come, from asking the engine to the row that says how it ended. It never
 * throws: what went wrong is in the row and in the log.
 *
 * @param shutdown aborted when the server waits no longer
 */
export function createImageProducer(services: ProduceServices, shutdown: AbortSignal) {
  const { db, engine, log, now } = services

  async function make(job: GenerationJob): Promise<void> {
    let wasSent = false
    try {
      await start(job)
      // Whoever waits is told at once that the server stops: their connections are about to be closed.
      shutdown.throwIfAborted()
      const reservation = await services.blobs.reserve(sizeLimitOf[engine.name])
      try {
        const budget = AbortSignal.timeout(services.imageTimeout * 1_000)
        const signal = AbortSignal.any([shutdown, job.cancellation.signal, budget])
        signal.throwIfAborted()
        wasSent = true
        const bytes = await runEngine(engine, job.prompt, signal, (preview) => emitPreview(job, preview))
        await store(job, bytes, reservation)
      } finally {
        reservation.release()
      }
    } catch (error) {
      await giveUp(job, error, wasSent)
    }
  }

  async function start(job: GenerationJob): Promise<void> {
    const startedAt = now()
    job.tell({ type: 'started', startedAt: new Date(startedAt).toISOString() })
    // Its user may have been forgotten while it waited, by another process of this folder too.
    if (!(await markStarted(db, job.imageId, startedAt))) throw new AppError('cancelled')
  }

  /** What waits here keeps its slot, so that no more images are paid for than can be kept in memory. */
  async function store(
    { imageId, cancellation }: GenerationJob,
    bytes: Uint8Array,
    reservation: Reservation,
  ): Promise<void> {
    const image = await imageFromEngine(bytes, engine)
    const waiting = {
      patience: services.storageRetryMs ?? tenMinutes,
      signal: AbortSignal.any([shutdown, cancellation.signal]),
      failed: (err: Error) => log.error({ err, imageId }, 'an image that was made waits to be stored'),
    }
    const folder = await retryStorage(() => services.blobs.put(image.files, reservation), waiting)
    const stored = { folder, image, now: now() }
    const isCached = await retryStorage(() => markReady(db, imageId, stored), waiting)
    if (!isCached) await services.blobs.remove(folder)
    services.ended?.(isCached ? 'ready' : 'cancelled')
  }

  async function giveUp(job: GenerationJob, error: unknown, wasSent: boolean): Promise<void> {
    const failure = asGenerationFailure(error)
    services.ended?.(failure.code)
    job.retryAfter = failure.retryAfter
    const { imageId } = job
    const record = async () => {
      // Once the engine was asked, who made it work pays for it: the place of the day is not given back.
      if (failure.code === 'cancelled') await markCancelled(db, imageId, { wasSent, now: now() })
      else await markFailed(db, imageId, failure.code, { now: now(), blockedLimit: services.dailyImageLimit })
    }
    if (failure.code !== 'cancelled') {
      log.error({ err: failure.cause ?? failure, imageId, failure: failure.code }, 'no image was made')
    }
    try {
      await retryStorage(record, whileRunning(log, shutdown, imageId))
    } catch (err) {
      // The row stays 'generating' and is mended by the next start; watchers are told by their own read of it.
      log.error({ err, imageId }, 'how an image ended could not be recorded')
    }
  }

  return make
}

function emitPreview(job: GenerationJob, bytes: Uint8Array): void {
  const photo = imageDataUrl(bytes)
  if (photo) job.tell({ type: 'partial', photo })
}

/** Waiting for rows that have to be written some day: as long as the server runs. */
export function whileRunning(log: Logger, shutdown: AbortSignal, imageId?: string) {
  return {
    patience: Infinity,
    signal: shutdown,
    failed: (err: Error) => log.error({ err, imageId }, 'how images ended waits to be recorded'),
  }
}

import { originalFile } from '../../../shared/image-files.ts'
import type { Image } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { AppError, isStorageError } from '../../errors/app-error.ts'
import { abandoned } from '../../tasks/shared-task.ts'
import { findOwnImage, noSuchImage, toImage, type ImageRow, type Owned } from '../images.ts'
import { createGenerationQueue, type GenerationQueue } from './generation-queue.ts'
import { GenerationJob } from './job.ts'
import { retryStorage } from './retry-storage.ts'
import {
  failInterrupted,
  insertQueued,
  markCanceled,
  unfinishedStates,
  type GenerationRequest,
} from './states.ts'
import { usualSeconds } from './usual-duration.ts'
import { watchImages, type WatchEvent } from './watch.ts'
import { createWorker, sizeLimitOf, untilShutdown, type WorkerServices } from './worker.ts'

/** Maximum number of queued jobs. */
const queueLength = 100

interface GenerationServices extends WorkerServices {
  readonly dailyImageTotal: number | null
  readonly imageConcurrency: number
}

/** Runs the generations of this process. */
export class Generations {
  readonly #services: GenerationServices
  readonly #shutdown = new AbortController()
  readonly #jobs = new Map<string, GenerationJob>()
  readonly #queue: GenerationQueue<GenerationJob>
  /** Pending insertions, which `stop` and `cancelAll` wait for. */
  readonly #inserting = new Set<Promise<unknown>>()
  #isStopping = false

  constructor(services: GenerationServices) {
    this.#services = services
    const run = createWorker(services, this.#shutdown.signal)
    this.#queue = createGenerationQueue<GenerationJob>(
      services.imageConcurrency,
      (job) => job.inRequestScope(() => run(job).finally(() => this.#end(job))),
      (job, position) => job.emit({ type: 'queue', id: job.imageId, position }),
    )
  }

  /** Number of jobs. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#queue.running, waiting: this.#queue.waiting }
  }

  /** Number of subscriptions to jobs. */
  get watchers(): number {
    return [...this.#jobs.values()].reduce((total, job) => total + job.listenerCount, 0)
  }

  /**
   * Queues a generation.
   *
   * @returns the queued image, or the image that the request key joins
   * @throws AppError see `insertQueued`
   */
  async generate(viewer: Viewer, request: GenerationRequest): Promise<Image[]> {
    const insertion = this.#insert(viewer, request)
    this.#inserting.add(insertion)
    try {
      return [toImage(await insertion)]
    } finally {
      this.#inserting.delete(insertion)
    }
  }

  async #insert(viewer: Viewer, request: GenerationRequest): Promise<ImageRow> {
    const spaceError = await this.#checkSpace()
    const isQueueFull = () => this.#isStopping || this.#queue.waiting >= queueLength
    const { row, isNew } = await insertQueued({ ...this.#services, isQueueFull }, viewer, request, spaceError)
    if (isNew) this.#enqueue(new GenerationJob(row.id, request.prompt))
    return row
  }

  /** Checks for free space before the transaction, which throws the returned error after its own checks. */
  async #checkSpace(): Promise<unknown> {
    const { blobs, engine } = this.#services
    try {
      const space = await blobs.reserve(sizeLimitOf[engine.name])
      space.release()
      return null
    } catch (error) {
      return error
    }
  }

  #enqueue(job: GenerationJob): void {
    this.#jobs.set(job.imageId, job)
    this.#queue.add(job)
    const position = this.#queue.position(job)
    if (position !== null) job.emit({ type: 'queue', id: job.imageId, position })
  }

  #end(job: GenerationJob): void {
    this.#jobs.delete(job.imageId)
    job.emit({ type: 'ended' })
  }

  /** @see watchImages */
  watch(
    images: readonly Owned<ImageRow>[],
    lastEventId?: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent, void> {
    const { db, engine } = this.#services
    const findJob = (imageId: string) => this.#jobs.get(imageId)
    return watchImages(
      { db, findJob, usualSeconds: () => usualSeconds(db, engine) },
      images,
      lastEventId,
      signal,
    )
  }

  /**
   * Waits for an image and returns its stored JPEG. Reads it from storage only if another process generated it, or if it was
   * finished before the call.
   *
   * @throws AppError `not_found`; the error of the generation, or `canceled`, also if `signal` is aborted
   */
  async waitForOriginal(viewer: Viewer, imageId: string, signal?: AbortSignal): Promise<Uint8Array> {
    const job = this.#jobs.get(imageId)
    const owned = await findOwnImage(this.#services.db, viewer, imageId)
    let last: { image: Image; retryAfter?: number } | null = null
    for await (const { event } of this.watch([owned], null, signal)) if (event.type === 'state') last = event
    if (signal?.aborted) throw abandoned()
    if (last?.image.state === 'canceled') throw new AppError('canceled')
    if (last?.image.state === 'failed') {
      throw new AppError(last.image.failure ?? 'internal', undefined, { retryAfter: last.retryAfter })
    }
    return job?.original ?? this.#readOriginal(imageId)
  }

  async #readOriginal(imageId: string): Promise<Uint8Array> {
    const { folder } = await this.#readRow(imageId)
    const bytes = folder && (await this.#services.blobs.read(folder, originalFile))
    if (!bytes) throw noSuchImage()
    return bytes
  }

  async #readRow(imageId: string): Promise<ImageRow> {
    const { db } = this.#services
    const row = await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirst()
    if (!row) throw noSuchImage()
    return row
  }

  /** Cancels a generation unless it is finished, and returns the image. */
  async cancel(image: Owned<ImageRow>): Promise<Image> {
    await this.#cancelJob(image.id)
    return toImage(await this.#readRow(image.id))
  }

  async #cancelJob(imageId: string): Promise<void> {
    const job = this.#jobs.get(imageId)
    if (job && this.#queue.withdraw(job)) {
      await this.#cancelQueued(job)
    } else if (job) {
      const ended = whenEnded(job)
      job.cancellation.abort(new AppError('canceled'))
      await ended
    }
  }

  async #cancelQueued(job: GenerationJob): Promise<void> {
    const { db, now, onFinished } = this.#services
    try {
      const row = await markCanceled(db, job.imageId, { wasSent: false, now: now() })
      if (row) job.emit({ type: 'changed', row })
      onFinished?.('canceled')
    } catch (error) {
      this.#queue.add(job)
      throw error
    }
    this.#end(job)
  }

  /** Cancels all generations of a user and waits until they have ended. */
  async cancelAll(userId: string): Promise<void> {
    await Promise.allSettled(this.#inserting)
    const unfinished = await this.#services.db
      .selectFrom('images')
      .select('id')
      .where('owner_id', '=', userId)
      .where('state', 'in', unfinishedStates)
      .execute()
    await Promise.all(unfinished.map(({ id }) => this.#cancelJob(id)))
  }

  /** Fails the unfinished generations of an earlier process. */
  async recover(): Promise<void> {
    const { log } = this.#services
    try {
      await this.#failInterrupted()
    } catch (err) {
      if (!isStorageError(err)) throw err
      log.error({ err }, 'interrupted generations could not be marked as failed; retrying')
      // Not awaited, so that the server can serve stored images.
      retryStorage(() => this.#failInterrupted(), untilShutdown(log, this.#shutdown.signal)).catch(
        (stopped: unknown) => {
          log.error({ err: stopped }, 'interrupted generations stay unfinished until the next start')
        },
      )
    }
  }

  async #failInterrupted(): Promise<void> {
    const { db, log, now } = this.#services
    const interrupted = await failInterrupted(db, (imageId) => this.#jobs.has(imageId), now())
    if (interrupted > 0) log.warn({ interrupted }, 'interrupted generations are marked as failed')
  }

  /** Rejects new generations, waits up to `timeoutSeconds` for the others, then fails the rest. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true
    while (this.#inserting.size > 0) await Promise.allSettled(this.#inserting)
    for (const job of this.#jobs.values()) job.emit({ type: 'stopping', id: job.imageId })
    const timer = setTimeout(() => this.#shutdown.abort(new AppError('interrupted')), timeoutSeconds * 1_000)
    await this.#queue.idle()
    clearTimeout(timer)
  }
}

function whenEnded(job: GenerationJob): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = job.subscribe(({ type }) => {
      if (type !== 'ended') return
      unsubscribe()
      resolve()
    })
  })
}

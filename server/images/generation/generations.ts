import type { GenerationEvent, Image } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { AppError, isStorageError } from '../../errors/app-error.ts'
import { acceptGeneration, type GenerationRequest } from './accept-generation.ts'
import { failInterrupted, markCancelled } from './finish-generation.ts'
import { GenerationJob } from './generation-job.ts'
import { generationOutcome } from './generation-outcome.ts'
import { createGenerationQueue } from './generation-queue.ts'
import { toImage } from '../image-row.ts'
import { createImageProducer, sizeLimitOf, whileRunning } from './produce-image.ts'
import type { ProduceServices } from './produce-image.ts'
import { findOwnImage, noSuchImage } from '../own-image.ts'
import { retryStorage } from './retry-storage.ts'
import { usualSeconds } from './usual-duration.ts'

/** Jobs that may wait for their turn; beyond it new ones are refused. */
const queueLength = 100

interface GenerationServices extends ProduceServices {
  readonly dailyImageTotal: number | null
  readonly imageConcurrency: number
}

/** The image jobs of this process. */
export interface Generations {
  /** Accepts a job (see acceptGeneration for what it throws) and reports it until the image is ready. */
  generate(
    viewer: Viewer,
    request: GenerationRequest,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>>
  /** Reports a job of the viewer's from where it stands, or how it ended; throws `not_found` for another's. */
  watch(viewer: Viewer, imageId: string, signal?: AbortSignal): Promise<AsyncIterable<GenerationEvent>>
  /** Gives a job of the viewer's up. What has ended meanwhile stays as it is. Returns the image as it then is. */
  cancel(viewer: Viewer, imageId: string): Promise<Image>
  /** Gives up every job of a user's and waits until they have ended. */
  cancelAll(userId: string): Promise<void>
  /** How many jobs there are now. */
  readonly load: { readonly running: number; readonly waiting: number }
  /** Fails what an earlier process left unfinished. */
  recover(): Promise<void>
  /** Takes no more jobs, lets running ones finish for `grace` seconds, then fails the rest. */
  stop(grace: number): Promise<void>
}

export function createGenerations(services: GenerationServices): Generations {
  const { db, engine, log, now } = services
  const shutdown = new AbortController()
  const make = createImageProducer(services, shutdown.signal)
  const jobs = new Map<string, GenerationJob>()
  const queue = createGenerationQueue<GenerationJob>(
    services.imageConcurrency,
    (job) => job.asAsked(() => make(job).finally(() => leave(job))),
    (job, position) => job.tell({ type: 'queued', position }),
  )
  /** Jobs whose rows are being written; a stop that did not wait for them would leave them to the next start. */
  const accepting = new Set<Promise<unknown>>()
  let stopping = false

  async function generate(viewer: Viewer, request: GenerationRequest, signal?: AbortSignal) {
    const acceptance = accept(viewer, request)
    accepting.add(acceptance)
    try {
      return report(await acceptance, signal)
    } finally {
      accepting.delete(acceptance)
    }
  }

  async function accept(viewer: Viewer, request: GenerationRequest): Promise<string> {
    const queueIsFull = () => stopping || queue.waiting >= queueLength
    const requireSpace = async () => (await services.blobs.reserve(sizeLimitOf[engine.name])).release()
    const asked = { ...services, queueIsFull, requireSpace }
    const { imageId, isNew } = await acceptGeneration(asked, viewer, request)
    if (isNew) enqueue(new GenerationJob(imageId, request.prompt))
    return imageId
  }

  async function watch(viewer: Viewer, imageId: string, signal?: AbortSignal) {
    await findOwnImage(db, viewer, imageId)
    return report(imageId, signal)
  }

  function enqueue(job: GenerationJob): void {
    jobs.set(job.imageId, job)
    queue.add(job)
    const position = queue.position(job)
    if (position !== null) job.tell({ type: 'queued', position })
  }

  function leave(job: GenerationJob): void {
    jobs.delete(job.imageId)
    job.end()
  }

  /** Follows a job to its end, which is always read from its row: the row cannot be missed, an event can. */
  async function* report(imageId: string, signal?: AbortSignal): AsyncGenerator<GenerationEvent> {
    const job = jobs.get(imageId)
    const row = await readRow(imageId)
    yield {
      type: 'accepted',
      imageId,
      prompt: row.prompt,
      createdAt: new Date(row.created_at).toISOString(),
      usualSeconds: await usualSeconds(db, engine),
    }
    if (job && jobs.has(imageId)) yield* job.follow(signal)
    yield { type: 'ready', image: generationOutcome(await readRow(imageId), job?.retryAfter) }
  }

  async function readRow(imageId: string) {
    const row = await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirst()
    // Its owner may delete a finished image while another of their tabs still reads how it ended.
    if (!row) throw noSuchImage()
    return row
  }

  async function cancel(viewer: Viewer, imageId: string): Promise<Image> {
    await findOwnImage(db, viewer, imageId)
    await end(imageId)
    return toImage(await readRow(imageId))
  }

  async function end(imageId: string): Promise<void> {
    const job = jobs.get(imageId)
    if (job && queue.withdraw(job)) {
      await endUnsent(job)
    } else if (job) {
      const ended = endOf(job)
      job.cancellation.abort(new AppError('cancelled'))
      await ended
    }
  }

  async function endUnsent(job: GenerationJob): Promise<void> {
    try {
      await markCancelled(db, job.imageId, { wasSent: false, now: now() })
      services.ended?.('cancelled')
    } catch (error) {
      queue.add(job)
      throw error
    }
    leave(job)
  }

  async function cancelAll(userId: string): Promise<void> {
    await Promise.allSettled(accepting)
    const unfinished = await db
      .selectFrom('images')
      .select('id')
      .where('owner_id', '=', userId)
      .where('state', '=', 'generating')
      .execute()
    await Promise.all(unfinished.map(({ id }) => end(id)))
  }

  async function recover(): Promise<void> {
    try {
      await failEarlier()
    } catch (err) {
      if (!isStorageError(err)) throw err
      log.error({ err }, 'images that an earlier run left unfinished wait to be marked as failed')
      // Not waited for: what is stored already can be shown meanwhile.
      retryStorage(failEarlier, whileRunning(log, shutdown.signal)).catch((stopped: unknown) => {
        log.error({ err: stopped }, 'images that an earlier run left unfinished are left to the next one')
      })
    }
  }

  async function failEarlier(): Promise<void> {
    const interrupted = await failInterrupted(db, (imageId) => jobs.has(imageId), now())
    if (interrupted > 0) {
      log.warn({ interrupted }, 'images that an earlier run left unfinished are marked as failed')
    }
  }

  async function stop(grace: number): Promise<void> {
    stopping = true
    while (accepting.size > 0) await Promise.allSettled(accepting)
    for (const job of jobs.values()) job.tell({ type: 'stopping' })
    const timer = setTimeout(() => shutdown.abort(new AppError('interrupted')), grace * 1_000)
    await queue.idle()
    clearTimeout(timer)
  }

  return {
    generate,
    watch,
    cancel,
    cancelAll,
    recover,
    stop,
    get load() {
      return { running: queue.running, waiting: queue.waiting }
    },
  }
}

async function endOf(job: GenerationJob): Promise<void> {
  for await (const _ of job.follow());
}

import type { Logger } from 'pino'
import type { GenerationEvent, Image } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { acceptGeneration, type GenerationRequest } from './accept-generation.ts'
import { failInterrupted, markCancelled, markFailed, markReady, markStarted } from './finish-generation.ts'
import { GenerationJob } from './generation-job.ts'
import { asGenerationFailure, generationFailure, generationOutcome } from './generation-outcome.ts'
import { createGenerationQueue } from './generation-queue.ts'
import { toImage } from './image-row.ts'
import { findOwnImage, noSuchImage } from './own-image.ts'
import { pictureFromEngine } from './picture.ts'
import { pictureDataUrl } from './picture-data-url.ts'
import { runEngine } from './run-engine.ts'
import { usualSeconds } from './usual-duration.ts'

/** Jobs that may wait for their turn; beyond it new ones are refused. */
const queueLength = 100

interface GenerationServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly log: Logger
  readonly now: () => number
  readonly dailyImageLimit: number
  readonly imageConcurrency: number
  /** Seconds that one picture may take. */
  readonly imageTimeout: number
}

/** The image jobs of this process. */
export interface Generations {
  /** Accepts a job (see acceptGeneration for what it throws) and reports it until the picture is ready. */
  generate(
    viewer: Viewer,
    request: GenerationRequest,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>>
  /** Reports a job of the viewer's from where it stands, or how it ended; throws `not_found` for another's. */
  watch(viewer: Viewer, imageId: string, signal?: AbortSignal): Promise<AsyncIterable<GenerationEvent>>
  /** Gives a job of the viewer's up. What has ended meanwhile stays as it is. Returns the image as it then is. */
  cancel(viewer: Viewer, imageId: string): Promise<Image>
  /** Fails what an earlier process left unfinished. */
  recover(): Promise<void>
  /** Takes no more jobs, lets running ones finish for `grace` seconds, then fails the rest. */
  stop(grace: number): Promise<void>
}

export function createGenerations(services: GenerationServices): Generations {
  const { db, engine, log, now } = services
  const jobs = new Map<string, GenerationJob>()
  const queue = createGenerationQueue(services.imageConcurrency, run, (job, position) =>
    job.tell({ type: 'queued', position }),
  )
  /** Jobs whose rows are being written; a stop that did not wait for them would leave them to the next start. */
  const accepting = new Set<Promise<unknown>>()
  const shutdown = new AbortController()
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
    const { imageId, isNew } = await acceptGeneration({ ...services, queueIsFull }, viewer, request)
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

  async function run(job: GenerationJob): Promise<void> {
    let wasSent = false
    try {
      await start(job)
      const budget = AbortSignal.timeout(services.imageTimeout * 1_000)
      const signal = AbortSignal.any([shutdown.signal, job.cancellation.signal, budget])
      signal.throwIfAborted()
      wasSent = true
      const bytes = await runEngine(engine, job.prompt, signal, (preview) => tellPreview(job, preview))
      await store(job, bytes)
    } catch (error) {
      await giveUp(job, error, wasSent)
    } finally {
      leave(job)
    }
  }

  async function start(job: GenerationJob): Promise<void> {
    const startedAt = now()
    job.tell({ type: 'started', startedAt: new Date(startedAt).toISOString() })
    await markStarted(db, job.imageId, startedAt)
  }

  async function store(job: GenerationJob, bytes: Uint8Array): Promise<void> {
    const picture = await pictureFromEngine(bytes, engine)
    const folder = await services.blobs.put(picture.files)
    await markReady(db, job.imageId, { folder, picture, now: now() })
  }

  async function giveUp(job: GenerationJob, error: unknown, wasSent: boolean): Promise<void> {
    const failure = asGenerationFailure(error)
    const { imageId } = job
    try {
      if (failure.code === 'cancelled') {
        // Once the engine was asked, who made it work pays for it: the place of the day is not given back.
        await markCancelled(db, imageId, { wasSent, now: now() })
        return
      }
      log.error({ err: failure.cause ?? failure, imageId, failure: failure.code }, 'no picture was made')
      await markFailed(db, imageId, failure.code, { now: now(), blockedLimit: services.dailyImageLimit })
    } catch (err) {
      // The row stays 'generating' and is mended by the next start; watchers are told by their own read of it.
      log.error({ err, imageId }, 'how an image ended could not be recorded')
    }
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
    yield { type: 'ready', image: generationOutcome(await readRow(imageId)) }
  }

  async function readRow(imageId: string) {
    const row = await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirst()
    // Its owner may delete a finished image while another of their tabs still reads how it ended.
    if (!row) throw noSuchImage()
    return row
  }

  async function cancel(viewer: Viewer, imageId: string): Promise<Image> {
    await findOwnImage(db, viewer, imageId)
    const job = jobs.get(imageId)
    if (job && queue.withdraw(job)) {
      await markCancelled(db, imageId, { wasSent: false, now: now() })
      leave(job)
    } else if (job) {
      const ended = endOf(job)
      job.cancellation.abort(generationFailure('cancelled'))
      await ended
    }
    return toImage(await readRow(imageId))
  }

  async function recover(): Promise<void> {
    const interrupted = await failInterrupted(db, (imageId) => jobs.has(imageId), now())
    if (interrupted > 0) {
      log.warn({ interrupted }, 'images that an earlier run left unfinished are marked as failed')
    }
  }

  async function stop(grace: number): Promise<void> {
    stopping = true
    while (accepting.size > 0) await Promise.allSettled(accepting)
    for (const job of jobs.values()) job.tell({ type: 'stopping' })
    const timer = setTimeout(() => shutdown.abort(generationFailure('interrupted')), grace * 1_000)
    await queue.idle()
    clearTimeout(timer)
  }

  return { generate, watch, cancel, recover, stop }
}

function tellPreview(job: GenerationJob, bytes: Uint8Array): void {
  const photo = pictureDataUrl(bytes)
  if (photo) job.tell({ type: 'partial', photo })
}

async function endOf(job: GenerationJob): Promise<void> {
  for await (const _ of job.follow());
}

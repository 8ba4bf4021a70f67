import type { Logger } from 'pino'
import type { GenerationEvent, Image } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { isStorageFault } from '../errors/storage-fault.ts'
import type { BlobStore, Room } from '../storage/blob-store.ts'
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
import { untilStored } from './until-stored.ts'
import { usualSeconds } from './usual-duration.ts'

/** Jobs that may wait for their turn; beyond it new ones are refused. */
const queueLength = 100

/** The most bytes that one picture takes with its thumbnails: a provider's is at most 32 MB, ours are small. */
const roomOf: Readonly<Record<ImageEngine['name'], number>> = {
  openai: 34 * 1024 * 1024,
  rangoli: 2 * 1024 * 1024,
}

/** The usual `storingPatience`. */
const tenMinutes = 10 * 60 * 1_000

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
  /** Told how each job ended: `ready`, `cancelled`, or the code of its failure. */
  readonly ended?: (outcome: string) => void
  /** How long a picture that was paid for is kept in memory while the disk takes nothing, in milliseconds. */
  readonly storingPatience?: number
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
  /** Gives up every job of a person's and waits until they have ended. */
  cancelAll(personId: string): Promise<void>
  /** How many jobs there are now. */
  readonly load: { readonly running: number; readonly waiting: number }
  /** Fails what an earlier process left unfinished. */
  recover(): Promise<void>
  /** Takes no more jobs, lets running ones finish for `grace` seconds, then fails the rest. */
  stop(grace: number): Promise<void>
}

export function createGenerations(services: GenerationServices): Generations {
  const { db, engine, log, now } = services
  const jobs = new Map<string, GenerationJob>()
  const queue = createGenerationQueue<GenerationJob>(
    services.imageConcurrency,
    (job) => job.asAsked(() => run(job)),
    (job, position) => job.tell({ type: 'queued', position }),
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
    const requireRoom = async () => (await services.blobs.reserve(roomOf[engine.name])).release()
    const asked = { ...services, queueIsFull, requireRoom }
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

  async function run(job: GenerationJob): Promise<void> {
    let wasSent = false
    try {
      await start(job)
      // Whoever waits is told at once that the server stops: their connections are about to be closed.
      shutdown.signal.throwIfAborted()
      const room = await services.blobs.reserve(roomOf[engine.name])
      try {
        const budget = AbortSignal.timeout(services.imageTimeout * 1_000)
        const signal = AbortSignal.any([shutdown.signal, job.cancellation.signal, budget])
        signal.throwIfAborted()
        wasSent = true
        const bytes = await runEngine(engine, job.prompt, signal, (preview) => tellPreview(job, preview))
        await store(job, bytes, room)
      } finally {
        room.release()
      }
    } catch (error) {
      await giveUp(job, error, wasSent)
    } finally {
      leave(job)
    }
  }

  async function start(job: GenerationJob): Promise<void> {
    const startedAt = now()
    job.tell({ type: 'started', startedAt: new Date(startedAt).toISOString() })
    // Its person may have been forgotten while it waited, by another process of this folder too.
    if (!(await markStarted(db, job.imageId, startedAt))) throw generationFailure('cancelled')
  }

  /** What waits here keeps its slot, so that no more pictures are paid for than can be kept in memory. */
  async function store(
    { imageId, cancellation }: GenerationJob,
    bytes: Uint8Array,
    room: Room,
  ): Promise<void> {
    const picture = await pictureFromEngine(bytes, engine)
    const waiting = {
      patience: services.storingPatience ?? tenMinutes,
      signal: AbortSignal.any([shutdown.signal, cancellation.signal]),
      failed: (err: Error) => log.error({ err, imageId }, 'a picture that was made waits to be stored'),
    }
    const folder = await untilStored(() => services.blobs.put(picture.files, room), waiting)
    const stored = { folder, picture, now: now() }
    const isKept = await untilStored(() => markReady(db, imageId, stored), waiting)
    if (!isKept) await services.blobs.remove(folder)
    services.ended?.(isKept ? 'ready' : 'cancelled')
  }

  async function giveUp(job: GenerationJob, error: unknown, wasSent: boolean): Promise<void> {
    const failure = asGenerationFailure(error)
    services.ended?.(failure.code)
    const { imageId } = job
    const record = async () => {
      // Once the engine was asked, who made it work pays for it: the place of the day is not given back.
      if (failure.code === 'cancelled') await markCancelled(db, imageId, { wasSent, now: now() })
      else await markFailed(db, imageId, failure.code, { now: now(), blockedLimit: services.dailyImageLimit })
    }
    if (failure.code !== 'cancelled') {
      log.error({ err: failure.cause ?? failure, imageId, failure: failure.code }, 'no picture was made')
    }
    try {
      await untilStored(record, whileRunning(imageId))
    } catch (err) {
      // The row stays 'generating' and is mended by the next start; watchers are told by their own read of it.
      log.error({ err, imageId }, 'how an image ended could not be recorded')
    }
  }

  /** For rows that have to be written some day: as long as the server runs. */
  function whileRunning(imageId?: string) {
    return {
      patience: Infinity,
      signal: shutdown.signal,
      failed: (err: Error) => log.error({ err, imageId }, 'how images ended waits to be recorded'),
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
    await end(imageId)
    return toImage(await readRow(imageId))
  }

  async function end(imageId: string): Promise<void> {
    const job = jobs.get(imageId)
    if (job && queue.withdraw(job)) {
      await endUnsent(job)
    } else if (job) {
      const ended = endOf(job)
      job.cancellation.abort(generationFailure('cancelled'))
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

  async function cancelAll(personId: string): Promise<void> {
    await Promise.allSettled(accepting)
    const unfinished = await db
      .selectFrom('images')
      .select('id')
      .where('owner_id', '=', personId)
      .where('state', '=', 'generating')
      .execute()
    await Promise.all(unfinished.map(({ id }) => end(id)))
  }

  async function recover(): Promise<void> {
    try {
      await failEarlier()
    } catch (err) {
      if (!isStorageFault(err)) throw err
      log.error({ err }, 'images that an earlier run left unfinished wait to be marked as failed')
      // Not waited for: what is stored already can be shown meanwhile.
      untilStored(failEarlier, whileRunning()).catch((stopped: unknown) => {
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
    const timer = setTimeout(() => shutdown.abort(generationFailure('interrupted')), grace * 1_000)
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

function tellPreview(job: GenerationJob, bytes: Uint8Array): void {
  const photo = pictureDataUrl(bytes)
  if (photo) job.tell({ type: 'partial', photo })
}

async function endOf(job: GenerationJob): Promise<void> {
  for await (const _ of job.follow());
}

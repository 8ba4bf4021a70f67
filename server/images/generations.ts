import { EventEmitter, on } from 'node:events'
import type { Logger } from 'pino'
import type { GenerationEvent, ReadyImage } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { acceptGeneration, type GenerationRequest } from './accept-generation.ts'
import { finalPicture } from './final-picture.ts'
import { failInterrupted, markFailed, markReady, markStarted } from './finish-generation.ts'
import { generationFailure, generationOutcome } from './generation-outcome.ts'
import { pictureFromEngine } from './picture.ts'

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

/** A picture in the making. It belongs to the server: who asked for it may come and go. */
interface Job {
  readonly imageId: string
  readonly prompt: string
  /** Emits 'progress' with a GenerationEvent, and 'end' once the image's row says how it ended. */
  readonly progress: EventEmitter
}

/** The image jobs of this process. */
export interface Generations {
  /** Accepts a job (see acceptGeneration for what it throws) and reports it until the picture is ready. */
  generate(
    viewer: Viewer,
    request: GenerationRequest,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>>
  /** Fails what an earlier process left unfinished. */
  recover(): Promise<void>
  /** Takes no more jobs, lets running ones finish for `grace` seconds, then fails the rest. */
  stop(grace: number): Promise<void>
}

export function createGenerations(services: GenerationServices): Generations {
  const { db, engine, log, now } = services
  const jobs = new Map<string, Job>()
  const waiting: Job[] = []
  const running = new Map<Job, Promise<void>>()
  const shutdown = new AbortController()
  let stopping = false

  async function generate(viewer: Viewer, request: GenerationRequest, signal?: AbortSignal) {
    const queueIsFull = () => stopping || waiting.length >= queueLength
    const { imageId, isNew } = await acceptGeneration({ ...services, queueIsFull }, viewer, request)
    if (isNew) enqueue({ imageId, prompt: request.prompt, progress: new EventEmitter().setMaxListeners(0) })
    return report(imageId, signal)
  }

  function enqueue(job: Job): void {
    jobs.set(job.imageId, job)
    waiting.push(job)
    startWaiting()
  }

  function startWaiting(): void {
    while (running.size < services.imageConcurrency) {
      const job = waiting.shift()
      if (!job) return
      running.set(
        job,
        run(job).finally(() => leave(job)),
      )
    }
  }

  function leave(job: Job): void {
    running.delete(job)
    jobs.delete(job.imageId)
    job.progress.emit('end')
    startWaiting()
    waiting.forEach((next, position) => emit(next, { type: 'queued', position }))
  }

  async function run(job: Job): Promise<void> {
    emit(job, { type: 'started' })
    try {
      await markStarted(db, job.imageId, now())
      const signal = AbortSignal.any([shutdown.signal, AbortSignal.timeout(services.imageTimeout * 1_000)])
      await store(job, await finalPicture(engine.generate(job.prompt, signal), signal))
    } catch (error) {
      await fail(job, error)
    }
  }

  async function store(job: Job, bytes: Uint8Array): Promise<void> {
    const picture = await pictureFromEngine(bytes)
    const folder = await services.blobs.put(picture.files)
    await markReady(db, job.imageId, { folder, picture, now: now() })
  }

  async function fail(job: Job, error: unknown): Promise<void> {
    const failure = asFailure(error)
    log.error(
      { err: failure.cause ?? failure, imageId: job.imageId, failure: failure.code },
      'no picture was made',
    )
    try {
      await markFailed(db, job.imageId, failure.code, now())
    } catch (err) {
      // The row stays 'generating' and is mended by the next start; watchers are told by their own read of it.
      log.error({ err, imageId: job.imageId }, 'a failed image could not be recorded')
    }
  }

  /** Follows a job to its end, which is always read from its row: the row cannot be missed, an event can. */
  async function* report(imageId: string, signal?: AbortSignal): AsyncGenerator<GenerationEvent> {
    const job = jobs.get(imageId)
    const events = job && on(job.progress, 'progress', { close: ['end'], ...(signal && { signal }) })
    yield { type: 'accepted', imageId }
    if (job && waiting.includes(job)) yield { type: 'queued', position: waiting.indexOf(job) }
    if (events) for await (const [event] of events as AsyncIterable<[GenerationEvent]>) yield event
    yield { type: 'ready', image: await outcome(imageId) }
  }

  async function outcome(imageId: string): Promise<ReadyImage> {
    return generationOutcome(
      await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow(),
    )
  }

  async function recover(): Promise<void> {
    const interrupted = await failInterrupted(db, now())
    if (interrupted > 0)
      log.warn({ interrupted }, 'images that an earlier run left unfinished are marked as failed')
  }

  async function stop(grace: number): Promise<void> {
    stopping = true
    const timer = setTimeout(() => shutdown.abort(generationFailure('interrupted')), grace * 1_000)
    while (running.size > 0) await Promise.all(running.values())
    clearTimeout(timer)
  }

  return { generate, recover, stop }
}

function emit(job: Job, event: GenerationEvent): void {
  job.progress.emit('progress', event)
}

/** What goes wrong in a job, as one of the failures that its row can name. */
function asFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return generationFailure('engine_timeout', error)
  return generationFailure('engine_failed', error)
}

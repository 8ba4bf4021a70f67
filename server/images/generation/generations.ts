import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { LRUCache } from 'lru-cache'
import { originalFile } from '../../../shared/image-files.ts'
import { isFinished, type Image, type ImageEvent } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { isPaused } from '../../engines/engines.ts'
import { AppError, isStorageError } from '../../errors/app-error.ts'
import { findOwnImage, noSuchImage, toImage, type ImageRow, type Owned } from '../images.ts'
import type { ImagesServices } from '../services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { aboutGeneration, withdrawEvent } from '../../notifications/notify.ts'
import { Repeatable } from '../../tasks/repeatable.ts'
import { abandoned } from '../../tasks/shared-task.ts'
import { createQueues, readPositions, type EngineQueue, usualSeconds } from './engine-queues.ts'
import {
  planGeneration,
  requestKeyOf,
  type GenerationPlan,
  type GenerationRequest,
  type RequestKey,
} from './generation-options.ts'
import { findJoined, insertQueued } from './insert-queued.ts'
import { GenerationJob, JobEvents, type JobEvent, type HintListener, type Notifications } from './job.ts'
import { planUpscale, upscaleKeyOf, type UpscaleRequest } from './plan-upscale.ts'
import { retryStorage } from '../../tasks/retry-storage.ts'
import {
  cancelWaiting,
  claim,
  countWaiting,
  endOtherLeases,
  failUnconfigured,
  findUnfinished,
  findWaitingEngines,
  interruptWaiting,
  renewLeases,
  requestCancellation,
  settleExpired,
  type Lease,
} from './states.ts'
import { watchImages, type WatchEvent } from './watch.ts'
import { createWorker, imageMaxBytes, untilShutdown, type WorkerServices } from './worker.ts'

/** Longest interval between two checks for waiting generations and expired leases, in milliseconds. */
const maxCheckMs = 2_000

/**
 * Time that generations of an engine that this process does not have wait for other processes, in milliseconds: during a
 * rolling update some have it already, or still.
 */
const otherEngineWaitMs = 10 * 60 * 1_000

/** Maximum number of requests remembered for the log lines of their generations. */
const maxRequestScopes = 200

interface GenerationServices extends WorkerServices {
  /** Maximum number of running generations of an engine, over all processes. */
  readonly imageConcurrency: number
  readonly imageLeaseSeconds: number
  /** False for a process that only queues, watches and cancels. */
  readonly runsGenerations: boolean
  /** Messages to the other processes of the site; null if this is the only one. */
  readonly notifications: Notifications | null
}

/** Services of the procedures of images. Not in the router's file, whose types the client package contains. */
export interface ImagesRouterServices extends ImagesServices {
  readonly generations: Generations
}

/** Queues, watches and cancels generations, and runs those that this process claims. The rows are the queue. */
export class Generations {
  readonly #services: GenerationServices
  readonly #lease: Lease
  readonly #shutdown = new AbortController()
  readonly #run: (job: GenerationJob) => Promise<void>
  readonly #jobs = new Map<string, GenerationJob>()
  readonly #running = new Set<Promise<void>>()
  readonly #events = new JobEvents()
  readonly #inserting = new Set<Promise<unknown>>()
  /** Asynchronous contexts of the requests that queued generations, whose log lines contain their ids. */
  readonly #requestScopes = new LRUCache<string, AsyncResource>({ max: maxRequestScopes })
  /** Retry delays of generations that have failed in any process, in seconds. */
  readonly #retryAfters = new LRUCache<string, number>({ max: maxRequestScopes })
  readonly #ownScope = new AsyncResource('Generations')
  readonly #claiming: Repeatable
  readonly #announcing: Repeatable
  readonly #checking: Repeatable
  #timer: NodeJS.Timeout | undefined
  #renewedAt = performance.now()
  /** Time of `performance.now()` before which expired leases are not settled. */
  #settlesFrom = 0
  #isStopping = false
  #isClosed = false

  constructor(services: GenerationServices) {
    const { notifications, imageLeaseSeconds, log } = services
    this.#services = services
    this.#lease = { worker: randomUUID(), durationMs: imageLeaseSeconds * 1_000 }
    this.#run = createWorker(services, {
      lease: this.#lease,
      shutdown: this.#shutdown.signal,
      handsOver: () => this.#isStopping && notifications !== null,
    })
    this.#claiming = new Repeatable(
      () => this.#claimAll(),
      (err) => log.error({ err }, 'queued generations could not be claimed; retrying'),
    )
    this.#announcing = new Repeatable(
      () => this.#announcePositions(),
      (err) => log.warn({ err }, 'the positions of queued generations could not be read'),
    )
    this.#checking = new Repeatable(
      () => this.#check(),
      (err) => {
        log.warn({ err }, 'leases of generations could not be checked; retrying')
        // The other processes could not renew their leases either, and do so first.
        this.#settlesFrom = performance.now() + this.#lease.durationMs / 2
      },
    )
  }

  /** Of the engines now, which administrators add and delete. */
  get #queues(): readonly EngineQueue[] {
    return createQueues(this.#services.engines.all, this.#services.imageConcurrency)
  }

  /** Number of generations that this process runs. */
  get running(): number {
    return this.#jobs.size
  }

  /** Number of subscriptions in this process. */
  get watchers(): number {
    return this.#events.count
  }

  /**
   * Queues generations, all or none, and claims them if they do not have to wait. Returns those that the request key
   * joins, or that are reused.
   * @throws AppError see `planGeneration` and `insertQueued`
   */
  async generate(viewer: Viewer, request: GenerationRequest): Promise<Image[]> {
    return this.#queue(viewer, requestKeyOf(request), () => planGeneration(this.#services, viewer, request))
  }

  /** Queues the enlargement of an image, as `generate` does. @throws AppError see `planUpscale` and `insertQueued` */
  upscale(viewer: Viewer, request: UpscaleRequest): Promise<Image[]> {
    return this.#queue(viewer, upscaleKeyOf(request), () => planUpscale(this.#services, viewer, request))
  }

  async #queue(
    viewer: Viewer,
    requestKey: RequestKey | null,
    createPlan: () => Promise<GenerationPlan>,
  ): Promise<Image[]> {
    const insertion = this.#insert(viewer, requestKey, createPlan)
    // `stop` and `cancelAll` wait for it.
    this.#inserting.add(insertion)
    try {
      return (await insertion).map(toImage)
    } finally {
      this.#inserting.delete(insertion)
    }
  }

  async #insert(
    viewer: Viewer,
    requestKey: RequestKey | null,
    createPlan: () => Promise<GenerationPlan>,
  ): Promise<readonly ImageRow[]> {
    let plan: GenerationPlan
    try {
      plan = await createPlan()
    } catch (error) {
      // A retry returns its images, even if a reference or a model of the request has gone since.
      if (requestKey === null) throw error
      const joined = await findJoined(this.#services.db, viewer.id, requestKey)
      if (joined.length === 0) throw error
      return joined
    }
    const { notifications, blobs } = this.#services
    // Thrown by the transaction, after its own checks.
    const spaceError: unknown = await blobs
      .reserve(imageMaxBytes(plan.engine) * plan.images.length)
      .then((space) => space.release())
      .catch((error: unknown) => error)
    const queue = this.#queues.find(({ engineIds }) => engineIds.includes(plan.engine.id))
    if (!queue) throw new Error(`The engine ${plan.engine.id} has no queue.`)
    // Other processes run what is queued while a load balancer has not noticed yet that this one stops.
    const services = {
      ...this.#services,
      queue,
      isStopping: () => this.#isStopping && notifications === null,
    }
    const { rows, newIds } = await insertQueued(services, viewer, plan, requestKey, spaceError)
    if (newIds.length === 0) return rows
    for (const id of newIds) this.#requestScopes.set(id, new AsyncResource('GenerationJob'))
    await this.queueChanged()
    return rows
  }

  /** Claims what may run now, for example after an engine was resumed, and reports positions, here and in the other processes. */
  async queueChanged(): Promise<void> {
    await this.#claiming.run()
    this.#services.notifications?.publish({ type: 'queue' })
    void this.#announcing.run()
  }

  async #claimAll(): Promise<void> {
    if (!this.#isClaiming()) return
    const pausedIds = await this.#pausedIds()
    const [only, ...others] = this.#queues
    // Saves transactions for the queues of the other engines.
    const waiting = only && others.length === 0 ? only.engineIds : await findWaitingEngines(this.#services.db)
    const claimable = new Set([...waiting].filter((id) => !pausedIds.includes(id)))
    for (const queue of this.#queues) {
      if (queue.engineIds.some((id) => claimable.has(id))) await this.#claimFrom(queue, pausedIds)
    }
  }

  async #pausedIds(): Promise<readonly string[]> {
    const { db, engines, readOptions } = this.#services
    const options = await readOptions(db)
    return engines.all.flatMap(({ id }) => (isPaused(options, id) ? [id] : []))
  }

  async #claimFrom(queue: EngineQueue, pausedIds: readonly string[]): Promise<void> {
    const { db } = this.#services
    const running = () =>
      [...this.#jobs.values()].filter(({ row }) => queue.engineIds.includes(row.engine ?? ''))
    while (running().length < queue.concurrency && this.#isClaiming()) {
      const row = await claim(db, this.#lease, queue, pausedIds)
      if (!row) return
      this.#start(row)
    }
  }

  /** A stopping process leaves waiting generations to the others, if there are any. */
  #isClaiming(): boolean {
    if (!this.#services.runsGenerations || this.#shutdown.signal.aborted || this.#isClosed) return false
    return !this.#isStopping || this.#services.notifications === null
  }

  #start(row: ImageRow): void {
    const scope = this.#requestScopes.get(row.id) ?? this.#ownScope
    this.#requestScopes.delete(row.id)
    const job = new GenerationJob(row, (event) => this.#emit(event))
    this.#jobs.set(row.id, job)
    const ended = scope
      .runInAsyncScope(() => this.#run(job))
      // A defect of the worker must not end the process, nor keep the job's slot.
      .catch((err: unknown) =>
        this.#services.log.error({ err, imageId: row.id }, 'a job ended with an error'),
      )
      .then(() => {
        this.#jobs.delete(row.id)
        this.#emit({ type: 'stale', id: row.id })
        return this.#ownScope.runInAsyncScope(() => this.queueChanged())
      })
      .finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  async #announcePositions(): Promise<void> {
    if (this.#events.count === 0) return
    for (const position of await this.#positions()) this.#events.emit({ type: 'queue', ...position })
  }

  async #positions() {
    const { db, now } = this.#services
    return readPositions({
      db,
      now,
      pausedIds: await this.#pausedIds(),
      queues: this.#queues,
      usualSeconds: this.#createUsualSeconds(),
    })
  }

  /** Creates a function that reads the median duration of images of the same engine and model once, in seconds. */
  #createUsualSeconds() {
    const { db, engines } = this.#services
    const known = new Map<string, Promise<number | null>>()
    return ({ engine: id, model }: Pick<ImageRow, 'engine' | 'model'>): Promise<number | null> => {
      if (id === null || model === null) return Promise.resolve(null)
      const key = JSON.stringify([id, model])
      // An engine may report its default model under another name.
      const otherwise = () =>
        engines.get(id)?.model === model ? usualSeconds(db, { id, model: null }) : null
      const seconds = known.get(key) ?? usualSeconds(db, { id, model }).then((exact) => exact ?? otherwise())
      known.set(key, seconds)
      return seconds
    }
  }

  /** Reports an event to the subscribers of this process and of the others. */
  #emit(event: JobEvent): void {
    const { notifications } = this.#services
    if (event.type === 'progress' || event.type === 'preview') notifications?.publish(event)
    if (event.type === 'changed') {
      const { id, row, retryAfter } = event
      if (retryAfter !== undefined) this.#retryAfters.set(id, retryAfter)
      notifications?.publish({ type: 'changed', id, isFinished: isFinished(row.state), retryAfter })
    }
    this.#events.emit(event)
  }

  #onHint(hint: Parameters<HintListener>[0]): void {
    switch (hint.type) {
      case 'queue':
        void this.#claiming.run()
        void this.#announcing.run()
        return
      case 'changed':
        if (hint.retryAfter !== undefined) this.#retryAfters.set(hint.id, hint.retryAfter)
        return this.#events.emit({ type: 'stale', id: hint.id })
      case 'cancel':
        this.#jobs.get(hint.id)?.cancellation.abort(new AppError('canceled'))
        return
      case 'progress':
      case 'preview':
        return this.#events.emit(hint)
      case 'resync':
        this.#events.emitToAll((id) => ({ type: 'stale', id }))
        this.#renewedAt = -Infinity
        void this.#checking.run()
    }
  }

  /** @see watchImages */
  watch(
    images: readonly Owned<ImageRow>[],
    lastEventId?: string | null,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent, void> {
    const services = {
      db: this.#services.db,
      events: this.#events,
      retryAfterOf: (imageId: string) => this.#retryAfters.get(imageId),
      isLocal: (imageId: string) => this.#jobs.has(imageId),
      currentEvents: (imageId: string) => this.#currentEvents(imageId),
      positions: () => this.#positions(),
      usualSeconds: this.#createUsualSeconds(),
      onDelivered: (row: ImageRow) => this.#onDelivered(row),
    }
    return watchImages(services, images, lastEventId, signal)
  }

  /** Takes the notification of an image back that its owner has received. */
  async #onDelivered(row: ImageRow): Promise<void> {
    const { db, log } = this.#services
    const about = { userId: row.owner_id, ...aboutGeneration(row) }
    await inTransaction(db, (transaction) => withdrawEvent(transaction, about, { subjectId: row.id })).catch(
      (err: unknown) => log.error({ err, imageId: row.id }, 'a notification could not be taken back'),
    )
  }

  async #currentEvents(id: string): Promise<readonly JobEvent[]> {
    const job = this.#jobs.get(id)
    const dataUrl = job ? null : await this.#services.notifications?.findPreview(id)
    return [
      ...(job?.current ?? []),
      ...(dataUrl ? [{ type: 'preview', id, dataUrl } as const] : []),
      ...(this.#isStopping ? [{ type: 'stopping', id } as const] : []),
      ...(this.#isClosed ? [{ type: 'closed', id } as const] : []),
    ]
  }

  /**
   * Waits for an image, and returns its stored JPEG.
   * @throws AppError `not_found`; the error of the generation, or `canceled`, also if `signal` is aborted; `interrupted`
   *   if this server stops
   */
  async waitForOriginal(
    viewer: Viewer,
    imageId: string,
    signal?: AbortSignal,
    onEvent?: (event: ImageEvent) => Promise<void>,
  ): Promise<Uint8Array> {
    const { db, blobs } = this.#services
    const owned = await findOwnImage(db, viewer, imageId)
    let last: { image: Image; retryAfter?: number } | null = null
    for await (const { event } of this.watch([owned], null, signal)) {
      if (event.type === 'state') last = event
      await onEvent?.(event)
    }
    if (signal?.aborted) throw abandoned()
    if (last?.image.state === 'canceled') throw new AppError('canceled')
    if (last?.image.state === 'failed') {
      const { failure, failureDetail } = last.image
      throw new AppError(failure ?? 'internal', failureDetail ?? undefined, { retryAfter: last.retryAfter })
    }
    const { folder } = await this.#readRow(imageId)
    const bytes = folder && (await blobs.read(folder, originalFile))
    if (!bytes) throw noSuchImage()
    return bytes
  }

  async #readRow(imageId: string): Promise<ImageRow> {
    const { db } = this.#services
    const row = await db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirst()
    if (!row) throw noSuchImage()
    return row
  }

  /**
   * Cancels a generation unless it is finished, whichever process runs it, and returns the image. Ends a running one itself
   * once the lease of its process has expired, also from a command while no server runs.
   */
  async cancel(image: Owned<ImageRow>): Promise<Image> {
    const { db, now, notifications } = this.#services
    for (let checks = 0; ; checks += 1) {
      // After an outage of the database, its process has time to renew its lease.
      const row = await cancelWaiting(db, image.id, checks > 1 ? this.#lease : null, now())
      if (row) {
        this.#reportEnded(row)
        await this.queueChanged()
        return toImage(row)
      }
      const job = this.#jobs.get(image.id)
      if (job) {
        job.cancellation.abort(new AppError('canceled'))
      } else {
        await requestCancellation(db, image.id)
        notifications?.publish({ type: 'cancel', id: image.id })
      }
      const events = this.watch([image], null, AbortSignal.timeout(maxCheckMs))
      while (!(await events.next()).done);
      const latest = await this.#readRow(image.id)
      if (isFinished(latest.state)) return toImage(latest)
    }
  }

  /** Cancels all generations of a user and waits until they have ended. */
  async cancelAll(userId: string): Promise<void> {
    await Promise.allSettled(this.#inserting)
    const unlessDeleted = (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
    }
    const images = await findUnfinished(this.#services.db, userId)
    await Promise.all(images.map((image) => this.cancel(image).catch(unlessDeleted)))
  }

  /**
   * Starts to claim generations, and to settle those of processes that have ended: at once if this is the only process of
   * the site, else when their leases expire. Fails those that wait for an engine that is not configured any more, in a site of
   * several processes after ten minutes.
   */
  async start(): Promise<void> {
    const { log, notifications } = this.#services
    try {
      await this.#settleAtStart()
    } catch (err) {
      if (!isStorageError(err)) throw err
      log.error({ err }, 'interrupted generations could not be marked as failed; retrying')
      // Not awaited, so that the server can serve stored images.
      retryStorage(() => this.#settleAtStart(), untilShutdown(log, this.#shutdown.signal)).catch(
        (stopped: unknown) => {
          log.error({ err: stopped }, 'interrupted generations stay unfinished until the next start')
        },
      )
    }
    notifications?.subscribe(
      (hint) => this.#onHint(hint),
      (id) => this.#events.has(id),
    )
    const checkMs = Math.min(maxCheckMs, this.#lease.durationMs / 3)
    this.#timer = setInterval(() => void this.#checking.run(), checkMs).unref()
    await this.#claiming.run()
  }

  async #settleAtStart(): Promise<void> {
    const { db, notifications } = this.#services
    if (notifications === null) {
      await endOtherLeases(db, this.#lease)
      await this.#settleExpired()
    }
    await this.#failUnconfigured()
  }

  async #failUnconfigured(): Promise<void> {
    const { db, log, now, engines, notifications, runsGenerations } = this.#services
    if (!runsGenerations) return
    const ids = engines.all.map(({ id }) => id)
    const queuedBefore = now() - (notifications === null ? 0 : otherEngineWaitMs)
    let failed = 0
    const missing = new Set<string | null>()
    for await (const row of failUnconfigured(db, ids, { queuedBefore, now: now() })) {
      this.#reportEnded(row)
      missing.add(row.engine)
      failed += 1
    }
    if (failed === 0) return
    log.warn({ failed, engines: [...missing] }, 'generations of engines that are not configured failed')
  }

  #reportEnded(row: ImageRow): void {
    this.#services.onFinished?.(row.failure ?? 'canceled')
    this.#emit({ type: 'changed', id: row.id, row })
  }

  /** Renews the leases, settles expired ones, and claims generations that no message announced, or fails them if no process can. */
  async #check(): Promise<void> {
    if (performance.now() - this.#renewedAt >= this.#lease.durationMs / 3) await this.#renewLeases()
    if (performance.now() >= this.#settlesFrom) await this.#settleExpired()
    if ((await countWaiting(this.#services.db)) === 0) return
    await this.#claiming.run()
    await this.#failUnconfigured()
  }

  async #renewLeases(): Promise<void> {
    // Jobs that are claimed during the query are not in its result.
    const jobs = [...this.#jobs.values()]
    const startedAt = performance.now()
    if (jobs.length > 0) {
      const held = await renewLeases(this.#services.db, this.#lease)
      for (const { imageId, cancellation, loss } of jobs) {
        if (held.get(imageId) === true) cancellation.abort(new AppError('canceled'))
        // A job that has recorded its end is not held either, but nothing listens to its signal any more.
        if (!held.has(imageId)) loss.abort(new AppError('interrupted'))
      }
    }
    this.#renewedAt = startedAt
  }

  async #settleExpired(): Promise<void> {
    const { db, engines, log, now } = this.#services
    const canResume = (engineId: string) => engines.get(engineId)?.canResume ?? false
    const settled = await settleExpired(db, this.#lease, canResume, now())
    if (settled.length === 0) return
    const ended = settled.filter(({ state }) => state !== 'queued')
    for (const row of ended) this.#reportEnded(row)
    const interrupted = ended.filter(({ state }) => state === 'failed').length
    if (interrupted > 0) log.warn({ interrupted }, 'interrupted generations are marked as failed')
    await this.queueChanged()
  }

  /**
   * Waits up to `timeoutSeconds` for the generations that were sent, then fails them, or leaves them to the next process if
   * their engine can resume. New and waiting ones are left to other processes; if this is the only process of the site, new
   * ones are rejected, and waiting ones run until the timeout, and then fail, too.
   */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true
    while (this.#inserting.size > 0) await Promise.allSettled(this.#inserting)
    this.#events.emitToAll((id) => ({ type: 'stopping', id }))
    const { notifications, runsGenerations } = this.#services
    const { signal } = this.#shutdown
    const timer = setTimeout(() => this.#shutdown.abort(new AppError('interrupted')), timeoutSeconds * 1_000)
    await this.#claiming.run()
    while (this.#running.size > 0) await Promise.all(this.#running)
    if (notifications === null && runsGenerations) await this.#interruptWaiting()
    else if (!signal.aborted) await Promise.race([this.#events.idle(), once(signal, 'abort')])
    clearTimeout(timer)
    clearInterval(this.#timer)
    this.#isClosed = true
    this.#events.emitToAll((id) => ({ type: 'closed', id }))
    await Promise.all([this.#checking.idle(), this.#claiming.idle(), this.#announcing.idle()])
  }

  async #interruptWaiting(): Promise<void> {
    const { db, log, now } = this.#services
    try {
      // Those of paused engines wait, as they would if this server kept running.
      for await (const row of interruptWaiting(db, await this.#pausedIds(), now())) this.#reportEnded(row)
    } catch (err) {
      log.error({ err }, 'queued generations stay queued until the next start')
    }
  }
}

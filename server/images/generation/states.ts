import { randomUUID } from 'node:crypto'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { dbNow, lockClaims, lockUser } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import type { Schema } from '../../db/schema.ts'
import { inTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors/app-error.ts'
import type { BlobStore } from '../../storage/blob-store.ts'
import { requireOpenAccount } from '../../users/closed-accounts.ts'
import type { ImageRow, Owned } from '../images.ts'
import type { Image } from '../processing.ts'
import { consumeDailyQuota, consumeSiteQuota, refundDailyQuota, refundSiteQuota, utcDay } from '../quota.ts'

/*
 * State machine of a generation. The row is the job: every transition is one conditional update, so that only one of
 * several processes can make it. Quota is consumed when a generation is queued, and refunded only by transitions.
 *
 *   queued → running → succeeded
 *      ↘        ↘   ↘
 *      canceled | failed
 *
 * A process claims a queued row with a lease and renews it. The row becomes `running` just before the prompt is sent: a
 * claimed row whose lease expires is queued again, a running one fails, as no prompt is ever sent twice. A process that
 * lost its lease can't change the row (`worker` is the fencing token), except to keep an image that it was charged for.
 */

/** Claim of a process on rows. */
export interface Lease {
  /** Id of the process. */
  readonly worker: string
  readonly durationMs: number
}

/** Maximum number of unfinished generations of one user. */
const unfinishedPerUser = 2

/** Maximum number of generations that wait while others run. */
const queueLength = 100

type ImageExpression = (eb: ExpressionBuilder<Schema, 'images'>) => Expression<SqlBool>

// Literals, as a partial index does not apply to a parameter.
const isUnfinished: ImageExpression = () => sql<SqlBool>`state IN ('queued', 'running')`
const isQueued: ImageExpression = () => sql<SqlBool>`state = 'queued'`
const isRunning: ImageExpression = () => sql<SqlBool>`state = 'running'`
const isUnclaimed: ImageExpression = () => sql<SqlBool>`state = 'queued' AND worker IS NULL`

/** Unfinished rows of a process. */
function isHeldBy(worker: string): ImageExpression {
  return (eb) => eb.and([isUnfinished(eb), eb('worker', '=', worker)])
}

/** Rows whose process has not renewed its lease. A process never expires its own leases, which it still can renew. */
function isExpired(db: Database, { worker }: Lease): ImageExpression {
  return (eb) =>
    eb.and([
      isUnfinished(eb),
      eb.or([
        eb.and([isRunning(eb), eb('worker', 'is', null)]),
        eb.and([eb('worker', '<>', worker), eb('leased_until', '<', dbNow(db))]),
      ]),
    ])
}

export interface GenerationRequest {
  readonly prompt: string
  /** Idempotency key. Joins the image it started, unless that image failed or was canceled before it was sent. */
  readonly requestKey?: string | undefined
}

interface QueueServices {
  readonly db: Database
  readonly now: () => number
  readonly dailyImageLimit: number
  readonly dailyImageTotal: number | null
  readonly imageConcurrency: number
  readonly engine: { readonly id: string; readonly model: string }
  readonly isStopping: () => boolean
}

/**
 * Inserts a queued image and consumes its quota in one transaction.
 *
 * @param spaceError error of the earlier check for free space, or null; thrown after all other checks
 * @returns `isNew` is false if the request key joins an existing image
 * @throws AppError in this order: `not_signed_in` once the account is deleted, `bad_input` for a key used with another
 *   prompt, `daily_limit`, `site_limit`, `too_many_unfinished`, `queue_full`, `spaceError`
 */
export async function insertQueued(
  services: QueueServices,
  viewer: Viewer,
  request: GenerationRequest,
  spaceError: unknown,
): Promise<{ readonly row: ImageRow; readonly isNew: boolean }> {
  const now = services.now()
  const day = utcDay(now)
  return inTransaction(services.db, async (transaction) => {
    await lockUser(transaction, viewer.id)
    await requireOpenAccount({ db: transaction, now: services.now }, viewer)
    const existing = await findByRequestKey(transaction, viewer.id, request)
    if (existing) return { row: existing, isNew: false }

    if (!(await consumeDailyQuota(transaction, viewer.id, 'image', day, services.dailyImageLimit))) {
      throw new AppError('daily_limit')
    }
    if (!(await consumeSiteQuota(transaction, day, services.dailyImageTotal))) {
      throw new AppError('site_limit')
    }
    if ((await countImages(transaction, isUnfinished, viewer.id)) >= unfinishedPerUser) {
      throw new AppError(
        'too_many_unfinished',
        `You have ${unfinishedPerUser} unfinished images. Wait for one to finish.`,
        { retryAfter: 10 },
      )
    }
    const maxUnfinished = queueLength + services.imageConcurrency
    if (services.isStopping() || (await countImages(transaction, isUnfinished)) >= maxUnfinished) {
      throw new AppError('queue_full', undefined, { retryAfter: 30 })
    }
    if (spaceError !== null) throw spaceError
    const row = await transaction
      .insertInto('images')
      .values({
        id: randomUUID(),
        owner_id: viewer.id,
        source: 'generated',
        prompt: request.prompt,
        engine: services.engine.id,
        model: services.engine.model,
        state: 'queued',
        request_key: request.requestKey ?? null,
        counted_on: day,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, isNew: true }
  })
}

/** Finds the image that a request key joins. Releases the key of an image that may be started again. */
async function findByRequestKey(
  db: Database,
  ownerId: string,
  request: GenerationRequest,
): Promise<ImageRow | null> {
  if (request.requestKey === undefined) return null
  const row = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('request_key', '=', request.requestKey)
    .executeTakeFirst()
  if (!row) return null
  const wasSent = row.counted_on !== null
  if (row.state === 'failed' || (row.state === 'canceled' && !wasSent)) {
    await db.updateTable('images').set({ request_key: null }).where('id', '=', row.id).execute()
    return null
  }
  if (row.prompt !== request.prompt) {
    throw new AppError('bad_input', 'This request key was used with another prompt.')
  }
  return row
}

async function countImages(db: Database, condition: ImageExpression, ownerId?: string): Promise<number> {
  let query = db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(condition)
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
  return (await query.executeTakeFirstOrThrow()).total
}

/** Reads a user's unfinished generations. */
export async function findUnfinished(db: Database, ownerId: string): Promise<Owned<ImageRow>[]> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where(isUnfinished)
    .execute()
  return rows as Owned<ImageRow>[]
}

/** Reads the ids of the generations that no process has claimed, in the order in which they will be. */
export async function findWaiting(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('images').select('id').where(isUnclaimed).orderBy('seq').execute()
  return rows.map(({ id }) => id)
}

/** Counts the generations that no process has claimed. */
export function countWaiting(db: Database): Promise<number> {
  return countImages(db, isUnclaimed)
}

/**
 * Claims the oldest waiting generation, if fewer than `concurrency` of the engine are claimed by any process. A generation
 * queued for another engine, which is not configured any more, is made by this one.
 *
 * @returns null if there is none, or too many run
 */
export function claim(
  db: Database,
  lease: Lease,
  engine: { readonly id: string; readonly model: string },
  concurrency: number,
): Promise<ImageRow | null> {
  return inTransaction(db, async (transaction) => {
    await lockClaims(transaction, engine.id)
    const row = await transaction
      .updateTable('images')
      .set((eb) => ({
        worker: lease.worker,
        leased_until: eb(dbNow(db), '+', lease.durationMs),
        engine: engine.id,
        model: engine.model,
      }))
      .where((eb) =>
        eb('seq', '=', eb.selectFrom('images').select('seq').where(isUnclaimed).orderBy('seq').limit(1)),
      )
      .where(isUnclaimed)
      .where((eb) =>
        eb(
          eb
            .selectFrom('images')
            .select(({ fn }) => fn.countAll<number>().as('claimed'))
            .where(isUnfinished)
            .where('worker', 'is not', null)
            .where('engine', '=', engine.id),
          '<',
          concurrency,
        ),
      )
      .returningAll()
      .executeTakeFirst()

    return row ?? null
  })
}

/** Queues a claimed generation again, unless it was sent. */
export async function releaseClaim(db: Database, imageId: string, { worker }: Lease): Promise<void> {
  await db
    .updateTable('images')
    .set({ worker: null, leased_until: null })
    .where('id', '=', imageId)
    .where(isQueued)
    .where('worker', '=', worker)
    .execute()
}

/**
 * `queued` → `running`, just before the prompt is sent to the engine.
 *
 * @returns null if the process does not hold the image any more, for example because it was canceled or deleted
 */
export async function markRunning(
  db: Database,
  imageId: string,
  { worker }: Lease,
  now: number,
): Promise<ImageRow | null> {
  const row = await db
    .updateTable('images')
    .set({ state: 'running', started_at: now })
    .where('id', '=', imageId)
    .where(isQueued)
    .where('worker', '=', worker)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Renews all leases of a process.
 *
 * @returns the images that the process still holds, and whether each is to be canceled
 */
export async function renewLeases(db: Database, lease: Lease): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .updateTable('images')
    .set((eb) => ({ leased_until: eb(dbNow(db), '+', lease.durationMs) }))
    .where(isHeldBy(lease.worker))
    .returning(['id', 'cancel_requested_at'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.cancel_requested_at !== null]))
}

/**
 * `running` → `succeeded`, with the files stored in `folder`. A copy of a hidden image of the same owner is hidden too.
 *
 * Also keeps the image of a generation that was failed meanwhile because this process had lost its lease; its quota is
 * consumed again if any is left.
 *
 * @returns null if the process does not hold the image any more, or it has been deleted
 */
export async function markSucceeded(
  db: Database,
  imageId: string,
  { worker }: Lease,
  stored: {
    folder: string
    image: Image
    blobs: Pick<BlobStore, 'link'>
    now: number
    dailyImageLimit: number
  },
): Promise<ImageRow | null> {
  const { sha256, width, height, placeholder } = stored.image
  return inTransaction(db, async (transaction) => {
    await lockOwner(transaction, imageId)
    const row = await transaction
      .updateTable('images')
      .set((eb) => ({
        state: 'succeeded',
        failure: null,
        folder: stored.folder,
        sha256,
        width,
        height,
        placeholder,
        finished_at: stored.now,
        hidden_at: eb
          .selectFrom('images as copies')
          .select((copies) => copies.fn.min('copies.hidden_at').as('hidden_at'))
          .whereRef('copies.owner_id', '=', 'images.owner_id')
          .where('copies.sha256', '=', sha256),
      }))
      .where('id', '=', imageId)
      .where('worker', '=', worker)
      .where((eb) =>
        eb.or([
          isRunning(eb),
          eb.and([
            eb('state', '=', 'failed'),
            eb('failure', '=', 'interrupted'),
            eb('counted_on', 'is', null),
          ]),
        ]),
      )
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    await stored.blobs.link(transaction, stored.folder)
    if (row.counted_on !== null) return row
    const day = utcDay(row.created_at)
    await consumeSiteQuota(transaction, day, null)
    if (!(await consumeDailyQuota(transaction, row.owner_id, 'image', day, stored.dailyImageLimit)))
      return row
    await transaction.updateTable('images').set({ counted_on: day }).where('id', '=', imageId).execute()
    return { ...row, counted_on: day }
  })
}

/**
 * `queued` or `running` → `failed`, with a refund. Blocked prompts are refunded only `blockedLimit` times per day, so that
 * users can't probe the engine's moderation for free.
 *
 * @returns null if the process does not hold the image any more, or it has been deleted
 */
export function markFailed(
  db: Database,
  imageId: string,
  { worker }: Lease,
  failure: ErrorCode,
  { now, blockedLimit }: { now: number; blockedLimit: number },
): Promise<ImageRow | null> {
  const end = { state: 'failed', failure, finished_at: now } as const
  return finishWithoutImage(db, imageId, isHeldBy(worker), end, async (transaction, row) => {
    if (failure !== 'prompt_blocked') return true
    return consumeDailyQuota(transaction, row.owner_id, 'blocked', row.counted_on, blockedLimit)
  })
}

/**
 * `queued` or `running` → `canceled`, with a refund unless the prompt was sent to the engine.
 *
 * @returns null if the process does not hold the image any more, or it has been deleted
 */
export function markCanceled(
  db: Database,
  imageId: string,
  { worker }: Lease,
  { wasSent, now }: { wasSent: boolean; now: number },
): Promise<ImageRow | null> {
  return finishWithoutImage(db, imageId, isHeldBy(worker), canceled(now), async () => !wasSent)
}

/**
 * `queued` → `canceled`, with a refund, whichever process has claimed the image: it does not start it any more.
 *
 * @returns null if the image is not queued any more, or has been deleted
 */
export function cancelQueued(db: Database, imageId: string, now: number): Promise<ImageRow | null> {
  return finishWithoutImage(db, imageId, isQueued, canceled(now), async () => true)
}

/** Asks the process that runs a generation to cancel it. */
export async function requestCancellation(db: Database, imageId: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ cancel_requested_at: dbNow(db) })
    .where('id', '=', imageId)
    .where(isRunning)
    .where('cancel_requested_at', 'is', null)
    .execute()
}

/**
 * `queued` → `failed`, with a refund, if no process has claimed the image.
 *
 * @returns null if it has been claimed or deleted
 */
export function interruptWaiting(db: Database, imageId: string, now: number): Promise<ImageRow | null> {
  return finishWithoutImage(db, imageId, isUnclaimed, interrupted(now), async () => true)
}

/** Ends the leases of all other processes, which must have ended. `settleExpired` then settles their generations. */
export async function endOtherLeases(db: Database, { worker }: Lease): Promise<void> {
  await db
    .updateTable('images')
    .set({ worker: null, leased_until: null })
    .where(isUnfinished)
    .where('worker', '<>', worker)
    .execute()
}

/**
 * Settles the generations of processes whose lease has expired: queues those that were not sent again, and fails the
 * others with a refund, or cancels them if that was requested.
 *
 * @returns the rows after their transitions
 */
export async function settleExpired(db: Database, lease: Lease, now: number): Promise<ImageRow[]> {
  const expired = await db
    .selectFrom('images')
    .select(['id', 'state', 'cancel_requested_at'])
    .where(isExpired(db, lease))
    .execute()
  const settled: ImageRow[] = []
  for (const { id, state, cancel_requested_at } of expired) {
    const isCanceled = cancel_requested_at !== null
    const row =
      state === 'queued'
        ? await requeueExpired(db, id, lease)
        : await finishWithoutImage(
            db,
            id,
            (eb) => eb.and([isRunning(eb), isExpired(db, lease)(eb)]),
            isCanceled ? canceled(now) : interrupted(now),
            async () => !isCanceled,
          )
    if (row) settled.push(row)
  }
  return settled
}

async function requeueExpired(db: Database, imageId: string, lease: Lease): Promise<ImageRow | null> {
  const row = await db
    .updateTable('images')
    .set({ worker: null, leased_until: null })
    .where('id', '=', imageId)
    .where(isQueued)
    .where(isExpired(db, lease))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

interface EndWithoutImage {
  readonly state: 'failed' | 'canceled'
  readonly failure: ErrorCode | null
  readonly finished_at: number
}

const canceled = (now: number): EndWithoutImage => ({ state: 'canceled', failure: null, finished_at: now })

const interrupted = (now: number): EndWithoutImage => ({
  state: 'failed',
  failure: 'interrupted',
  finished_at: now,
})

/** Ends a generation if `condition` holds, and refunds its quota if it is still consumed and `isRefunded` allows it. */
function finishWithoutImage(
  db: Database,
  imageId: string,
  condition: ImageExpression,
  end: EndWithoutImage,
  isRefunded: (transaction: Database, row: { owner_id: string; counted_on: string }) => Promise<boolean>,
): Promise<ImageRow | null> {
  return inTransaction(db, async (transaction) => {
    await lockOwner(transaction, imageId)
    const row = await transaction
      .updateTable('images')
      .set(end)
      .where('id', '=', imageId)
      .where(condition)
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    const { owner_id, counted_on } = row
    if (counted_on === null || !(await isRefunded(transaction, { owner_id, counted_on }))) return row
    await refundDailyQuota(transaction, owner_id, 'image', counted_on)
    await refundSiteQuota(transaction, counted_on)
    await transaction.updateTable('images').set({ counted_on: null }).where('id', '=', imageId).execute()
    return { ...row, counted_on: null }
  })
}

/** Serializes the write transactions about the owner of an image, see `lockUser`. */
async function lockOwner(transaction: Database, imageId: string): Promise<void> {
  const image = await transaction
    .selectFrom('images')
    .select('owner_id')
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (image) await lockUser(transaction, image.owner_id)
}

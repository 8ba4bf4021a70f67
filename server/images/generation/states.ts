import { sql, type Expression, type ExpressionBuilder, type SqlBool, type UpdateObject } from 'kysely'
import type { ErrorCode } from '../../../shared/errors.ts'
import { dbNow } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import { isOneOf } from '../../db/pagination.ts'
import { countRows } from '../../db/rows.ts'
import type { Schema } from '../../db/schema.ts'
import { inTransaction, lockClaims, lockUser } from '../../db/transaction.ts'
import { type ImageRow, type Owned, parameterImagesOf, storedRecipe, type StoredRecipe } from '../images.ts'
import type { Image } from '../processing.ts'
import { addCost, changeSpending, microsOf } from '../budget.ts'
import { consumeQuota, refundQuota, siteCounter, userCounter, utcDay } from '../quota.ts'
import type { ReadSiteOptions } from '../../site/site-options.ts'
import type { BlobStore } from '../../storage/blob-store.ts'
import { dailyImageLimitOf } from '../../access/user-access.ts'
import { aboutGeneration, notify } from '../../notifications/notify.ts'
import { queueImageEvent } from '../../webhooks/webhook-events.ts'
import type { EngineQueue } from './engine-queues.ts'

/*
 * State machine of a generation. The row is the job: every transition is one conditional update, so that only one of
 * several processes can make it. Quota is consumed and money reserved when a generation is queued, and refunded only by transitions.
 *
 *   queued → running → succeeded
 *      ↘        ↘   ↘
 *      canceled | failed
 *
 * A process claims a queued row with a lease and renews it. The row becomes `running` just before the prompt is sent: a
 * claimed row whose lease expires is queued again, a running one fails, as no prompt is ever sent twice: only if the engine
 * finds a job that was sent before (`canResume`), the row is queued again, with its `started_at`. A process that
 * lost its lease can't change the row (`worker` is the fencing token), except to keep an image that it was charged for.
 */

/** Claim of a process on rows. */
export interface Lease {
  /** Id of the process. */
  readonly worker: string
  readonly durationMs: number
}

type ImageExpression = (eb: ExpressionBuilder<Schema, 'images'>) => Expression<SqlBool>

// Literals, as a partial index does not apply to a parameter.

/** Rows of generations that have not ended. */
export const isUnfinished: ImageExpression = () => sql<SqlBool>`state IN ('queued', 'running')`
const isQueued: ImageExpression = () => sql<SqlBool>`state = 'queued'`
const isRunning: ImageExpression = () => sql<SqlBool>`state = 'running'`
const isUnclaimed: ImageExpression = () => sql<SqlBool>`state = 'queued' AND worker IS NULL`

/** Unfinished rows of a process, or only its queued or running ones. */
function isHeldBy({ worker }: Lease, state = isUnfinished): ImageExpression {
  return (eb) => eb.and([state(eb), eb('worker', '=', worker)])
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

/** Counts the generations of all processes that run and that wait. */
export async function countUnfinished(db: Database) {
  return selectCounts(db).executeTakeFirstOrThrow()
}

/** Counts the generations of all processes that run and that wait, by engine. */
export async function countUnfinishedByEngine(db: Database) {
  const rows = await selectCounts(db).select('engine').groupBy('engine').execute()
  return new Map(rows.map(({ engine, ...counts }) => [engine, counts]))
}

function selectCounts(db: Database) {
  return db
    .selectFrom('images')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'running').as('running'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'queued').as('waiting'),
    ])
    .where(isUnfinished)
}

export async function findUnfinished(db: Database, ownerId: string): Promise<Owned<ImageRow>[]> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where(isUnfinished)
    .execute()
  return rows as Owned<ImageRow>[]
}

/** Finds the images that a user's unfinished generations refer to: reference images and masks. */
export async function findImagesInUse(db: Database, ownerId: string): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  for (const row of await findUnfinished(db, ownerId)) {
    const recipe = storedRecipe(row)
    const { referenceImageIds = [], maskImageId, sourceImageId } = recipe
    const ofParameters = parameterImagesOf(recipe).map(([, id]) => id)
    const ids = [...referenceImageIds, maskImageId, sourceImageId, ...ofParameters]
    for (const id of ids) if (id !== undefined) used.add(id)
  }
  return used
}

/** Columns of an unfinished generation that its position depends on. */
export type UnfinishedJob = Pick<ImageRow, 'id' | 'engine' | 'model' | 'worker' | 'started_at'>

/** Reads the unfinished generations, those of a queue in the order in which they are claimed. */
export function findUnfinishedJobs(db: Database): Promise<UnfinishedJob[]> {
  return db
    .selectFrom('images')
    .select(['id', 'engine', 'model', 'worker', 'started_at'])
    .where(isUnfinished)
    .orderBy('turn')
    .orderBy('seq')
    .execute()
}

export async function findWaitingEngines(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('images').select('engine').distinct().where(isUnclaimed).execute()
  return new Set(rows.flatMap(({ engine }) => engine ?? []))
}

/** Counts the generations that no process has claimed. */
export function countWaiting(db: Database): Promise<number> {
  return countRows(db.selectFrom('images').where(isUnclaimed))
}

/**
 * Claims the next waiting generation of a queue, without paused engines; null if there is none, or as many as
 * `concurrency` are claimed by any process.
 */
export function claim(
  db: Database,
  lease: Lease,
  { name, engineIds, concurrency }: EngineQueue,
  pausedIds: readonly string[] = [],
): Promise<ImageRow | null> {
  const claimable = engineIds.filter((id) => !pausedIds.includes(id))
  return inTransaction(db, async (transaction) => {
    await lockClaims(transaction, name)
    const row = await transaction
      .updateTable('images')
      .set((eb) => ({ worker: lease.worker, leased_until: eb(dbNow(db), '+', lease.durationMs) }))
      .where((eb) =>
        eb(
          'seq',
          '=',
          eb
            .selectFrom('images')
            .select('seq')
            .where(isUnclaimed)
            .where('engine', 'in', claimable)
            .orderBy('turn')
            .orderBy('seq')
            .limit(1),
        ),
      )
      .where(isUnclaimed)
      .where((eb) =>
        eb(
          eb
            .selectFrom('images')
            .select(({ fn }) => fn.countAll<number>().as('claimed'))
            .where(isUnfinished)
            .where('worker', 'is not', null)
            .where('engine', 'in', engineIds),
          '<',
          concurrency,
        ),
      )
      .returningAll()
      .executeTakeFirst()

    return row ?? null
  })
}

/** Changes the row of an image if `condition` holds; null if it does not. */
async function transition(
  db: Database,
  imageId: string,
  condition: ImageExpression,
  change: UpdateObject<Schema, 'images'>,
): Promise<ImageRow | null> {
  const changed = db.updateTable('images').set(change).where('id', '=', imageId).where(condition)
  return (await changed.returningAll().executeTakeFirst()) ?? null
}

const unclaimed = { state: 'queued', worker: null, leased_until: null } as const

/** `queued` → `running`, just before the prompt is sent; null if the process does not hold the image any more. */
export function markRunning(
  db: Database,
  imageId: string,
  lease: Lease,
  now: number,
): Promise<ImageRow | null> {
  return transition(db, imageId, isHeldBy(lease, isQueued), {
    state: 'running',
    started_at: sql<number>`coalesce(started_at, ${now})`,
  })
}

/** Stores the id of a job at the server of an engine, unless the process does not hold the image any more. */
export async function storeJobId(db: Database, imageId: string, lease: Lease, jobId: string): Promise<void> {
  await transition(db, imageId, isHeldBy(lease, isRunning), { engine_job: jobId })
}

/**
 * Queues a claimed or running generation again, for a process that stops while another one can run it, or continue what was
 * sent; null if the process does not hold the image any more.
 */
export function releaseClaim(db: Database, imageId: string, lease: Lease): Promise<ImageRow | null> {
  return transition(db, imageId, isHeldBy(lease), unclaimed)
}

/** Renews all leases of a process, and returns the images that it still holds, and whether each is to be canceled. */
export async function renewLeases(db: Database, lease: Lease): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .updateTable('images')
    .set((eb) => ({ leased_until: eb(dbNow(db), '+', lease.durationMs) }))
    .where(isHeldBy(lease))
    .returning(['id', 'cancel_requested_at'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.cancel_requested_at !== null]))
}

/**
 * `running` → `succeeded`, with the files stored in `folder`. A copy of a hidden image of the same owner is hidden too.
 * Also keeps the image of a generation that was failed meanwhile because this process had lost its lease; its quota is
 * consumed again if any is left. Null if the process does not hold the image any more, or it has been deleted.
 */
export async function markSucceeded(
  db: Database,
  imageId: string,
  { worker }: Lease,
  stored: {
    folder: string
    image: Image
    model: string
    recipe: StoredRecipe
    /** What the provider charged, in USD. */
    cost?: number | undefined
    blobs: Pick<BlobStore, 'link'>
    now: number
    readOptions: ReadSiteOptions
  },
): Promise<ImageRow | null> {
  const { files: _files, ...columns } = stored.image
  return inTransaction(db, async (transaction) => {
    await lockOwner(transaction, imageId)
    const started = await transaction
      .selectFrom('images')
      .select('recipe')
      .where('id', '=', imageId)
      .executeTakeFirst()
    // Of a request that reuses the image since it was claimed, too.
    const { requestDigest } = storedRecipe(started ?? { recipe: null })
    const row = await transaction
      .updateTable('images')
      .set((eb) => ({
        state: 'succeeded',
        failure: null,
        model: stored.model,
        recipe: JSON.stringify({ ...stored.recipe, requestDigest } satisfies StoredRecipe),
        cost_micros: stored.cost === undefined ? eb.ref('price_micros') : microsOf(stored.cost),
        folder: stored.folder,
        ...columns,
        finished_at: stored.now,
        hidden_at: eb
          .selectFrom('images as copies')
          .select((copies) => copies.fn.min('copies.hidden_at').as('hidden_at'))
          .whereRef('copies.owner_id', '=', 'images.owner_id')
          .where('copies.sha256', '=', columns.sha256),
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
    await queueImageEvent(transaction, row)
    await notify(transaction, { userId: row.owner_id, ...aboutGeneration(row), subjectIds: [row.id] })
    const { price_micros, cost_micros } = row
    await addCost(transaction, row, cost_micros)
    if (row.counted_on !== null) {
      await changeSpending(transaction, row, (cost_micros ?? 0) - (price_micros ?? 0))
      return row
    }
    const counted_on = await countAgain(transaction, row, stored.readOptions)
    await changeSpending(transaction, row, cost_micros ?? 0)
    return { ...row, counted_on }
  })
}

/** Consumes the quota of an image again that was refunded. Returns its day; null if the user has none left. */
async function countAgain(
  transaction: Database,
  { id, owner_id, created_at }: ImageRow,
  readOptions: ReadSiteOptions,
): Promise<string | null> {
  const day = utcDay(created_at)
  await consumeQuota(transaction, siteCounter(day), null)
  const limit = await dailyImageLimitOf(transaction, await readOptions(transaction), owner_id)
  if (!(await consumeQuota(transaction, userCounter(owner_id, 'image', day), limit))) return null
  await transaction.updateTable('images').set({ counted_on: day }).where('id', '=', id).execute()
  return day
}

/**
 * `queued` or `running` → `failed`, with a refund. Blocked prompts are refunded only as often as users may generate images,
 * so that they can't probe the engine's moderation for free. Null if the process does not hold the image any more.
 */
export function markFailed(
  db: Database,
  imageId: string,
  lease: Lease,
  failure: ErrorCode,
  { detail, now, readOptions }: { detail: string | null; now: number; readOptions: ReadSiteOptions },
): Promise<ImageRow | null> {
  const end = { state: 'failed', failure, failure_detail: detail, finished_at: now } as const
  return finishWithoutImage(db, imageId, isHeldBy(lease), end, async (transaction, row) => {
    if (failure !== 'prompt_blocked') return true
    const limit = await dailyImageLimitOf(transaction, await readOptions(transaction), row.owner_id)
    return consumeQuota(transaction, userCounter(row.owner_id, 'blocked', row.counted_on), limit)
  })
}

/**
 * `queued` or `running` → `canceled`, with a refund unless the prompt was sent; null if the process does not hold the
 * image any more.
 */
export function markCanceled(
  db: Database,
  imageId: string,
  lease: Lease,
  { wasSent, now }: { wasSent: boolean; now: number },
): Promise<ImageRow | null> {
  return finishWithoutImage(db, imageId, isHeldBy(lease), canceled(now), async () => !wasSent)
}

/**
 * `queued` → `canceled`, whichever process has claimed the image: it does not start it any more. Refunded unless it was sent.
 *
 * @param lease also cancels a `running` image whose process has not renewed its lease; null for queued ones only
 * @returns null for any other image
 */
export function cancelWaiting(
  db: Database,
  imageId: string,
  lease: Lease | null,
  now: number,
): Promise<ImageRow | null> {
  const condition: ImageExpression = (eb) =>
    lease ? eb.or([isQueued(eb), isExpired(db, lease)(eb)]) : isQueued(eb)
  return finishWithoutImage(db, imageId, condition, canceled(now), async (_, row) => row.started_at === null)
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
 * `queued` → `failed`, with a refund, for unclaimed generations that were not sent before, but not of paused engines.
 * Yields each row.
 */
export async function* interruptWaiting(
  db: Database,
  pausedIds: readonly string[],
  now: number,
): AsyncGenerator<ImageRow> {
  const images = await db
    .selectFrom('images')
    .select('id')
    .where(isUnclaimed)
    .where('started_at', 'is', null)
    .where(({ not }) => not(isOneOf(db, 'engine', pausedIds, 'text')))
    .orderBy('seq')
    .execute()
  yield* failWaiting(db, images, interrupted(now))
}

/** Fails generations with a refund, except those that a process has claimed. */
async function* failWaiting(
  db: Database,
  images: readonly Pick<ImageRow, 'id'>[],
  end: EndWithoutImage,
): AsyncGenerator<ImageRow> {
  for (const { id } of images) {
    const row = await finishWithoutImage(db, id, isUnclaimed, end, async () => true)
    if (row) yield row
  }
}

/**
 * Fails, with a refund, generations that wait since `queuedBefore` for an engine that is not configured, unless another
 * process runs one of it. Yields each row.
 */
export async function* failUnconfigured(
  db: Database,
  engineIds: readonly string[],
  { queuedBefore, now }: { readonly queuedBefore: number; readonly now: number },
): AsyncGenerator<ImageRow> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'engine'])
    .where(isUnclaimed)
    .where('engine', 'not in', engineIds)
    .where('created_at', '<=', queuedBefore)
    .execute()
  if (images.length === 0) return
  const claimed = await db
    .selectFrom('images')
    .select('engine')
    .distinct()
    .where(isUnfinished)
    .where('worker', 'is not', null)
    .execute()
  const elsewhere = new Set(claimed.map(({ engine }) => engine))
  const abandoned = images.filter(({ engine }) => !elsewhere.has(engine))
  yield* failWaiting(db, abandoned, {
    state: 'failed',
    failure: 'engine_misconfigured',
    failure_detail: 'This site does not have this image engine any more. Choose another one.',
    finished_at: now,
  })
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
 * Settles the generations of processes whose lease has expired: cancels those for which that was requested, queues those that
 * were not sent or can be resumed, and fails the others with a refund. Returns the rows.
 */
export async function settleExpired(
  db: Database,
  lease: Lease,
  canResume: (engineId: string) => boolean,
  now: number,
): Promise<ImageRow[]> {
  const expired = await db
    .selectFrom('images')
    .select(['id', 'engine', 'state', 'cancel_requested_at'])
    .where(isExpired(db, lease))
    .execute()
  const isStillExpired = isExpired(db, lease)
  const isUncanceled: ImageExpression = (eb) =>
    eb.and([isStillExpired(eb), eb('cancel_requested_at', 'is', null)])
  const isSent: ImageExpression = (eb) => eb.and([isRunning(eb), isStillExpired(eb)])
  const settled: ImageRow[] = []
  for (const { id, engine, state, cancel_requested_at } of expired) {
    const isContinued = state === 'queued' || (engine !== null && canResume(engine))
    const row =
      cancel_requested_at !== null
        ? await cancelWaiting(db, id, lease, now)
        : isContinued
          ? await transition(db, id, isUncanceled, unclaimed)
          : await finishWithoutImage(db, id, isSent, interrupted(now), async () => true)
    if (row) settled.push(row)
  }
  return settled
}

interface EndWithoutImage {
  readonly state: 'failed' | 'canceled'
  readonly failure: ErrorCode | null
  readonly failure_detail?: string | null
  readonly finished_at: number
}

const canceled = (now: number): EndWithoutImage => ({ state: 'canceled', failure: null, finished_at: now })

const interrupted = (now: number): EndWithoutImage => ({
  state: 'failed',
  failure: 'interrupted',
  finished_at: now,
})

/**
 * Ends a generation if `condition` holds, and refunds its quota if it is still consumed and `isRefunded` allows it. Its price
 * is reserved no longer: what was canceled without a refund has cost it, as the provider charges for it.
 */
function finishWithoutImage(
  db: Database,
  imageId: string,
  condition: ImageExpression,
  end: EndWithoutImage,
  isRefunded: (transaction: Database, row: ImageRow & { readonly counted_on: string }) => Promise<boolean>,
): Promise<ImageRow | null> {
  return inTransaction(db, async (transaction) => {
    await lockOwner(transaction, imageId)
    const row = await transition(transaction, imageId, condition, end)
    if (!row) return null
    await queueImageEvent(transaction, row)
    const { owner_id, counted_on } = row
    const refunds = counted_on !== null && (await isRefunded(transaction, { ...row, counted_on }))
    if (refunds) {
      await refundQuota(transaction, userCounter(owner_id, 'image', counted_on))
      await refundQuota(transaction, siteCounter(counted_on))
    }
    const isFree = refunds || end.state === 'failed'
    if (isFree) await changeSpending(transaction, row, -(row.price_micros ?? 0))
    await addCost(transaction, row, isFree ? null : row.price_micros)
    const settled = { counted_on: refunds ? null : counted_on, cost_micros: isFree ? null : row.price_micros }
    await transaction.updateTable('images').set(settled).where('id', '=', imageId).execute()
    return { ...row, ...settled }
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

import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Image } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'
import { fold } from '../../text/search-text.ts'
import type { Needs } from '../services.ts'
import { inTransactionOf } from '../../access/user-access.ts'
import { type ImageRow, storedRecipe, type StoredRecipe, toImage } from '../images.ts'
import {
  type BudgetOptions,
  budgetsOf,
  endOfUtcMonth,
  microsOf,
  spendingCounter,
  type Spender,
} from '../budget.ts'
import { readSpending } from '../read-quota.ts'
import {
  consumeQuota,
  readUsage,
  requireStorage,
  dailyQuotaError,
  siteCounter,
  userCounter,
  utcDay,
} from '../quota.ts'
import type { EngineQueue } from './engine-queues.ts'
import type { GenerationPlan, PlannedImage, RequestKey } from './generation-options.ts'
import { isUnfinished } from './states.ts'

/** Maximum number of generations of a queue that wait while others run. */
const queueLength = 100

/** Time after which generations in progress may have ended, in seconds. */
const progressRetrySeconds = 30

interface QueueServices extends Needs<'db' | 'now' | 'readOptions'> {
  readonly queue: EngineQueue
  readonly isStopping: () => boolean
}

/**
 * Inserts queued images, consumes their quota and reserves their price, all or none.
 * @throws AppError in this order: `not_signed_in`, `bad_input` for a key of another request, `storage_limit`,
 *   `daily_limit`, `site_limit`, `budget_exceeded`, `queue_full`, `spaceError` of an earlier check
 */
export async function insertQueued(
  services: QueueServices,
  viewer: Viewer,
  plan: GenerationPlan,
  requestKey: RequestKey | null,
  spaceError: unknown,
): Promise<{ readonly rows: readonly ImageRow[]; readonly newIds: readonly string[] }> {
  const now = services.now()
  const day = utcDay(now)
  return inTransactionOf(services, viewer, async (transaction, access) => {
    const keys = requestKey === null ? [] : keysOf(requestKey)
    const joined = requestKey === null ? [] : await findJoined(transaction, viewer.id, requestKey)
    if (joined.length === 0 && keys.length > 0) {
      await transaction
        .updateTable('images')
        .set({ request_key: null })
        .where('owner_id', '=', viewer.id)
        .where('request_key', 'in', keys)
        .execute()
    }
    const existing: (ImageRow | null)[] = []
    for (const [index, image] of plan.images.entries()) {
      const own = joined.find(({ request_key }) => request_key === keys[index])
      const row = own ?? (await findReusable(transaction, viewer.id, plan, image))
      if (row?.request_key === null && requestKey !== null)
        await recordKey(transaction, row, {
          request_key: keys[index] ?? null,
          requestDigest: requestKey.digest,
        })
      existing.push(row)
    }
    const count = existing.filter((row) => row === null).length
    if (joined.length > 0 || count === 0) return { rows: existing.filter((row) => row !== null), newIds: [] }

    const options = await services.readOptions(transaction)
    await requireStorage(transaction, options, viewer.id)
    const limit = access.dailyImageLimit ?? options.dailyImageLimit
    const own = userCounter(viewer.id, 'image', day)
    if (!(await consumeQuota(transaction, own, limit, count))) {
      const left = limit - (await readUsage(transaction, own))
      const detail = left >= 1 && left < count ? describedDetail('images_left', { left, count }) : undefined
      throw dailyQuotaError('daily_limit', now, detail)
    }
    if (!(await consumeQuota(transaction, siteCounter(day), options.dailyImageTotal, count))) {
      throw dailyQuotaError('site_limit', now)
    }
    const { priceMicros } = plan
    if (priceMicros !== null) {
      const user = { id: viewer.id, monthlyBudget: access.monthlyBudget }
      const reservation = { user, micros: priceMicros * count, now }
      await reserveBudget(transaction, options, reservation)
    }
    const { unfinished, turn } = await readQueue(transaction, services.queue, viewer.id)
    const { concurrency } = services.queue
    if (services.isStopping() || unfinished + count > queueLength + concurrency) {
      throw new AppError('queue_full', undefined, { retryAfter: progressRetrySeconds })
    }
    if (spaceError !== undefined) throw spaceError
    const rows: ImageRow[] = []
    const newIds: string[] = []
    for (const [index, { prompt, recipe }] of plan.images.entries()) {
      const row =
        existing[index] ??
        (await transaction
          .insertInto('images')
          .values({
            id: randomUUID(),
            owner_id: viewer.id,
            source: 'generated',
            prompt,
            search_text: fold(prompt),
            engine: plan.engine.id,
            engine_kind: plan.engine.kind,
            model: recipe.model ?? plan.engine.model,
            recipe: JSON.stringify({ ...recipe, requestDigest: requestKey?.digest } satisfies StoredRecipe),
            remix_of: plan.remixOf,
            turn: turn + newIds.length,
            state: 'queued',
            request_key: keys[index] ?? null,
            counted_on: day,
            price_micros: priceMicros || null,
            created_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow())
      if (row !== existing[index]) newIds.push(row.id)
      rows.push(row)
    }
    return { rows, newIds }
  })
}

/**
 * Reserves money in a transaction, of the user's budget and of the site's.
 *
 * @param micros 0 for an unknown amount, for which something must be left
 * @throws AppError `budget_exceeded`
 */
async function reserveBudget(
  transaction: Database,
  options: BudgetOptions,
  { user, micros, now }: { readonly user: Spender; readonly micros: number; readonly now: number },
): Promise<void> {
  for (const [id, limit] of budgetsOf(options, user)) {
    const max = limit === null ? null : microsOf(limit) - (micros === 0 ? 1 : 0)
    if (await consumeQuota(transaction, spendingCounter(id, now), max, micros)) continue
    const { micros: taken, reserved } = await readSpending(transaction, id, now)
    const isSpent = max !== null && taken - reserved + micros > max
    const untilReset = Math.ceil((endOfUtcMonth(now) - now) / 1_000)
    const retryAfter = isSpent ? untilReset : Math.min(untilReset, progressRetrySeconds)
    throw new AppError('budget_exceeded', undefined, { retryAfter })
  }
}

/**
 * Returns the keys of the images of a request, as many as it has images. A client's key has no spaces, so that the keys of
 * further images differ from every other key.
 */
function keysOf({ key, count }: RequestKey): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? key : `${key} ${index}`))
}

/**
 * Finds the images that a key joins; none if all may be started again.
 * @throws AppError `bad_input` for a key of another request
 */
export async function findJoined(db: Database, ownerId: string, requestKey: RequestKey): Promise<ImageRow[]> {
  const rows = await findKeyed(db, ownerId, requestKey)
  if (rows.some(({ prompt }) => requestKey.prompts?.includes(prompt) === false)) {
    throw new AppError('bad_input', 'This request key was used with another prompt.')
  }
  // Images from before digests were stored have none.
  if (rows.some((row) => (storedRecipe(row).requestDigest ?? requestKey.digest) !== requestKey.digest)) {
    throw new AppError('bad_input', 'This request key was used with other settings.')
  }
  return rows
}

/** Records the key of a request that reuses an image without one, so that another request cannot have it. */
async function recordKey(
  transaction: Database,
  image: ImageRow,
  { request_key, requestDigest }: Pick<ImageRow, 'request_key'> & Pick<StoredRecipe, 'requestDigest'>,
): Promise<void> {
  const recipe = JSON.stringify({ ...storedRecipe(image), requestDigest } satisfies StoredRecipe)
  await transaction.updateTable('images').set({ request_key, recipe }).where('id', '=', image.id).execute()
}

/** Finds the images of an earlier request with the same key and digest. Returns none if all of them may be started again. */
export async function findRepeated(db: Database, ownerId: string, requestKey: RequestKey): Promise<Image[]> {
  const rows = await findKeyed(db, ownerId, requestKey)
  return rows.filter((row) => storedRecipe(row).requestDigest === requestKey.digest).map(toImage)
}

/** Finds the images with the keys of a request. Returns none if all of them may be started again. */
async function findKeyed(db: Database, ownerId: string, requestKey: RequestKey): Promise<ImageRow[]> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('request_key', 'in', keysOf(requestKey))
    .orderBy('seq')
    .execute()
  const isRestartable = ({ state, counted_on }: ImageRow) =>
    state === 'failed' || (state === 'canceled' && counted_on === null)
  return rows.every(isRestartable) ? [] : rows
}

/** Finds the user's latest image that equals a planned one, unless it failed or was canceled; null if none is reused. */
async function findReusable(
  db: Database,
  ownerId: string,
  { engine, isReusable, remixOf }: GenerationPlan,
  { prompt, recipe }: PlannedImage,
): Promise<ImageRow | null> {
  if (!isReusable) return null
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where('source', '=', 'generated')
    .where('owner_id', '=', ownerId)
    // The expression of an index.
    .where(sql<SqlBool>`substr(prompt, 1, 64) = substr(${prompt}, 1, 64)`)
    .where('prompt', '=', prompt)
    .where('engine', '=', engine.id)
    .where('model', '=', recipe.model ?? engine.model)
    .where('state', 'in', ['queued', 'running', 'succeeded'])
    .where('withdrawn_at', 'is', null)
    .where('trashed_at', 'is', null)
    .orderBy('seq', 'desc')
    .execute()
  const size = recipe.size ?? engine.capabilities.sizes[0]
  return (
    rows.find((row) => {
      const own = storedRecipe(row)
      // Images from before recipes were stored have one size.
      const ownSize =
        row.recipe === null && row.width !== null
          ? `${row.width}x${row.height}`
          : (own.size ?? engine.capabilities.sizes[0])
      const isSameStyle = own.style?.template === recipe.style?.template
      return own.seed === recipe.seed && ownSize === size && isSameStyle && row.remix_of === remixOf
    }) ?? null
  )
}

/**
 * Counts the unfinished images of a queue, and finds the turn of a user's next one, as in start-time fair queuing: the one
 * that is being generated, or the one after the user's last. A user without waiting images comes after at most one waiting
 * image of each other user, and images that were generated in the same turn still count.
 * @see docs/contributing/decisions/0048-generations.md
 */
async function readQueue(
  db: Database,
  { engineIds }: EngineQueue,
  ownerId: string,
): Promise<{ readonly unfinished: number; readonly turn: number }> {
  const { unfinished, claimed, lowest, own } = await db
    .selectFrom('images')
    .select((eb) => [
      eb.fn.countAll<number>().as('unfinished'),
      eb.fn.max(eb.case().when('worker', 'is not', null).then(eb.ref('turn')).end()).as('claimed'),
      eb.fn.min<number | null>('turn').as('lowest'),
      eb.fn.max(eb.case().when('owner_id', '=', ownerId).then(eb.ref('turn')).end()).as('own'),
    ])
    .where(isUnfinished)
    .where('engine', 'in', engineIds)
    .executeTakeFirstOrThrow()
  const current = claimed ?? lowest
  if (current === null) {
    // An index ends with the highest turn of one engine, not of several.
    let highest = -1
    for (const id of engineIds) highest = Math.max(highest, await highestTurn(db, id))
    return { unfinished, turn: highest + 1 }
  }
  const { finished } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.max<number | null>('turn').as('finished'))
    .where('engine', 'in', engineIds)
    .where('finished_at', 'is not', null)
    .where('turn', '>=', current)
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'succeeded')
    .executeTakeFirstOrThrow()
  return { unfinished, turn: Math.max(current, (own ?? -1) + 1, (finished ?? -1) + 1) }
}

/** Reads the highest turn of an engine's finished images; -1 without any. */
async function highestTurn(db: Database, engineId: string): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select('turn')
    .where('engine', '=', engineId)
    .where('finished_at', 'is not', null)
    .orderBy('turn', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.turn ?? -1
}

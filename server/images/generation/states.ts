import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { ImageState } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'
import { requireOpenAccount } from '../../users/closed-accounts.ts'
import type { ImageRow } from '../images.ts'
import type { Image } from '../processing.ts'
import { consumeDailyQuota, consumeSiteQuota, refundDailyQuota, refundSiteQuota, utcDay } from '../quota.ts'

/*
 * State machine of a generation. Every transition is one conditional update of a row, so that only one of several processes
 * can make it. Quota is consumed when a generation is queued, and refunded only by transitions.
 *
 *   queued → running → succeeded
 *      ↘        ↘   ↘
 *      canceled | failed
 */

/** States from which each state can be reached. */
const sources = {
  running: ['queued'],
  succeeded: ['running'],
  failed: ['queued', 'running'],
  canceled: ['queued', 'running'],
} as const satisfies Partial<Record<ImageState, readonly ImageState[]>>

export const unfinishedStates = ['queued', 'running'] as const satisfies readonly ImageState[]

/** Maximum number of unfinished generations of one user. */
const unfinishedPerUser = 2

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
  readonly engine: { readonly name: string; readonly model: string }
  readonly isQueueFull: () => boolean
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
  return services.db.transaction().execute(async (transaction) => {
    await requireOpenAccount({ db: transaction, now: services.now }, viewer)
    const existing = await findByRequestKey(transaction, viewer.id, request)
    if (existing) return { row: existing, isNew: false }

    if (!(await consumeDailyQuota(transaction, viewer.id, 'image', day, services.dailyImageLimit))) {
      throw new AppError('daily_limit')
    }
    if (!(await consumeSiteQuota(transaction, day, services.dailyImageTotal))) {
      throw new AppError('site_limit')
    }
    if ((await countUnfinished(transaction, viewer.id)) >= unfinishedPerUser) {
      throw new AppError(
        'too_many_unfinished',
        `You have ${unfinishedPerUser} unfinished images. Wait for one to finish.`,
        { retryAfter: 10 },
      )
    }
    if (services.isQueueFull()) throw new AppError('queue_full', undefined, { retryAfter: 30 })
    if (spaceError !== null) throw spaceError
    const row = await transaction
      .insertInto('images')
      .values({
        id: randomUUID(),
        owner_id: viewer.id,
        source: 'generated',
        prompt: request.prompt,
        engine: services.engine.name,
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

async function countUnfinished(db: Database, ownerId: string): Promise<number> {
  const { unfinished } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('unfinished'))
    .where('owner_id', '=', ownerId)
    .where('state', 'in', unfinishedStates)
    .executeTakeFirstOrThrow()
  return unfinished
}

/**
 * `queued` → `running`.
 *
 * @returns null if the image is not queued any more, or has been deleted
 */
export async function markRunning(db: Database, imageId: string, now: number): Promise<ImageRow | null> {
  const row = await db
    .updateTable('images')
    .set({ state: 'running', started_at: now })
    .where('id', '=', imageId)
    .where('state', 'in', sources.running)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * `running` → `succeeded`, with the files stored in `folder`. A copy of a hidden image of the same owner is hidden too.
 *
 * @returns null if the image is not running any more, or has been deleted
 */
export async function markSucceeded(
  db: Database,
  imageId: string,
  stored: { folder: string; image: Image; now: number },
): Promise<ImageRow | null> {
  const { sha256, width, height, placeholder } = stored.image
  const row = await db
    .updateTable('images')
    .set((eb) => ({
      state: 'succeeded',
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
    .where('state', 'in', sources.succeeded)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * `queued` or `running` → `failed`, with a refund. Blocked prompts are refunded only `blockedLimit` times per day, so that
 * users can't probe the engine's moderation for free.
 *
 * @returns null if the image is finished, or has been deleted
 */
export function markFailed(
  db: Database,
  imageId: string,
  failure: ErrorCode,
  { now, blockedLimit }: { now: number; blockedLimit: number },
): Promise<ImageRow | null> {
  const end = { state: 'failed', failure, finished_at: now } as const
  return finishWithoutImage(db, imageId, end, async (transaction, row) => {
    if (failure !== 'prompt_blocked') return true
    return consumeDailyQuota(transaction, row.owner_id, 'blocked', row.counted_on, blockedLimit)
  })
}

/**
 * `queued` or `running` → `canceled`, with a refund unless the prompt was sent to the engine.
 *
 * @returns null if the image is finished, or has been deleted
 */
export function markCanceled(
  db: Database,
  imageId: string,
  { wasSent, now }: { wasSent: boolean; now: number },
): Promise<ImageRow | null> {
  const end = { state: 'canceled', failure: null, finished_at: now } as const
  return finishWithoutImage(db, imageId, end, async () => !wasSent)
}

function finishWithoutImage(
  db: Database,
  imageId: string,
  end: { state: 'failed' | 'canceled'; failure: ErrorCode | null; finished_at: number },
  isRefunded: (transaction: Database, row: { owner_id: string; counted_on: string }) => Promise<boolean>,
): Promise<ImageRow | null> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('images')
      .select(['owner_id', 'counted_on'])
      .where('id', '=', imageId)
      .where('state', 'in', sources[end.state])
      .executeTakeFirst()
    if (!row) return null
    const { owner_id, counted_on } = row
    const refunds = counted_on !== null && (await isRefunded(transaction, { owner_id, counted_on }))
    if (refunds) {
      await refundDailyQuota(transaction, owner_id, 'image', counted_on)
      await refundSiteQuota(transaction, counted_on)
    }
    return transaction
      .updateTable('images')
      .set({ ...end, counted_on: refunds ? null : counted_on })
      .where('id', '=', imageId)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/**
 * Fails the unfinished generations of an earlier process.
 *
 * @param hasJob checks whether this process has a job for an image
 * @returns the number of failed generations
 */
export async function failInterrupted(
  db: Database,
  hasJob: (imageId: string) => boolean,
  now: number,
): Promise<number> {
  const unfinished = await db
    .selectFrom('images')
    .select('id')
    .where('state', 'in', unfinishedStates)
    .execute()
  const interrupted = unfinished.filter(({ id }) => !hasJob(id))
  for (const { id } of interrupted) await markFailed(db, id, 'interrupted', { now, blockedLimit: 0 })
  return interrupted.length
}

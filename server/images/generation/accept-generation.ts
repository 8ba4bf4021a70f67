import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import type { ImagesTable } from '../../db/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { requireOpenAccount } from '../../users/closed-accounts.ts'
import { consumeDailyQuota } from '../daily-usage.ts'
import { consumeSiteQuota } from '../site-usage.ts'
import { utcDay } from '../utc-day.ts'

/** The most images one user may have in the making at a time. */
const unfinishedMax = 2

export interface GenerationRequest {
  readonly prompt: string
  /** Idempotency key: joins the image it started, unless that one failed or was canceled before it was sent. */
  readonly requestKey?: string | undefined
}

export interface AcceptedGeneration {
  readonly imageId: string
  /** False where the request key joins an image that exists already. */
  readonly isNew: boolean
}

/**
 * Records an image that is about to be made and takes its place of the day, both or neither.
 *
 * @throws AppError in this order: `not_signed_in` once the account is deleted, `bad_input` for a key used with another prompt, `daily_limit`,
 *   `site_limit`, `too_many_unfinished`, `queue_full`, and what `requireSpace` throws
 */
export async function acceptGeneration(
  services: {
    db: Database
    now: () => number
    dailyImageLimit: number
    dailyImageTotal: number | null
    engine: { name: string; model: string }
    queueIsFull: () => boolean
    requireSpace: () => Promise<void>
  },
  viewer: Viewer,
  request: GenerationRequest,
): Promise<AcceptedGeneration> {
  const now = services.now()
  const day = utcDay(now)
  return services.db.transaction().execute(async (transaction) => {
    await requireOpenAccount({ db: transaction, now: services.now }, viewer)
    const earlier = await findByRequestKey(transaction, viewer.id, request)
    if (earlier) return { imageId: earlier, isNew: false }

    if (!(await consumeDailyQuota(transaction, viewer.id, 'image', day, services.dailyImageLimit))) {
      throw new AppError('daily_limit')
    }
    if (!(await consumeSiteQuota(transaction, day, services.dailyImageTotal))) {
      throw new AppError('site_limit')
    }
    if ((await countUnfinished(transaction, viewer.id)) >= unfinishedMax) {
      throw new AppError(
        'too_many_unfinished',
        `You have ${unfinishedMax} unfinished images. Wait for one to finish.`,
        { retryAfter: 10 },
      )
    }
    if (services.queueIsFull()) {
      throw new AppError('queue_full', undefined, { retryAfter: 30 })
    }
    await services.requireSpace()
    const imageId = randomUUID()
    await transaction
      .insertInto('images')
      .values({
        id: imageId,
        owner_id: viewer.id,
        source: 'generated',
        prompt: request.prompt,
        engine: services.engine.name,
        model: services.engine.model,
        state: 'generating',
        request_key: request.requestKey ?? null,
        counted_on: day,
        created_at: now,
      })
      .execute()
    return { imageId, isNew: true }
  })
}

/** Finds the image that a request key joins; releases the key of one that came to nothing. */
async function findByRequestKey(
  db: Database,
  ownerId: string,
  request: GenerationRequest,
): Promise<string | null> {
  if (request.requestKey === undefined) return null
  const row = await db
    .selectFrom('images')
    .select(['id', 'prompt', 'state', 'counted_on'])
    .where('owner_id', '=', ownerId)
    .where('request_key', '=', request.requestKey)
    .executeTakeFirst()
  if (!row) return null
  if (isFree(row)) {
    await db.updateTable('images').set({ request_key: null }).where('id', '=', row.id).execute()
    return null
  }
  if (row.prompt !== request.prompt) {
    throw new AppError('bad_input', 'This request key was used with another prompt.')
  }
  return row.id
}

/** Reports whether an image's request key may start another: nothing was made, and nothing is to come. */
function isFree({ state, counted_on }: Pick<Selectable<ImagesTable>, 'state' | 'counted_on'>): boolean {
  const wasSent = counted_on !== null
  return state === 'failed' || (state === 'cancelled' && !wasSent)
}

async function countUnfinished(db: Database, ownerId: string): Promise<number> {
  const { unfinished } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('unfinished'))
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'generating')
    .executeTakeFirstOrThrow()
  return unfinished
}

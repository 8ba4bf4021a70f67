import { randomUUID } from 'node:crypto'
import { messages } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { takeDailyPlace } from './daily-usage.ts'
import { utcDay } from './utc-day.ts'

/** The most images one person may have in the making at a time. */
const unfinishedMax = 2

export interface GenerationRequest {
  readonly prompt: string
  /** Names this press of the button; the same key again joins the image it started. */
  readonly requestKey?: string | undefined
}

export interface AcceptedGeneration {
  readonly imageId: string
  /** False where the request key named an image that exists already. */
  readonly isNew: boolean
}

/**
 * Records an image that is about to be made and takes its place of the day, both or neither.
 *
 * @throws AppError in this order: `bad_input` for a key used with another prompt, `daily_limit`,
 *   `too_many_unfinished`, `queue_full`, and what `requireRoom` throws
 */
export async function acceptGeneration(
  services: {
    db: Database
    now: () => number
    dailyImageLimit: number
    engine: { name: string; model: string }
    queueIsFull: () => boolean
    requireRoom: () => Promise<void>
  },
  viewer: Viewer,
  request: GenerationRequest,
): Promise<AcceptedGeneration> {
  const now = services.now()
  const day = utcDay(now)
  return services.db.transaction().execute(async (transaction) => {
    const earlier = await findByRequestKey(transaction, viewer.id, request)
    if (earlier) return { imageId: earlier, isNew: false }

    if (!(await takeDailyPlace(transaction, viewer.id, 'image', day, services.dailyImageLimit))) {
      throw new AppError('daily_limit', messages.dailyLimit)
    }
    if ((await countUnfinished(transaction, viewer.id)) >= unfinishedMax) {
      throw new AppError(
        'too_many_unfinished',
        `You have ${unfinishedMax} pictures in the making. Please wait for one to be ready.`,
        { retryAfter: 10 },
      )
    }
    if (services.queueIsFull()) {
      throw new AppError(
        'queue_full',
        'Many pictures are being made right now. Please try again in a moment.',
        { retryAfter: 30 },
      )
    }
    await services.requireRoom()
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

async function findByRequestKey(
  db: Database,
  ownerId: string,
  request: GenerationRequest,
): Promise<string | null> {
  if (request.requestKey === undefined) return null
  const row = await db
    .selectFrom('images')
    .select(['id', 'prompt'])
    .where('owner_id', '=', ownerId)
    .where('request_key', '=', request.requestKey)
    .executeTakeFirst()
  if (row && row.prompt !== request.prompt) {
    throw new AppError('bad_input', 'This request key was used with another prompt.')
  }
  return row?.id ?? null
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

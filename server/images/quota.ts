import type { Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { DailyUsageTable } from '../db/schema.ts'

type UsageKind = DailyUsageTable['kind']

/** Formats the UTC day of a moment (milliseconds since 1970) as `YYYY-MM-DD`. */
export function utcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Formats the midnight that ends a moment's UTC day as ISO 8601. */
function endOfUtcDay(moment: number): string {
  const date = new Date(moment)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)).toISOString()
}

/** Reads the viewer's quota of today. */
export async function readQuota(
  services: {
    db: Database
    now: () => number
    dailyImageLimit: number
    dailyImageTotal: number | null
  },
  viewer: Viewer,
): Promise<Quota> {
  const { db, dailyImageLimit: limit, dailyImageTotal: total } = services
  const now = services.now()
  const day = utcDay(now)
  return {
    used: await dailyUsage(db, viewer.id, 'image', day),
    limit,
    resetsAt: endOfUtcDay(now),
    ...(total !== null && { siteRemaining: Math.max(0, total - (await siteUsage(db, day))) }),
  }
}

/** Reads how much a user has used on a UTC day. */
export async function dailyUsage(
  db: Database,
  userId: string,
  kind: UsageKind,
  day: string,
): Promise<number> {
  const row = await db
    .selectFrom('daily_usage')
    .select('used')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Consumes one of a user's day, in one statement, so that only one caller gets the last.
 *
 * @returns whether one was left
 */
export async function consumeDailyQuota(
  db: Database,
  userId: string,
  kind: UsageKind,
  day: string,
  limit: number,
): Promise<boolean> {
  if (limit < 1) return false
  const result = await db
    .insertInto('daily_usage')
    .values({ user_id: userId, kind, day, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day', 'kind'])
        .doUpdateSet((eb) => ({ used: eb('daily_usage.used', '+', 1) }))
        .where('daily_usage.used', '<', limit),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Refunds one to the day that it was consumed on. */
export async function refundDailyQuota(
  db: Database,
  userId: string,
  kind: UsageKind,
  day: string,
): Promise<void> {
  await db
    .updateTable('daily_usage')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('day', '=', day)
    .where('used', '>', 0)
    .execute()
}

/** Reads the number of images that the whole site has generated on a UTC day. */
export async function siteUsage(db: Database, day: string): Promise<number> {
  const row = await db.selectFrom('site_usage').select('images').where('day', '=', day).executeTakeFirst()
  return row?.images ?? 0
}

/**
 * Consumes one image of the site's day, in one statement, so that only one caller gets the last. Days are counted without
 * a limit too, so that a limit that is set in the middle of a day holds for all of it.
 *
 * @param total images per day; null for no limit
 * @returns whether one was left
 */
export async function consumeSiteQuota(db: Database, day: string, total: number | null): Promise<boolean> {
  const limit = total ?? Number.MAX_SAFE_INTEGER
  if (limit < 1) return false
  const result = await db
    .insertInto('site_usage')
    .values({ day, images: 1 })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet((eb) => ({ images: eb('site_usage.images', '+', 1) }))
        .where('site_usage.images', '<', limit),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Refunds one image of the site's day. */
export async function refundSiteQuota(db: Database, day: string): Promise<void> {
  await db
    .updateTable('site_usage')
    .set((eb) => ({ images: eb('images', '-', 1) }))
    .where('day', '=', day)
    .where('images', '>', 0)
    .execute()
}

import type { Database } from '../db/open-database.ts'

/** Images that the whole site has generated on a UTC day. */
export async function siteUsage(db: Database, day: string): Promise<number> {
  const row = await db.selectFrom('site_usage').select('images').where('day', '=', day).executeTakeFirst()
  return row?.images ?? 0
}

/**
 * Consumes one image of the site's day, in one statement, so that the last one goes to one caller only. Days are counted
 * without a limit too, so that one which is set in the middle of a day holds for all of it.
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

import type { Database } from '../db/open-database.ts'
import type { DailyUsageTable } from '../db/schema.ts'

type UsageKind = DailyUsageTable['kind']

/** How much a user has used up on a day. */
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

/** Takes one of the day's places, in one statement, so that the last place goes to one caller only. False: none is left. */
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

/** Returns a place that was taken for something that then did not come about. */
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

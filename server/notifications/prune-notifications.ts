import { notificationDays, notificationsMax } from '../../shared/notifications.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'

/** Removes notifications that are too old, and all but the newest of each user. @returns number of the removed ones */
export async function pruneNotifications(db: Database, now: number): Promise<number> {
  const deleted = db.deleteFrom('notifications')
  const old = await deleted.where('created_at', '<=', now - notificationDays * msPerDay).executeTakeFirst()
  let removed = Number(old.numDeletedRows)
  const crowded = await db
    .selectFrom('notifications')
    .select('user_id')
    .groupBy('user_id')
    .having((eb) => eb(eb.fn.countAll(), '>', notificationsMax))
    .execute()
  for (const { user_id: userId } of crowded) {
    const { numDeletedRows } = await deleted
      .where('user_id', '=', userId)
      .where('created_at', '<=', (eb) =>
        eb
          .selectFrom('notifications as newer')
          .select('newer.created_at')
          .where('newer.user_id', '=', userId)
          .orderBy('newer.created_at', 'desc')
          .offset(notificationsMax)
          .limit(1),
      )
      .executeTakeFirst()
    removed += Number(numDeletedRows)
  }
  return removed
}

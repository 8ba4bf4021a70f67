import { notificationDays, notificationsMax } from '../../shared/notifications.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { deleteRows } from '../db/rows.ts'

/** Removes notifications that are too old, and all but the newest of each user. @returns number of the removed ones */
export async function pruneNotifications(db: Database, now: number): Promise<number> {
  const deleted = db.deleteFrom('notifications')
  const removals = [deleted.where('created_at', '<=', now - notificationDays * msPerDay)]
  const crowded = await db
    .selectFrom('notifications')
    .select('user_id')
    .groupBy('user_id')
    .having((eb) => eb(eb.fn.countAll(), '>', notificationsMax))
    .execute()
  for (const { user_id: userId } of crowded) {
    const own = db.selectFrom('notifications').select('created_at').where('user_id', '=', userId)
    const last = own.orderBy('created_at', 'desc').offset(notificationsMax).limit(1)
    removals.push(deleted.where('user_id', '=', userId).where('created_at', '<=', last))
  }
  return deleteRows(removals)
}

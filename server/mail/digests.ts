import { msPerDay } from '../db/gallery.ts'
import { inTransaction } from '../db/transaction.ts'
import type { UserServices } from '../access/user-access.ts'
import { everyMember, hasNew } from '../notifications/list-notifications.ts'
import { queueMail } from './mail-queue.ts'

/** Time between two digests of a user: less than a day, so that an hourly sweep does not move them. */
const digestMs = msPerDay - 60 * 60 * 1_000

/** Users that are read at once. */
const pageLength = 500

/**
 * Queues the daily mails of users who have not read what is new since the last one, a day at most. Requests that cause
 * notifications do nothing for them. Several processes can do so.
 *
 * @returns number of the mails
 */
export async function queueDigests(services: UserServices): Promise<number> {
  const { db, now } = services
  const time = now()
  const since = time - msPerDay
  let queued = 0
  for (let last: string | undefined = everyMember; last !== undefined;) {
    const after: string = last
    const recipients = db
      .selectFrom('notifications')
      .select('user_id')
      .where('created_at', '>', since)
      .where('user_id', '>', after)
      .union(
        // Users who may want themes by mail have changed their settings.
        db
          .selectFrom('notification_settings')
          .select('user_id')
          .where('user_id', '>', after)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('notifications')
                .select('seq')
                .where('user_id', '=', everyMember)
                .where('created_at', '>', since),
            ),
          ),
      )
    const page = await recipients.orderBy('user_id').limit(pageLength).execute()
    for (const { user_id: userId } of page) if (await queueDigest(services, userId, time)) queued += 1
    last = page.at(-1)?.user_id
  }
  return queued
}

async function queueDigest(services: UserServices, userId: string, time: number): Promise<boolean> {
  const { db } = services
  const state = await db
    .selectFrom('notification_settings')
    .select('mailed_until')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const mailedUntil = state?.mailed_until ?? 0
  if (mailedUntil > time - digestMs) return false
  const since = Math.max(mailedUntil, time - msPerDay)
  if (!(await hasNew(services, userId, 'mail', since))) return false
  return inTransaction(db, async (transaction) => {
    const claimed = await transaction
      .insertInto('notification_settings')
      .values({ user_id: userId, read_at: null, mailed_until: time })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ mailed_until: time })
          .where('notification_settings.mailed_until', '=', mailedUntil),
      )
      .returning('user_id')
      .executeTakeFirst()
    if (!claimed) return false
    await queueMail(transaction, { userId, message: { kind: 'digest', since } })
    return true
  })
}

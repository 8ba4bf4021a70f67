import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { notificationDays, notificationsMax, type NotificationKind } from '../../shared/notifications.ts'
import { isUser, readAccess } from '../access/user-access.ts'
import { dbNow, dialectOf } from '../db/dialect-of.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { deleteRows } from '../db/rows.ts'
import { everyMember } from './list-notifications.ts'

/*
 * Notifications are written in the transaction of what they report. Settings are read where they are shown or sent, so that an
 * event costs its author the same whatever its recipient chose.
 */

interface Actor {
  readonly id: string
  readonly name: string
}

/**
 * What a notification is about. Events of one kind, subject and day (UTC) are one notification, and the start and end of a theme are.
 * Decisions and appeals are never put together.
 */
interface About {
  readonly kind: NotificationKind
  readonly postId?: string | null
  readonly collectionId?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

interface NotificationEvent extends About {
  readonly userId: string
  /** User who caused it. */
  readonly actor?: Actor
  /** Posts that were added or are remixes, or generated image. */
  readonly subjectIds?: readonly string[]
}

/** Time in which an open page takes the notification of a generation back, in milliseconds. */
const generationDelayMs = 10_000

function bundleOf({ kind, postId, collectionId, now }: About): string | null {
  if (kind === 'decision' || kind === 'appeal') return null
  const day = kind === 'theme' ? [] : [new Date(now).toISOString().slice(0, 10)]
  return [kind, postId ?? collectionId ?? '', ...day].join(':')
}

/** Notifies a user, unless they caused the event, are blocked or do not exist any more. In the transaction of the event. */
export async function notify(transaction: Database, event: NotificationEvent): Promise<void> {
  const { userId, kind, actor, now } = event
  const subjectIds = event.subjectIds ?? (actor ? [''] : [])
  if (userId === actor?.id || !(await isReachable(transaction, userId))) return
  const seq = await insertNotification(transaction, userId, event)
  if (subjectIds.length > 0) {
    const common = { notification: seq, actor_id: actor?.id ?? '', actor_name: actor?.name ?? '' }
    await transaction
      .insertInto('notification_events')
      .values(subjectIds.map((subject_id) => Object.assign({ subject_id, created_at: now }, common)))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await schedulePushes(transaction, userId, kind === 'generation' ? generationDelayMs : 0)
}

/** Notifies every member, by one row that all of them read. */
export async function notifyMembers(transaction: Database, about: About): Promise<void> {
  await insertNotification(transaction, everyMember, about)
  await schedulePushes(transaction, null, 0)
}

/** Notifies the author of a post of a public remix of it. */
export async function notifyOfRemix(
  transaction: Database,
  remix: { readonly id: string; readonly parentId: string; readonly actor: Actor; readonly now: number },
): Promise<void> {
  const parent = await transaction
    .selectFrom('posts')
    .select('author_id')
    .where('id', '=', remix.parentId)
    .executeTakeFirst()
  if (!parent) return
  const { parentId: postId, id, actor, now } = remix
  await notify(transaction, { userId: parent.author_id, kind: 'remix', postId, subjectIds: [id], actor, now })
}

/** What the notification of a generation is about, which an open page takes back. */
export function aboutGeneration(row: { readonly created_at: number; readonly finished_at: number | null }) {
  return { kind: 'generation', now: row.finished_at ?? row.created_at } as const
}

/** Takes an event back, and its notification with the last one. */
export async function withdrawEvent(
  transaction: Database,
  about: About & { readonly userId: string },
  { actorId = '', subjectId = '' }: { readonly actorId?: string; readonly subjectId?: string },
): Promise<void> {
  const row = await transaction
    .selectFrom('notifications')
    .select('seq')
    .where('user_id', '=', about.userId)
    .where('bundle', '=', bundleOf(about))
    // Events that are added meanwhile wait.
    .$if(dialectOf(transaction) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) return
  await transaction
    .deleteFrom('notification_events')
    .where('notification', '=', row.seq)
    .where('actor_id', '=', actorId)
    .where('subject_id', '=', subjectId)
    .execute()
  const { latest } = await transaction
    .selectFrom('notification_events')
    .select((eb) => eb.fn.max<number | null>('created_at').as('latest'))
    .where('notification', '=', row.seq)
    .executeTakeFirstOrThrow()
  const notification = transaction.updateTable('notifications').where('seq', '=', row.seq)
  if (latest !== null) await notification.set({ created_at: latest }).execute()
  else await transaction.deleteFrom('notifications').where('seq', '=', row.seq).execute()
}

async function isReachable(transaction: Database, userId: string): Promise<boolean> {
  return (await isUser(transaction, userId)) && !(await readAccess(transaction, userId)).isBlocked
}

/** @returns `seq` of the new notification, or of the one that the event joins */
async function insertNotification(transaction: Database, userId: string, about: About): Promise<number> {
  const { seq } = await transaction
    .insertInto('notifications')
    .values({
      id: randomUUID(),
      user_id: userId,
      kind: about.kind,
      bundle: bundleOf(about),
      post_id: about.postId ?? null,
      collection_id: about.collectionId ?? null,
      created_at: about.now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'bundle']).doUpdateSet({ created_at: about.now }))
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

/** Lets the devices of a user, or of everyone, be told of what is new. @param userId null for everyone */
async function schedulePushes(transaction: Database, userId: string | null, delayMs: number): Promise<void> {
  const dueAt = sql<number>`${dbNow(transaction)} + ${sql.lit(delayMs)}`
  await transaction
    .updateTable('push_subscriptions')
    .set((eb) => ({
      pending: eb('pending', '+', 1),
      // A device that waits keeps its turn.
      due_at: sql<number>`CASE WHEN pending = 0 AND due_at < ${dueAt} THEN ${dueAt} ELSE due_at END`,
    }))
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .execute()
}

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

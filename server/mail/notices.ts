import type { Role, Viewer } from '../../shared/viewer.ts'
import type { WebhookDisabledReason } from '../../shared/webhooks.ts'
import type { Database } from '../db/open-database.ts'
import { notify } from '../notifications/notify.ts'
import { type ModerationMessage, queueBundledMail, queueMail } from './mail-queue.ts'
import { parseReasons } from '../audit/moderation-log.ts'

/** Longest quoted prompt, in UTF-16 code units. */
const quotedMax = 300

export interface Decision {
  readonly postId: string
  readonly decision: ModerationMessage['decision']
  readonly note?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Notifies the author of a post of a decision, and queues a mail about it. Call it in the transaction of the decision, after it is recorded
 * and before the post is deleted. Authors get none about a post that they have deleted themselves.
 */
export async function informAuthor(
  { sendsMail }: { readonly sendsMail: boolean },
  transaction: Database,
  administrator: Viewer,
  { postId, decision, note = '', now }: Decision,
): Promise<void> {
  const post = await transaction
    .selectFrom('moderation_log')
    .innerJoin('posts', 'posts.id', 'moderation_log.post_id')
    .select(['posts.author_id', 'posts.prompt', 'moderation_log.reasons'])
    .where('moderation_log.post_id', '=', postId)
    .where('posts.withdrawn_at', 'is', null)
    .orderBy('moderation_log.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!post || post.author_id === administrator.id) return
  const decided = { kind: 'decision', postId: decision === 'deleted' ? null : postId, now } as const
  await notify(transaction, { userId: post.author_id, ...decided })
  if (!sendsMail) return
  const [prompt, reasons] = [quoted(post.prompt), parseReasons(post.reasons)]
  const message = { kind: 'moderation', decision, prompt, reasons, note } as const
  await queueMail(transaction, { userId: post.author_id, message })
}

/** Notifies the owner of a collection of a decision, and queues a mail about it. In the transaction of the decision. */
export async function informOwner(
  { sendsMail }: { readonly sendsMail: boolean },
  transaction: Database,
  moderator: Viewer,
  collection: { readonly id: string; readonly owner_id: string; readonly title: string },
  { now, ...decided }: Pick<ModerationMessage, 'decision' | 'reasons' | 'note'> & { readonly now: number },
): Promise<void> {
  const { id: collectionId, owner_id: userId, title } = collection
  if (userId === moderator.id) return
  await notify(transaction, { kind: 'decision', userId, collectionId, now })
  if (!sendsMail) return
  const message = { kind: 'moderation', prompt: quoted(title), ...decided } as const
  await queueMail(transaction, { userId, message })
}

function quoted(prompt: string): string {
  if (prompt.length <= quotedMax) return prompt
  // Without half of a surrogate pair.
  return `${prompt.slice(0, quotedMax).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Queues a mail to moderators and administrators about a new report or appeal. In the transaction that stores it. */
export async function mailModerators(
  { sendsMail }: { readonly sendsMail: boolean },
  transaction: Database,
): Promise<void> {
  if (!sendsMail) return
  for (const userId of await findUsers(transaction, ['moderator', 'administrator']))
    await queueBundledMail(transaction, { userId, message: { kind: 'reports' } })
}

/** Notifies moderators and administrators of an appeal, and queues a mail. In the transaction that stores it. */
export async function informModerators(
  services: { readonly sendsMail: boolean },
  transaction: Database,
  { author, postId, now }: { readonly author: Viewer; readonly postId: string; readonly now: number },
): Promise<void> {
  const actor = { id: author.id, name: author.firstName }
  for (const userId of await findUsers(transaction, ['moderator', 'administrator']))
    await notify(transaction, { userId, kind: 'appeal', postId, actor, now })
  await mailModerators(services, transaction)
}

/**
 * Queues a mail to the owner of a webhook that was disabled: the user, or the administrators. It names the host only, as the rest
 * of the URL may be a secret.
 */
export async function mailWebhookOwner(
  { sendsMail }: { readonly sendsMail: boolean },
  transaction: Database,
  { user_id: ownerId, url }: { readonly user_id: string | null; readonly url: string },
  reason: WebhookDisabledReason,
): Promise<void> {
  if (!sendsMail) return
  const { host } = new URL(url)
  const message = { kind: 'webhook-disabled', host, reason, isOfSite: ownerId === null } as const
  const recipients = ownerId === null ? await findUsers(transaction, ['administrator']) : [ownerId]
  for (const userId of recipients) await queueMail(transaction, { userId, message })
}

/** Finds the users with some roles who are not blocked, in the order in which their rows are locked. */
async function findUsers(db: Database, roles: readonly Role[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('user_access')
    .select('user_id')
    .where('role', 'in', roles)
    .where('blocked_at', 'is', null)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

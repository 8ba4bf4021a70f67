import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { type ModerationMessage, queueBundledMail, queueMail } from './mail-queue.ts'
import { parseReasons } from '../audit/moderation-log.ts'

/** Longest quoted prompt, in UTF-16 code units. */
const quotedMax = 300

interface Decision {
  readonly postId: string
  readonly decision: ModerationMessage['decision']
  readonly note?: string | undefined
}

/**
 * Queues a mail to the author of a post about a decision. Call it in the transaction of the decision, after it is recorded
 * and before the post is deleted. Authors get none about a post that they have deleted themselves.
 */
export async function mailAuthor(
  { sendsMail }: { readonly sendsMail: boolean },
  transaction: Database,
  administrator: Viewer,
  { postId, decision, note = '' }: Decision,
): Promise<void> {
  if (!sendsMail) return
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
  await queueMail(transaction, {
    to: null,
    userId: post.author_id,
    language: null,
    message: {
      kind: 'moderation',
      decision,
      prompt: quoted(post.prompt),
      reasons: parseReasons(post.reasons),
      note,
    },
  })
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
  const moderators = await transaction
    .selectFrom('user_access')
    .select('user_id')
    .where('role', '<>', 'member')
    .where('blocked_at', 'is', null)
    // The order in which rows are locked.
    .orderBy('user_id')
    .execute()
  for (const { user_id: userId } of moderators) {
    await queueBundledMail(transaction, { to: null, userId, language: null, message: { kind: 'reports' } })
  }
}

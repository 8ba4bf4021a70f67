import type { ModerationNotice } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { UserServices } from '../access/user-access.ts'
import { parseReasons, selectDecisions, toAppeal } from '../audit/moderation-log.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { selectPosts, toPost } from '../posts/post-queries.ts'
import { isoTime } from '../text/iso-time.ts'

/** Maximum number of decisions that are read. */
const decisionsMax = 100

/** Time during which a deletion, or a post that was shown again, has a notice. */
const pastDecisionMs = 30 * msPerDay

/**
 * Lists what administrators have decided about the viewer's posts, newest first: the latest decision about each post, with
 * reasons, note and appeal. The administrator is not named.
 */
export async function listNotices(
  { db, now }: UserServices,
  viewer: Viewer,
): Promise<readonly ModerationNotice[]> {
  const decisions = await selectDecisions(db, viewer.id)
    .where('moderation_log.action', 'in', ['hide', 'unhide', 'delete'])
    .limit(decisionsMax)
    .execute()
  const latest = new Map<string, (typeof decisions)[number]>()
  for (const decision of decisions) if (!latest.has(decision.post_id)) latest.set(decision.post_id, decision)

  const posts = await ownPosts(db, viewer, [...latest.keys()])
  const notices: ModerationNotice[] = []
  for (const [postId, decision] of latest) {
    const row = posts.get(postId)
    const isHidden = row !== undefined && row.hidden_at !== null && row.withdrawn_at === null
    const isRecent = decision.decided_at > now() - pastDecisionMs
    const state =
      decision.action === 'delete' ? 'deleted' : decision.action === 'hide' ? 'hidden' : 'restored'
    // A post that its author has deleted needs no notice.
    if (state === 'hidden' ? !isHidden : !isRecent) continue
    if (state === 'restored' && (!row || row.hidden_at !== null)) continue
    notices.push({
      postId,
      state,
      post: row ? toPost({ ...row, hide_prompt: 0 }) : null,
      reasons: parseReasons(decision.reasons),
      note: decision.note,
      createdAt: isoTime(decision.decided_at),
      appeal: toAppeal(decision),
    })
  }
  return notices
}

async function ownPosts(db: Database, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await selectPosts(db)
    .select(['posts.hidden_at', 'posts.withdrawn_at'])
    .where('posts.id', 'in', ids)
    .where('posts.author_id', '=', viewer.id)
    .where('posts.trashed_visibility', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

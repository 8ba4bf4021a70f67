import { sql, type NotNull, type SelectQueryBuilder } from 'kysely'
import type { ModerationNotice } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { UserServices } from '../access/user-access.ts'
import type { Database } from '../db/open-database.ts'
import { countRows } from '../db/rows.ts'
import type { Schema } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { lockAuthor, selectPosts, toPost } from '../posts/post-queries.ts'
import { postNotFound } from '../access/visible-post.ts'
import { isoTime } from '../text/iso-time.ts'
import { selectDecisions, toAppeal, toDecision } from '../audit/moderation-log.ts'
import { msPerDay } from '../db/gallery.ts'
import { selectOpenAppeals } from '../audit/waiting-reports.ts'
import type { Call } from '../procedures/procedures.ts'
import { informModerators } from '../mail/notices.ts'

const listedPostsMax = 100
const listedReportsMax = 20

/**
 * Lists the posts whose authors have appealed, then other reported posts, the most recently reported first, then hidden posts
 * without reports. A reported post that is private, or in the trash, returns once others see it again.
 */
export async function listReportedPosts({ db }: { db: Database }) {
  const rows = await selectPosts(db)
    .leftJoin('reports', 'reports.post_id', 'posts.id')
    .leftJoin(
      selectOpenAppeals(db)
        .select(['appeals.post_id', 'appeals.comment', 'appeals.created_at', 'appeals.closed_at'])
        .as('appeal'),
      'appeal.post_id',
      'posts.id',
    )
    .select((eb) => [
      'posts.hidden_at',
      'posts.withdrawn_at',
      'appeal.comment as appeal_comment',
      'appeal.created_at as appealed_at',
      eb.fn.count<number>('reports.seq').as('reportCount'),
      eb
        .selectFrom('posts as others')
        .innerJoin('images as copies', 'copies.id', 'others.image_id')
        .select((others) => others.fn.countAll<number>().as('posts'))
        .whereRef('copies.owner_id', '=', 'images.owner_id')
        .whereRef('copies.sha256', '=', 'images.sha256')
        .as('postsOfImage'),
    ])
    .$narrowType<{ postsOfImage: NotNull }>()
    .where('posts.id', 'in', reportedOrHidden(db))
    .groupBy(['posts.seq', 'images.seq', 'post_stats.seq', 'appeal.comment', 'appeal.created_at'])
    .orderBy(sql`appeal.created_at IS NULL`)
    .orderBy(sql`max(reports.seq)`, (order) => order.desc().nullsLast())
    .orderBy('posts.hidden_at', 'desc')
    .limit(listedPostsMax)
    .execute()
  const total = await countRows(db.selectFrom(reportedOrHidden(db).as('listed')))
  const entries = []
  for (const row of rows) {
    entries.push({
      post: toPost(row),
      /** True if its image is hidden, with every post that shows it. */
      isHidden: row.hidden_at !== null,
      /** True if its author deleted it while it was hidden. It is kept until an administrator decides. */
      isWithdrawn: row.withdrawn_at !== null,
      /** Number of posts of its image or a copy of it. They are hidden, unhidden and deleted together. */
      postsOfImage: row.postsOfImage,
      reports: await newestReports(db.selectFrom('reports').where('post_id', '=', row.id)),
      reportCount: row.reportCount,
      /** The author's appeal that waits for an answer, or null. */
      appeal: toAppeal({ comment: row.appeal_comment, created_at: row.appealed_at, closed_at: null }),
    })
  }
  return { entries, total }
}

/** Selects the ids of posts that are hidden, or reported and not private. UNION removes duplicates. */
function reportedOrHidden(db: Database) {
  return db
    .selectFrom('reports')
    .innerJoin('posts', 'posts.id', 'reports.post_id')
    .select('reports.post_id as id')
    .where('posts.visibility', '<>', 'private')
    .union(db.selectFrom('posts').select('posts.id').where('posts.hidden_at', 'is not', null))
}

/** Lists reports, whose reporters are not stored. The comment is empty for a reason only. */
export async function newestReports(
  selected: SelectQueryBuilder<Pick<Schema, 'reports'>, 'reports', object>,
) {
  const rows = await selected
    .select(['seq as id', 'reason', 'comment', 'created_at'])
    .orderBy('seq', 'desc')
    .limit(listedReportsMax)
    .execute()
  return rows.map(({ created_at, ...report }) => Object.assign(report, { createdAt: isoTime(created_at) }))
}

/**
 * Stores the viewer's appeal against the decision to hide a post, for the administrators.
 *
 * @throws AppError `not_found` unless the viewer is the author and the post is hidden; `bad_input` for a second appeal
 *   against the same decision
 */
export async function appealAgainst({
  ctx: { services, viewer },
  input: { postId, comment },
}: Call<
  UserServices & { readonly sendsMail: boolean },
  { readonly postId: string; readonly comment: string }
>): Promise<{ postId: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, postId)
    const decision = await transaction
      .selectFrom('moderation_log')
      .innerJoin('posts', 'posts.id', 'moderation_log.post_id')
      .select('moderation_log.seq')
      .where('posts.id', '=', postId)
      .where('posts.author_id', '=', viewer.id)
      .where('posts.hidden_at', 'is not', null)
      .where('posts.withdrawn_at', 'is', null)
      .where('moderation_log.author_id', '=', viewer.id)
      .where('moderation_log.action', '=', 'hide')
      .orderBy('moderation_log.seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(postNotFound)
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('appeals')
      .values({
        decision: decision.seq,
        post_id: postId,
        author_id: viewer.id,
        comment,
        created_at: services.now(),
        closed_at: null,
      })
      .onConflict((conflict) => conflict.column('decision').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AppError('bad_input', describedDetail('appealed_already'))
    }
    await informModerators(services, transaction, { author: viewer, postId, now: services.now() })
  })
  return { postId }
}

const decisionsMax = 100

/** Time during which a deletion, or a post that was shown again, has a notice. */
const pastDecisionMs = 30 * msPerDay

/**
 * Lists what administrators have decided about the viewer's posts, newest first: the latest decision about each post, with
 * reasons, note and appeal. The administrator is not named.
 */
export async function listNotices({ db, now }: UserServices, viewer: Viewer) {
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
    const post = row ? toPost({ ...row, hide_prompt: 0 }) : null
    notices.push({ ...toDecision(decision), state, post })
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

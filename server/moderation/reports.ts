import { sql, type NotNull } from 'kysely'
import type { Logger } from 'pino'
import type { Report, ReportedPost, ReportedPosts, ReportReason } from '../../shared/moderation.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { selectOpenAppeals, toAppeal } from './appeals.ts'
import { mailModerators } from './mail-notices.ts'
import { lockAuthor, requireVisiblePost, selectPosts, toPost } from '../posts/post-queries.ts'

const listedPostsMax = 100
const listedReportsMax = 20

/** Number up to which `countReported` counts. */
const countMax = 100

/**
 * Reports a post to the administrators. The reporter is not stored.
 *
 * @throws AppError `not_found`, also for a post that is hidden already or private
 */
export async function reportPost(
  services: { db: Database; log: Logger; now: () => number; sendsMail: boolean },
  report: { readonly id: string; readonly reason: ReportReason; readonly comment: string },
): Promise<{ id: string }> {
  const { id, reason, comment } = report
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    await requireVisiblePost(transaction, id, null)
    await transaction
      .insertInto('reports')
      .values({ post_id: id, reason, comment, created_at: services.now() })
      .execute()
    await mailModerators(services, transaction)
  })
  services.log.info({ postId: id, reason }, 'a post was reported')
  return { id }
}

/**
 * Lists the posts whose authors have appealed, then other reported posts, the most recently reported first, then hidden posts
 * without reports.
 */
export async function listReportedPosts({ db }: { db: Database }): Promise<ReportedPosts> {
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
  const { total } = await db
    .selectFrom(reportedOrHidden(db).as('listed'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const entries: ReportedPost[] = []
  for (const row of rows) {
    entries.push({
      post: toPost(row),
      isHidden: row.hidden_at !== null,
      isWithdrawn: row.withdrawn_at !== null,
      postsOfImage: row.postsOfImage,
      reports: await newestReports(db, row.id),
      reportCount: row.reportCount,
      appeal: toAppeal({ comment: row.appeal_comment, created_at: row.appealed_at, closed_at: null }),
    })
  }
  return { entries, total }
}

/** Counts the posts that are reported or whose author has appealed, up to 100. */
export async function countReported({ db }: { db: Database }): Promise<number> {
  const reported = db
    .selectFrom('reports')
    .innerJoin('posts', 'posts.id', 'reports.post_id')
    .select('reports.post_id')
    .where((eb) => eb.or([eb('posts.trashed_visibility', 'is', null), eb('posts.hidden_at', 'is not', null)]))
    .distinct()
    .orderBy('reports.post_id')
    .limit(countMax)
  const appealed = selectOpenAppeals(db).select('appeals.post_id').limit(countMax)
  const waiting = db
    .selectFrom(reported.as('reported'))
    .select('reported.post_id')
    .union(db.selectFrom(appealed.as('appealed')).select('appealed.post_id'))
    .limit(countMax)
  const { count } = await db
    .selectFrom(waiting.as('waiting'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Selects the ids of posts that are reported or hidden; not of reported ones in the trash. UNION removes duplicates. */
function reportedOrHidden(db: Database) {
  return db
    .selectFrom('reports')
    .innerJoin('posts', 'posts.id', 'reports.post_id')
    .select('reports.post_id as id')
    .where('posts.trashed_visibility', 'is', null)
    .union(db.selectFrom('posts').select('posts.id').where('posts.hidden_at', 'is not', null))
}

async function newestReports(db: Database, postId: string): Promise<readonly Report[]> {
  const rows = await db
    .selectFrom('reports')
    .select(['seq', 'reason', 'comment', 'created_at'])
    .where('post_id', '=', postId)
    .orderBy('seq', 'desc')
    .limit(listedReportsMax)
    .execute()
  return rows.map(({ seq, reason, comment, created_at }) => ({
    id: seq,
    reason,
    comment,
    createdAt: new Date(created_at).toISOString(),
  }))
}

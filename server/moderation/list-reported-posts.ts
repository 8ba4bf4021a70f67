import { sql, type NotNull } from 'kysely'
import type { Report, ReportedPost, ReportedPosts } from '../../shared/moderation.ts'
import type { Database } from '../db/open-database.ts'
import { selectPosts, toPost } from '../posts/post-queries.ts'

const shownPosts = 100
const shownReports = 20

/** The posts that wait for an administrator: reported ones, the last reported first, then hidden ones. */
export async function listReportedPosts({ db }: { db: Database }): Promise<ReportedPosts> {
  const rows = await selectPosts(db)
    .leftJoin('reports', 'reports.post_id', 'posts.id')
    .select((eb) => [
      'posts.hidden_at',
      'posts.withdrawn_at',
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
    .where('posts.id', 'in', waitingPosts(db))
    .groupBy('posts.id')
    .orderBy(sql`max(reports.seq)`, (order) => order.desc().nullsLast())
    .orderBy('posts.hidden_at', 'desc')
    .limit(shownPosts)
    .execute()
  const { total } = await db
    .selectFrom(waitingPosts(db).as('waiting'))
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
    })
  }
  return { entries, total }
}

/** Their ids, each once. */
function waitingPosts(db: Database) {
  return db
    .selectFrom('reports')
    .select('reports.post_id as id')
    .union(db.selectFrom('posts').select('posts.id').where('posts.hidden_at', 'is not', null))
}

async function newestReports(db: Database, postId: string): Promise<readonly Report[]> {
  const rows = await db
    .selectFrom('reports')
    .select(['seq', 'reason', 'comment', 'created_at'])
    .where('post_id', '=', postId)
    .orderBy('seq', 'desc')
    .limit(shownReports)
    .execute()
  return rows.map(({ seq, reason, comment, created_at }) => ({
    id: seq,
    reason,
    comment,
    createdAt: new Date(created_at).toISOString(),
  }))
}

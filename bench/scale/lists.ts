import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pageSize } from '../../shared/limits.ts'
import { encodeCursor, encodeRank } from '../../server/db/pagination.ts'
import { openDatabaseFile, type Database } from '../../server/db/open-database.ts'
import { seededGallery, startBuiltServer } from '../built-server.ts'
import { ask, listPath, median, percentile, timed, type Print } from '../measure.ts'
import { withCluster } from './cluster.ts'
import { newPosts, withSeededPostgres } from './search.ts'

const rounds = 60
const atMost = 3
const likes = 500
const days = 60
/** Every nth post has likes. */
const likedEach = 25

/** Lists of a large gallery compared with the newest posts, likes, and new posts, on both databases. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 20_000 : 1_000_000
  const { folder, file } = seededGallery(posts, print)
  const db = await openDatabaseFile(file)
  try {
    await measure('SQLite', db, folder, {}, print)
  } finally {
    await db.destroy()
  }
  await withCluster((cluster) =>
    withSeededPostgres(cluster, posts, print, (site) =>
      measure('PostgreSQL', site.db, site.folder, site.settings, print),
    ),
  )
}

async function measure(
  name: string,
  db: Database,
  folder: string,
  settings: Record<string, string>,
  print: Print,
): Promise<void> {
  await spreadPosts(db)
  const lists = await listsOf(db)
  const server = await startBuiltServer(folder, settings)
  const figures = new Map(lists.map((list) => [list.name, [] as number[]]))
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Another limit in each round, as responses are cached.
      for (const { name: list, input } of lists)
        figures.get(list)?.push(await ask(server.port, listPath({ ...input, limit: pageSize + round })))
    }
  } finally {
    await server.stop()
  }
  const newest = median(figures.get('newest') ?? [])
  for (const [list, times] of figures) {
    print(
      `scale: ${name}: ${list.padEnd(36)} median ${median(times).toFixed(2)} ms; to the newest ${(median(times) / newest).toFixed(2)} (at most ${atMost})`,
    )
  }
  await newLikes(name, db, print)
  await newPosts(db, (line) => print(`${line}, ${name}`))
}

/** Distributes the posts, which were seeded on one day, over the days before it, and adds likes. */
async function spreadPosts(db: Database): Promise<void> {
  if (await db.selectFrom('post_likes').select('post_id').limit(1).executeTakeFirst()) return
  await db.transaction().execute(async (transaction) => {
    await sql`UPDATE post_stats SET day = day - seq % ${sql.lit(days)}`.execute(transaction)
    await sql`DELETE FROM day_totals`.execute(transaction)
    await sql`
      INSERT INTO day_totals (day, posts)
      SELECT day, count(*) FROM post_stats WHERE listed = 1 GROUP BY day`.execute(transaction)
    for (const user of ['asha', 'meera', 'ravi']) {
      const count = { asha: 1, meera: 4, ravi: 9 }[user] ?? 1
      await sql`
        INSERT INTO post_likes (post_id, user_id, created_at)
        SELECT id, ${user}, 0 FROM posts WHERE seq % ${sql.lit(likedEach * count)} = 0`.execute(transaction)
    }
  })
}

async function listsOf(db: Database) {
  const { authorId } = await db
    .selectFrom('author_totals')
    .select('author_id as authorId')
    .orderBy('posts', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const middle = await db
    .selectFrom('post_stats')
    .select(['likes', 'seq'])
    .where('likes', '=', 0)
    .orderBy('seq')
    .limit(1)
    .offset(sql<number>`(SELECT count(*) / 2 FROM post_stats)`)
    .executeTakeFirstOrThrow()
  const newest = encodeCursor('post', middle.seq)
  const top = encodeRank(middle)
  return [
    { name: 'newest', input: {} },
    { name: 'newest, deep', input: { cursor: newest } },
    ...(['week', 'month', 'all'] as const).flatMap((period) => [
      { name: `most liked, ${period}`, input: { sort: 'top', period } },
      { name: `most liked, ${period}, deep`, input: { sort: 'top', period, cursor: top } },
    ]),
    { name: 'of an author', input: { authorId } },
    { name: 'of an author, deep', input: { authorId, cursor: newest } },
    { name: 'most liked of an author', input: { authorId, sort: 'top' } },
    { name: 'most liked of an author, deep', input: { authorId, sort: 'top', cursor: top } },
  ]
}

async function newLikes(name: string, db: Database, print: Print): Promise<void> {
  const posts = await db
    .selectFrom('posts')
    .select('id as post_id')
    .where(sql<boolean>`seq % 997 = 1`)
    .limit(likes)
    .execute()
  const user_id = randomUUID()
  const times: number[] = []
  for (const { post_id } of posts) {
    const like = { post_id, user_id, created_at: Date.now() }
    times.push(await timed(() => db.insertInto('post_likes').values(like).execute()))
  }
  await db.deleteFrom('post_likes').where('user_id', '=', user_id).execute()
  print(
    `scale: ${name}: a like: p99 ${percentile(times, 0.99).toFixed(1)} ms, median ${median(times).toFixed(1)} ms`,
  )
}

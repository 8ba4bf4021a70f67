import { sql } from 'kysely'
import { dialectOf } from '../../db/dialect-of.ts'
import { isListed } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import type { Issue } from './issue.ts'

const indexes = ['posts_trigrams', 'posts_grams'] as const

type Index = (typeof indexes)[number]

const listedPosts = sql`SELECT seq FROM posts WHERE ${isListed()}`

/** FTS5 stores one row per indexed text in this table. @see https://sqlite.org/fts5.html#shadow_tables */
const indexedPosts = (index: Index) => sql`SELECT id FROM ${sql.table(`${index}_docsize`)}`

/** Differences between posts, search index and the gallery's count. One statement each, so that a running server's writes do not interfere. */
export async function* searchIssues(db: Database): AsyncGenerator<Issue> {
  for (const index of dialectOf(db) === 'sqlite' ? indexes : []) {
    for (const seq of await missingPosts(db, index)) {
      yield {
        message: `Post number ${seq} is not in the search index ${index}`,
        fix: () => reindex(db, [seq]),
      }
    }
    for (const seq of await surplusPosts(db, index)) {
      yield {
        message: `The search index ${index} contains post number ${seq}, which is not in the gallery`,
        fix: () => removeFromIndex(db, index, seq),
      }
    }
  }
  const { listed, counted } = await galleryCount(db)
  if (listed === counted) return
  yield {
    message: `The gallery counts ${counted ?? 'no'} posts instead of ${listed}`,
    fix: () => recount(db),
  }
}

async function missingPosts(db: Database, index: Index): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    ${listedPosts} AND seq NOT IN (${indexedPosts(index)})`.execute(db)
  return rows.map(({ seq }) => seq)
}

async function surplusPosts(db: Database, index: Index): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${indexedPosts(index)} WHERE id NOT IN (${listedPosts})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Does nothing if the post is listed by now. */
async function removeFromIndex(db: Database, index: Index, seq: number): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(index)} WHERE rowid = ${seq} AND rowid NOT IN (${listedPosts})`.execute(db)
}

async function galleryCount(db: Database): Promise<{ listed: number; counted: number | null }> {
  const { rows } = await sql<{ listed: number; counted: number | null }>`
    SELECT (SELECT count(*) FROM posts WHERE ${isListed()}) AS listed,
      (SELECT CASE count(*) WHEN 1 THEN max(posts) END FROM gallery) AS counted`.execute(db)
  return rows[0] ?? { listed: 0, counted: null }
}

async function recount(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const updated = await sql`
      UPDATE gallery SET posts = (SELECT count(*) FROM (${listedPosts}) AS listed), changes = changes + 1`.execute(
      transaction,
    )
    if (updated.numAffectedRows === 1n) return
    await sql`DELETE FROM gallery`.execute(transaction)
    const listed = sql`(${listedPosts}) AS listed`
    await (
      dialectOf(db) === 'sqlite'
        ? sql`INSERT INTO gallery (posts, changes) SELECT count(*), 0 FROM ${listed}`
        : sql`
          INSERT INTO gallery (posts, newest, changes)
          SELECT count(*), (SELECT coalesce(max(seq), 0) FROM posts), 0 FROM ${listed}`
    ).execute(transaction)
  })
}

/** Number of posts per statement, so that a running server can write in between. */
const rebuildBatchSize = 200

/** Empties the search index and fills it again; meanwhile searches miss posts. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const index of indexes) {
      await sql`INSERT INTO ${sql.table(index)} (${sql.ref(index)}) VALUES ('delete-all')`.execute(
        transaction,
      )
    }
  })
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('posts')
      .select('seq')
      .where(isListed())
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(rebuildBatchSize)
      .execute()
    const newest = rows.at(-1)
    if (!newest) return
    await reindex(
      db,
      rows.map(({ seq }) => seq),
    )
    last = newest.seq
  }
}

/** Makes the triggers on posts write the index entries again. */
async function reindex(db: Database, seqs: readonly number[]): Promise<void> {
  await db
    .updateTable('posts')
    .set((eb) => ({ search_text: eb.ref('search_text') }))
    .where('seq', 'in', seqs)
    .execute()
}

import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'
import type { Fault } from './issue.ts'
import { indexAnew } from './rebuild-search-index.ts'

const indexes = ['posts_trigrams', 'posts_grams'] as const

/** Where the search index and the gallery's count disagree with the posts. Each is asked about in one statement, and so at one moment. */
export async function* searchIssues(db: Database): AsyncGenerator<Fault> {
  for (const index of indexes) {
    for (const seq of await unfound(db, index)) {
      yield {
        what: `Post number ${seq} is not in the search index ${index}`,
        mend: () => indexAnew(db, [seq]),
      }
    }
    for (const seq of await foundInVain(db, index)) {
      yield {
        what: `The search index ${index} finds post number ${seq}, which is not in the gallery`,
        mend: () => removeFromIndex(db, index, seq),
      }
    }
  }
  const { shown, counted } = await galleryCount(db)
  if (shown === counted) return
  yield {
    what: `The gallery counts ${counted ?? 'no'} posts, and ${shown} are in it`,
    mend: () => countAnew(db),
  }
}

type Index = (typeof indexes)[number]

/** FTS5 keeps a row for each text that it knows in a table of its own. */
const known = (index: Index) => sql`SELECT id FROM ${sql.table(`${index}_docsize`)}`

const shownPosts = sql`SELECT seq FROM posts WHERE hidden_at IS NULL`

async function unfound(db: Database, index: Index): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`${shownPosts} AND seq NOT IN (${known(index)})`.execute(db)
  return rows.map(({ seq }) => seq)
}

async function foundInVain(db: Database, index: Index): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${known(index)} WHERE id NOT IN (${shownPosts})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Unless it has come into the gallery meanwhile. */
async function removeFromIndex(db: Database, index: Index, seq: number): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(index)} WHERE rowid = ${seq} AND rowid NOT IN (${shownPosts})`.execute(db)
}

async function galleryCount(db: Database): Promise<{ shown: number; counted: number | null }> {
  const { rows } = await sql<{ shown: number; counted: number | null }>`
    SELECT (SELECT count(*) FROM posts WHERE hidden_at IS NULL) AS shown,
      (SELECT CASE count(*) WHEN 1 THEN max(posts) END FROM gallery) AS counted`.execute(db)
  return rows[0] ?? { shown: 0, counted: null }
}

async function countAnew(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const changed = await sql`
      UPDATE gallery SET posts = (SELECT count(*) FROM (${shownPosts})), changes = changes + 1`.execute(
      transaction,
    )
    if (changed.numAffectedRows === 1n) return
    await sql`DELETE FROM gallery`.execute(transaction)
    await sql`INSERT INTO gallery (posts, changes) SELECT count(*), 0 FROM (${shownPosts})`.execute(
      transaction,
    )
  })
}

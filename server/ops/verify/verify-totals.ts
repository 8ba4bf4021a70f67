import { sql, type RawBuilder } from 'kysely'
import { isListed, msPerDay } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import type { Issue } from './issue.ts'

/** Table whose rows triggers compute from the posts and their likes. */
interface ComputedTable {
  readonly name: 'post_stats' | 'author_totals' | 'day_totals'
  /** Primary key, also the first of the columns. */
  readonly key: string
  readonly columns: readonly string[]
  /** Selects the columns of the rows that it should have. */
  readonly expected: RawBuilder<unknown>
  readonly issue: (rows: number) => string
}

const day = sql`posts.created_at / ${sql.lit(msPerDay)}`

const computedTables: readonly ComputedTable[] = [
  {
    name: 'post_stats',
    key: 'seq',
    columns: ['seq', 'author_id', 'day', 'likes', 'listed'],
    expected: sql`
      SELECT posts.seq, posts.author_id, ${day},
        (SELECT count(*) FROM post_likes WHERE post_likes.post_id = posts.id),
        CASE WHEN ${isListed()} THEN 1 ELSE 0 END
      FROM posts`,
    issue: (rows) => `The likes or the visibility of posts are counted wrongly (${rows})`,
  },
  {
    name: 'author_totals',
    key: 'author_id',
    columns: ['author_id', 'posts'],
    expected: sql`SELECT author_id, count(*) FROM posts WHERE ${isListed()} GROUP BY author_id`,
    issue: (rows) => `The posts of authors are counted wrongly (${rows})`,
  },
  {
    name: 'day_totals',
    key: 'day',
    columns: ['day', 'posts'],
    expected: sql`SELECT ${day}, count(*) FROM posts WHERE ${isListed()} GROUP BY ${day}`,
    issue: (rows) => `The posts of days are counted wrongly (${rows})`,
  },
]

/**
 * Differences between posts and likes and what triggers count of them. One statement for each table, so that a running
 * server's writes do not interfere.
 */
export async function* totalsIssues(db: Database): AsyncGenerator<Issue> {
  for (const table of computedTables) {
    const { rows } = await sql<{ wrong: number }>`
      SELECT count(DISTINCT ${sql.ref(table.key)}) AS wrong FROM (
        SELECT * FROM (${surplusRows(table)}) AS surplus
        UNION ALL SELECT * FROM (${missingRows(table)}) AS missing
      ) AS different`.execute(db)
    const wrong = rows[0]?.wrong ?? 0
    if (wrong > 0) yield { message: table.issue(wrong), fix: () => recompute(db, table) }
  }
}

function surplusRows(table: ComputedTable) {
  return sql`SELECT ${columnsOf(table)} FROM ${sql.table(table.name)} EXCEPT ${table.expected}`
}

function missingRows(table: ComputedTable) {
  return sql`${table.expected} EXCEPT SELECT ${columnsOf(table)} FROM ${sql.table(table.name)}`
}

function columnsOf({ columns }: ComputedTable) {
  return sql.join(columns.map((column) => sql.ref(column)))
}

async function recompute(db: Database, table: ComputedTable): Promise<void> {
  const [name, key] = [sql.table(table.name), sql.ref(table.key)]
  await db.transaction().execute(async (transaction) => {
    // Triggers change this row first, so that they wait. The changed number outdates cached responses.
    await sql`UPDATE gallery SET changes = changes + 1`.execute(transaction)
    await sql`
      DELETE FROM ${name} WHERE ${key} IN (SELECT ${key} FROM (${surplusRows(table)}) AS surplus)`.execute(
      transaction,
    )
    await sql`
      INSERT INTO ${name} (${columnsOf(table)}) SELECT * FROM (${missingRows(table)}) AS missing`.execute(
      transaction,
    )
  })
}

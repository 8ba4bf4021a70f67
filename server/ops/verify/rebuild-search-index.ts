import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'

/** Posts of one statement, so that a running server has its turn between two. */
const batchSize = 200

/** Empties the search index and fills it again; what is not in it yet is not found meanwhile. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of ['posts_trigrams', 'posts_grams']) {
      await sql`INSERT INTO ${sql.table(table)} (${sql.ref(table)}) VALUES ('delete-all')`.execute(
        transaction,
      )
    }
  })
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('posts')
      .select('seq')
      .where('hidden_at', 'is', null)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    const newest = rows.at(-1)
    if (!newest) return
    await indexAnew(
      db,
      rows.map(({ seq }) => seq),
    )
    last = newest.seq
  }
}

/** Has the triggers on posts write what the index says of some. */
export async function indexAnew(db: Database, seqs: readonly number[]): Promise<void> {
  await db
    .updateTable('posts')
    .set((eb) => ({ search_text: eb.ref('search_text') }))
    .where('seq', 'in', seqs)
    .execute()
}

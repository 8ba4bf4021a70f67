import { sql } from 'kysely'
import { integrityIssues } from '../../db/sqlite/maintenance.ts'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import { expectedSchemaParts, schemaParts } from '../../db/sqlite/schema-parts.ts'
import { searchText } from '../../posts/search/normalize.ts'
import type { Issue, VerifiedSite } from './issue.ts'
import { imageIssues } from './verify-images.ts'
import { rebuildSearchIndex, searchIssues } from './verify-search.ts'
import { totalsIssues } from './verify-totals.ts'

/**
 * Verifies the stored data of a site while its server runs. PostgreSQL checks its tables, references and indexes itself,
 * so that only 3 without the index, and 4, apply to it:
 *
 * 1. SQLite's integrity check, and tables, indexes and triggers of the schema. Ends after these if a table is damaged or
 *    missing.
 * 2. References between rows.
 * 3. The text that each post is searched by, the search index, and the counts of posts and likes.
 * 4. The files of every image, and files that no row references.
 *
 * @param report called with the number of verified images
 */
export async function* verifyData(
  site: VerifiedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Issue> {
  if (dialectOf(site.db) === 'sqlite') {
    let isReadable = true
    for (const issues of [damage(site.db), schemaIssues(site.db)]) {
      for await (const issue of issues) {
        if (!issue.fix) isReadable = false
        yield issue
      }
    }
    if (!isReadable) return
    yield* referenceIssues(site.db)
  }
  yield* searchTextIssues(site.db)
  yield* searchIssues(site.db)
  yield* totalsIssues(site.db)
  yield* imageIssues(site, report)
}

/** Matches damage to an index, which SQLite can rebuild from its table. */
const indexDamage = /(?:missing from|in|of) index |non-unique entry in index/

/** Matches damage inside a full-text index. */
const searchIndexDamage = /fts5.*posts_(?:trigrams|grams)/i

/** Results of SQLite's integrity check, one issue per kind. */
async function* damage(db: Database): AsyncGenerator<Issue> {
  const messages = await integrityIssues(db)
  const inSearchIndex = messages.filter((message) => searchIndexDamage.test(message))
  const rest = messages.filter((message) => !searchIndexDamage.test(message))
  const inIndexes = rest.filter((message) => indexDamage.test(message))
  const inTables = rest.filter((message) => !indexDamage.test(message))
  yield* summarize(inTables, null)
  yield* summarize(inIndexes, async () => void (await sql`REINDEX`.execute(db)))
  yield* summarize(inSearchIndex, () => rebuildSearchIndex(db))
}

function* summarize(messages: readonly string[], fix: Issue['fix']): Generator<Issue> {
  const [first] = messages
  if (first === undefined) return
  const more = messages.length > 1 ? ` (and ${messages.length - 1} similar)` : ''
  yield { message: `The database is damaged: ${first.replaceAll('\n', ' ')}${more}`, fix }
}

/** Missing tables, indexes and triggers, as after a change by hand. */
async function* schemaIssues(db: Database): AsyncGenerator<Issue> {
  const existing = new Set((await schemaParts(db)).map(({ type, name }) => `${type} ${name}`))
  for (const part of await expectedSchemaParts()) {
    if (existing.has(`${part.type} ${part.name}`)) continue
    yield {
      message: `The database has no ${part.type} ${part.name}`,
      // The rows of a table are lost with it.
      fix: part.type === 'table' ? null : async () => void (await sql.raw(part.sql).execute(db)),
    }
  }
}

/** Rows that reference missing rows; fixed by deleting them if their foreign key cascades. */
async function* referenceIssues(db: Database): AsyncGenerator<Issue> {
  const { rows } = await sql<{ table: string; rowid: number; parent: string; fkid: number }>`
    SELECT "table", rowid, parent, fkid FROM pragma_foreign_key_check`.execute(db)
  for (const { table, rowid, parent, fkid } of rows) {
    yield {
      message: `Row ${rowid} of ${table} references a missing row of ${parent}`,
      fix: (await cascadesOnDelete(db, table, fkid)) ? () => deleteRow(db, table, rowid) : null,
    }
  }
}

async function cascadesOnDelete(db: Database, table: string, fkid: number): Promise<boolean> {
  const { rows } = await sql<{ on_delete: string }>`
    SELECT on_delete FROM pragma_foreign_key_list(${table}) WHERE id = ${fkid}`.execute(db)
  return rows[0]?.on_delete === 'CASCADE'
}

async function deleteRow(db: Database, table: string, rowid: number): Promise<void> {
  await sql`DELETE FROM ${sql.table(table)} WHERE rowid = ${rowid}`.execute(db)
}

const textBatchSize = 1_000

/** Posts whose search text differs from their name and their prompt, unless it is hidden, as after a change by hand. */
async function* searchTextIssues(db: Database): AsyncGenerator<Issue> {
  for (let last = 0; ;) {
    const posts = await db
      .selectFrom('posts')
      .select(['seq', 'id', 'name', 'prompt', 'hide_prompt', 'search_text'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(textBatchSize)
      .execute()
    for (const { id, name, prompt, hide_prompt, search_text } of posts) {
      const expected = searchText(name, hide_prompt ? '' : prompt)
      if (expected === search_text) continue
      yield {
        message: `The search text of the post ${id} is outdated`,
        async fix() {
          await db
            .updateTable('posts')
            .set({ search_text: expected })
            .where('id', '=', id)
            .where('name', '=', name)
            .where('prompt', '=', prompt)
            .where('hide_prompt', '=', hide_prompt)
            .execute()
        },
      }
    }
    const newest = posts.at(-1)
    if (!newest) return
    last = newest.seq
  }
}

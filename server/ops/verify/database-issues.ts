import { sql } from 'kysely'
import { integrityIssues } from '../../db/sqlite/maintenance.ts'
import type { Database } from '../../db/open-database.ts'
import type { Fault } from './issue.ts'
import { rebuildSearchIndex } from './rebuild-search-index.ts'

/** A key of a table that disagrees with the table, which is made anew from it. */
const ofKey = /(?:missing from|in|of) index |non-unique entry in index/

/** What is in a search index disagrees with itself. */
const ofSearchIndex = /fts5.*posts_(?:trigrams|grams)/i

/** What SQLite finds wrong with the file: one fault of each kind, in the words of the first. */
export async function* damage(db: Database): AsyncGenerator<Fault> {
  const found = await integrityIssues(db)
  const inSearch = found.filter((fault) => ofSearchIndex.test(fault))
  const inKeys = found.filter((fault) => !inSearch.includes(fault) && ofKey.test(fault))
  const others = found.filter((fault) => !inSearch.includes(fault) && !inKeys.includes(fault))
  const reindex = async () => void (await sql`REINDEX`.execute(db))
  yield* told(others, null)
  yield* told(inKeys, reindex)
  yield* told(inSearch, () => rebuildSearchIndex(db))
}

function* told(faults: readonly string[], mend: Fault['mend']): Generator<Fault> {
  const [first] = faults
  if (first === undefined) return
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more like it)` : ''
  yield { what: `The database is damaged: ${first.replaceAll('\n', ' ')}${others}`, mend }
}

/** Rows that name others which are not there. */
export async function* referenceIssues(db: Database): AsyncGenerator<Fault> {
  const { rows } = await sql<{ table: string; rowid: number; parent: string; fkid: number }>`
    SELECT "table", rowid, parent, fkid FROM pragma_foreign_key_check`.execute(db)
  for (const { table, rowid, parent, fkid } of rows) {
    yield {
      what: `Row ${rowid} of ${table} names one of ${parent} that is not there`,
      mend: (await goesWithParent(db, table, fkid)) ? () => removeRow(db, table, rowid) : null,
    }
  }
}

/** Whether the schema says that a row is deleted with the one that it names. */
async function goesWithParent(db: Database, table: string, fkid: number): Promise<boolean> {
  const { rows } = await sql<{ on_delete: string }>`
    SELECT on_delete FROM pragma_foreign_key_list(${table}) WHERE id = ${fkid}`.execute(db)
  return rows[0]?.on_delete === 'CASCADE'
}

async function removeRow(db: Database, table: string, rowid: number): Promise<void> {
  await sql`DELETE FROM ${sql.table(table)} WHERE rowid = ${rowid}`.execute(db)
}

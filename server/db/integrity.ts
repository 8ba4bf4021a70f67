import { sql, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** What SQLite itself finds wrong with a database, in its words; nothing where it is sound. */
export async function integrityIssues(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db)
  return rows.map(({ integrity_check: fault }) => fault).filter((fault) => fault !== 'ok')
}

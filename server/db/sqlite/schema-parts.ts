import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { openDatabaseFile, type Database } from '../open-database.ts'

/** A table, an index or a trigger, with the statement that creates it. */
export interface SchemaPart {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Lists the parts of a database's schema, without SQLite's internal tables and keys. */
export async function schemaParts(db: Database): Promise<SchemaPart[]> {
  const { rows } = await sql<SchemaPart>`
    SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`.execute(db)
  return rows
}

/** Lists the parts that the migrations create, by running them on an empty database. */
export async function expectedSchemaParts(): Promise<SchemaPart[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-schema-'))
  try {
    const db = await openDatabaseFile(path.join(folder, 'empty.db'))
    try {
      return await schemaParts(db)
    } finally {
      await db.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

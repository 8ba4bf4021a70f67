import SqliteDatabase from 'better-sqlite3'
import { Kysely, Migrator, SqliteDialect } from 'kysely'
import { nGrams } from '../../server/db/sqlite/n-grams.ts'
import { migrationsFor } from '../../server/db/migrations/migrations.ts'

/** Creates an empty database of an earlier version and opens it. */
export async function createOlderDatabase(file: string, lastMigration: string): Promise<Kysely<never>> {
  const database = new SqliteDatabase(file)
  database.function('grams', { deterministic: true }, (text) => nGrams(String(text)))
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
  const provider = { getMigrations: () => Promise.resolve({ ...migrationsFor('sqlite') }) }
  const { error } = await new Migrator({ db, provider }).migrateTo(lastMigration)
  if (error !== undefined) throw error
  return db
}

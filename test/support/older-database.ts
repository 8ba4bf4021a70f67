import SqliteDatabase from 'better-sqlite3'
import { Kysely, Migrator, SqliteDialect } from 'kysely'
import { nGrams } from '../../server/db/sqlite/n-grams.ts'
import { baselineName, migrationsFor } from '../../server/db/migrations.ts'

/** Some of the migrations that commit 4cc01976 has recorded. */
const formerMigrations = [
  '0001-posts-and-images',
  '0014-image-states',
  '0033-webhooks',
  '0034-webhook-secrets',
]

/** Creates an empty database as commit 4cc01976 leaves it. */
export async function createFormerDatabase(file: string): Promise<SqliteDatabase.Database> {
  const database = new SqliteDatabase(file)
  database.function('grams', { deterministic: true }, (text) => nGrams(String(text)))
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
  const provider = { getMigrations: () => Promise.resolve({ ...migrationsFor('sqlite') }) }
  const { error } = await new Migrator({ db, provider }).migrateTo(baselineName)
  if (error !== undefined) throw error
  database.exec('DELETE FROM kysely_migration')
  const record = database.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES (?, '2026-11-01')")
  for (const name of formerMigrations) record.run(name)
  return database
}

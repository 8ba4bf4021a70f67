import { sql, type Kysely, type Migration } from 'kysely'
import type { DatabaseDialect } from '../dialect-of.ts'
import postgresSchema from '../postgres/schema.sql?raw'
import sqliteSchema from '../sqlite/schema.sql?raw'
import { galleryVersion } from './0036-gallery-version.ts'

/** A step of both databases. */
export type SharedMigration = Readonly<Record<DatabaseDialect, Migration>>

/** The last migration of those that led to the schema of the baseline, at commit 4cc01976. */
export const lastFormerMigration = '0034-webhook-secrets'

/** Creates the schema of version 0.2.0. Its name sorts before those of the following ones. */
export const baselineName = '0034-baseline'

/** Every migration under the name it is recorded by; they run in the order of their names and never change. */
const migrations: Readonly<Record<string, SharedMigration>> = {
  [baselineName]: { sqlite: createSchema(sqliteSchema), postgres: createSchema(postgresSchema) },
  '0036-gallery-version': galleryVersion,
}

/** Returns the migrations of a database, in order. */
export function migrationsFor(dialect: DatabaseDialect): Readonly<Record<string, Migration>> {
  return Object.fromEntries(Object.entries(migrations).map(([name, steps]) => [name, steps[dialect]]))
}

/** @param schema statements, separated by empty lines */
function createSchema(schema: string): Migration {
  return {
    async up(db: Kysely<never>) {
      for (const statement of schema.split(/\n{2,}/)) await sql.raw(statement).execute(db)
    },
  }
}

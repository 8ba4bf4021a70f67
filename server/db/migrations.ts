import { sql, type Kysely, type Migration } from 'kysely'
import type { DatabaseDialect } from './dialect-of.ts'
import postgresPostFacets from './postgres/0037-post-facets.sql?raw'
import postgresSchema from './postgres/schema.sql?raw'
import sqliteGalleryVersion from './sqlite/0036-gallery-version.sql?raw'
import sqlitePostFacets from './sqlite/0037-post-facets.sql?raw'
import sqliteSchema from './sqlite/schema.sql?raw'

/** The last migration of those that led to the schema of the baseline, at commit 4cc01976. */
export const lastFormerMigration = '0034-webhook-secrets'

/** Creates the schema of version 0.2.0. Its name sorts before those of the following ones. */
export const baselineName = '0034-baseline'

/** SQL of every migration under the name it is recorded by; they run in the order of their names and never change. */
const migrations: Readonly<Record<string, Readonly<Record<DatabaseDialect, string>>>> = {
  [baselineName]: { sqlite: sqliteSchema, postgres: postgresSchema },
  '0036-gallery-version': { sqlite: sqliteGalleryVersion, postgres: '' },
  '0037-post-facets': { sqlite: sqlitePostFacets, postgres: postgresPostFacets },
}

/** Returns the migrations of a database, in order. */
export function migrationsFor(dialect: DatabaseDialect): Readonly<Record<string, Migration>> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, texts]) => [
      name,
      { up: (db) => runStatements(db, texts[dialect]) },
    ]),
  )
}

/** Runs statements, which empty lines separate. */
async function runStatements<Tables>(db: Kysely<Tables>, text: string): Promise<void> {
  for (const statement of text.trim().split(/\n{2,}/))
    if (statement !== '') await sql.raw(statement).execute(db)
}

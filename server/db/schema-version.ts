import type { Kysely } from 'kysely'
import { StartError } from '../errors/start-error.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'

/** What was done to a database so far, and what this version would still do. */
export interface SchemaVersion {
  /** Names of migrations, in their order; none for a database that is new. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/** @throws StartError for a database that a newer version wrote */
export async function readSchemaVersion(db: Kysely<Schema>, file: string): Promise<SchemaVersion> {
  const applied = await appliedMigrations(db)
  const { unknown, pending } = compareWithOurs(applied)
  if (unknown !== undefined) {
    throw new StartError(
      `DATABASE_URL: the database ${file} was written by a newer version of Rangoli (it knows ${unknown}); start that version, or restore an older copy.`,
    )
  }
  return { applied, pending }
}

/** Which migration of a database this version does not know, if any, and which of its own it would still run. */
export function compareWithOurs(applied: readonly string[]): {
  readonly unknown: string | undefined
  readonly pending: readonly string[]
} {
  return {
    unknown: applied.find((name) => !(name in migrations)),
    pending: Object.keys(migrations).filter((name) => !applied.includes(name)),
  }
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

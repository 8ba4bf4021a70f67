import { Migrator, type Kysely } from 'kysely'
import { AppError, StartError } from '../../errors/app-error.ts'
import { reasonOf } from '../database-errors.ts'
import { dialectOf } from '../dialect-of.ts'
import type { Schema } from '../schema.ts'
import { migrationsFor } from './migrations.ts'

/**
 * Migrates a database to this version's schema, completely or not at all.
 *
 * @throws StartError
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrations = migrationsFor(dialectOf(db))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof AppError) throw error
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reasonOf(error)}).`, {
      cause: error,
    })
}

import { StartError } from '../errors/app-error.ts'
import { hasTable } from './dialect-of.ts'
import type { Database } from './open-database.ts'

/** Reads the identity of a site; null for a version that had none. @throws StartError if its row is missing */
export async function readSite(db: Database) {
  if (!(await hasTable(db, 'site'))) return null
  const row = await db.selectFrom('site').select(['id', 'created_at']).executeTakeFirst()
  if (!row) throw new StartError('DATABASE_URL: the table "site" of the database is empty. Restore a backup.')
  return { id: row.id, createdAt: row.created_at }
}

import { sql, type CompiledQuery } from 'kysely'
import type { Database } from './open-database.ts'

let query: CompiledQuery<{ version: number }> | undefined

/**
 * A number that is another one after each change of the database, whichever process made it: reads go through a
 * connection of their own, to which the process's own writes are somebody else's too.
 */
export async function dataVersion(db: Database): Promise<number> {
  // The same for every database, and asked with each request.
  query ??= db
    .selectFrom(sql<{ data_version: number }>`pragma_data_version`.as('pragma'))
    .select('data_version as version')
    .compile()
  const { rows } = await db.executeQuery(query)
  const [row] = rows
  if (!row) throw new Error('The database does not tell its version.')
  return row.version
}

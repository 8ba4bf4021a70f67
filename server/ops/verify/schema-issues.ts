import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'
import { expectedSchemaParts, schemaParts } from '../../db/sqlite/schema-parts.ts'
import type { Fault } from './issue.ts'

/** Tables, keys and triggers that are not there, as after a change by hand: search and count go wrong without them. */
export async function* schemaIssues(db: Database): AsyncGenerator<Fault> {
  const there = new Set((await schemaParts(db)).map(({ type, name }) => `${type} ${name}`))
  for (const part of await expectedSchemaParts()) {
    if (there.has(`${part.type} ${part.name}`)) continue
    yield {
      what: `The database has no ${part.type} ${part.name}`,
      // What was in a table is gone with it.
      mend: part.type === 'table' ? null : async () => void (await sql.raw(part.sql).execute(db)),
    }
  }
}

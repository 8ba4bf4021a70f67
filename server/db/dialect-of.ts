import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely'

export type DatabaseDialect = 'sqlite' | 'postgres'

/** Returns the dialect of a database or a transaction, for the few queries that differ. */
export function dialectOf<Tables>(db: Kysely<Tables>): DatabaseDialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** Reports whether a table exists; on PostgreSQL, in a schema that queries search. */
export async function hasTable<Tables>(db: Kysely<Tables>, table: string): Promise<boolean> {
  const query =
    dialectOf(db) === 'postgres'
      ? sql`SELECT to_regclass(${table})::text AS found`
      : sql`SELECT name AS found FROM sqlite_schema WHERE type = 'table' AND name = ${table}`
  const { rows } = await sql<{ found: string | null }>`${query}`.execute(db)
  return (rows[0]?.found ?? null) !== null
}

/** The clock of a database, in milliseconds since 1970: the only one that all processes share. @see systemClock for the rule */
export function dbNow<Tables>(db: Kysely<Tables>): RawBuilder<number> {
  return dialectOf(db) === 'postgres'
    ? sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
    : sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
}

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
      ? sql<{ found: string | null }>`SELECT to_regclass(${table})::text AS found`
      : sql<{
          found: string
        }>`SELECT name AS found FROM sqlite_schema WHERE type = 'table' AND name = ${table}`
  const { rows } = await query.execute(db)
  return (rows[0]?.found ?? null) !== null
}

/** The clock of a database, in milliseconds since 1970: the only one that all processes share. */
export function dbNow<Tables>(db: Kysely<Tables>): RawBuilder<number> {
  return dialectOf(db) === 'postgres'
    ? sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
    : sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
}

/**
 * Waits until no other transaction claims generations of an engine. Call it first in the transaction: the snapshot of a
 * statement is older than a lock that it takes. SQLite has one writing transaction at a time anyway.
 */
export async function lockClaims<Tables>(transaction: Kysely<Tables>, engine: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(1, hashtext(${engine}))`.execute(transaction)
}

/** Serializes the write transactions that change a part of an option of the site. */
export async function lockSiteOptions<Tables>(transaction: Kysely<Tables>): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(3, 0)`.execute(transaction)
}

/**
 * Serializes the transactions in which administrators change what users may do: two administrators who demote each other would
 * leave none. Call it before `lockUser`.
 */
export async function lockAdministration<Tables>(transaction: Kysely<Tables>): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(3, 0)`.execute(transaction)
}

/**
 * Serializes the write transactions about a user: what one reads is not changed by another before it ends. The first
 * statement of the transaction, since later ones see what earlier holders of the lock wrote. On SQLite, transactions have
 * the write lock anyway.
 */
export async function lockUser<Tables>(transaction: Kysely<Tables>, userId: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(2, hashtext(${userId}))`.execute(transaction)
}

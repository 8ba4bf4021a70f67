import { sql, type AliasableExpression } from 'kysely'
import type { Database } from './open-database.ts'

/**
 * How many bytes of texts (UTF-8) a page of `limit` rows may hold before it ends early, with a cursor for the rest: 2 KB a
 * row, and 192 KB at least. Twice as much, once as HTML and once as data, still fits into the response cache.
 */
export function pageTextBytes(limit: number): number {
  return Math.max(limit * 2_048, 196_608)
}

/** Bytes of the texts in these columns of a row, which SQLite knows without reading the texts. */
export function textBytes(...columns: readonly string[]) {
  const bytes = columns.map((column) => sql`octet_length(${sql.ref(column)})`)
  return sql<number>`${sql.join(bytes, sql` + `)}`
}

/**
 * Of each row that may come onto a page: how many bytes the newer ones take, and how many rows there are in all.
 *
 * @param candidates their `seq` and `textBytes`
 */
export function sizedRows(db: Database, candidates: AliasableExpression<{ seq: number; bytes: number }>) {
  return db
    .selectFrom(candidates.as('candidates'))
    .select([
      'candidates.seq',
      sql<number>`sum(bytes) over (order by seq desc) - bytes`.as('bytesBefore'),
      sql<number>`count(*) over ()`.as('found'),
    ])
}

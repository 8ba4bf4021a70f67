import { sql, type AliasableExpression, type Kysely, type RawBuilder } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { dialectOf } from './dialect-of.ts'
import type { Schema } from './schema.ts'

/** List that a cursor belongs to; a cursor of another list is rejected. */
type CursorKind =
  | 'collection'
  | 'collection-post'
  | 'post'
  | 'image'
  | 'shared'
  | 'delivery'
  | 'top'
  | 'trash'
  | 'audit'
  | 'user'
  | 'notification'

/** Encodes a position in a list as an opaque string. It stays valid after its row is deleted. */
export function encodeCursor(kind: CursorKind, ...parts: readonly (number | string)[]): string {
  return Buffer.from(`${kind}:${parts.join('.')}`).toString('base64url')
}

const seqPattern = String.raw`([1-9]\d{0,15})`

/** Splits rows of which one more than `limit` was read, if there are: the page, and the cursor of the next one. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: last && rows.length > limit ? cursorOf(last) : null }
}

/** Decodes a position by `seq`. @throws AppError `bad_input` for anything that `encodeCursor` did not return */
export function decodeCursor(kind: CursorKind, cursor: string): number {
  return Number(matchParts(kind, cursor, seqPattern)[0])
}

/** Decodes a position of a number and others, by the `pattern` of the others, each a group. @throws AppError `bad_input` */
export function decodeParts(
  kind: CursorKind,
  cursor: string,
  pattern = seqPattern,
): [first: number, ...others: string[]] {
  const [first, ...others] = matchParts(kind, cursor, String.raw`(0|[1-9]\d{0,15})\.${pattern}`)
  return [Number(first), ...others]
}

function matchParts(kind: CursorKind, cursor: string, pattern: string): string[] {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, ...parts] = new RegExp(`^${kind}:${pattern}$`).exec(decoded) ?? []
  if (parts.length > 0 && encodeCursor(kind, ...parts) === cursor) return parts
  throw new AppError('bad_input', 'The cursor is not one that this server gave out.')
}

/** Position of a post in a list of the most liked: by likes, then by `seq`, highest first. */
export interface Rank {
  readonly likes: number
  readonly seq: number
}

/** Creates the condition that a row of `post_stats` is below a rank; true without a rank. */
export function isBelow(rank: Rank | null, table = 'post_stats') {
  if (!rank) return sql<boolean>`true`
  const columns = sql`(${sql.ref(`${table}.likes`)}, ${sql.ref(`${table}.seq`)})`
  return sql<boolean>`${columns} < (${rank.likes}, ${rank.seq})`
}

/**
 * Returns the bytes of text (UTF-8) that a page of `limit` rows may hold before it ends early, with a cursor for the rest:
 * 2 KB a row, and at least 192 KB. Twice as much, once as HTML and once as data, still fits into the response cache.
 */
export function pageTextBytes(limit: number): number {
  return Math.max(limit * 2_048, 196_608)
}

/** Selects the bytes of the texts in these columns, which the database knows without reading the texts. */
export function textBytes(...columns: readonly string[]) {
  const bytes = columns.map((column) => sql`octet_length(${sql.ref(column)})`)
  return sql<number>`${sql.join(bytes, sql` + `)}`
}

/** Creates the condition that `column` is one of a list. One parameter, so that the statement is the same for any length. */
export function isOneOf(
  db: Kysely<Schema>,
  column: string,
  values: readonly (number | string)[],
  type: 'bigint' | 'text',
) {
  return dialectOf(db) === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
}

/** Creates the condition that `column` is in what a query selects, by an index of the column: PostgreSQL would scan a smaller table. */
export function isSelectedBy(db: Kysely<Schema>, column: string, query: RawBuilder<unknown>) {
  return dialectOf(db) === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(array(${query}))`
    : sql<boolean>`${sql.ref(column)} in (${query})`
}

/** Selects, for each of a page's `candidates` (`seq`, `bytes`), the bytes of the ones before it in `order`, and their number. */
export function sizedRows(
  db: Kysely<Schema>,
  candidates: AliasableExpression<{ seq: number; bytes: number }>,
  order: RawBuilder<unknown> = sql`seq desc`,
) {
  return db
    .selectFrom(candidates.as('candidates'))
    .select([
      'candidates.seq',
      sql<number>`sum(bytes) over (order by ${order}) - bytes`.as('bytesBefore'),
      sql<number>`count(*) over ()`.as('found'),
    ])
}

import { sql, type AliasableExpression, type Kysely, type RawBuilder } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { dialectOf } from './dialect-of.ts'
import type { Schema } from './schema.ts'

/** List that a cursor belongs to; a cursor of another list is rejected. */
export type CursorKind = 'post' | 'image' | 'shared' | 'delivery'

/** Encodes a position in a list as an opaque string. It stays valid after its row is deleted. */
export function encodeCursor(kind: CursorKind, seq: number): string {
  return Buffer.from(`${kind}:${seq}`).toString('base64url')
}

/** @throws AppError `bad_input` for anything that `encodeCursor` did not return */
export function decodeCursor(kind: CursorKind, cursor: string): number {
  const digits = new RegExp(`^${kind}:([1-9]\\d{0,15})$`).exec(decoded(cursor))?.[1]
  const seq = Number(digits)
  if (!digits || encodeCursor(kind, seq) !== cursor) throw unknownCursor()
  return seq
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

/** Encodes a position in a list of the most liked posts. It stays valid after its post is deleted. */
export function encodeRank({ likes, seq }: Rank): string {
  return encodePair('top', likes, seq)
}

/** @throws AppError `bad_input` for anything that `encodeRank` did not return */
export function decodeRank(cursor: string): Rank {
  const [likes, seq] = decodePair('top', cursor)
  return { likes, seq }
}

/**
 * Encodes a position by two numbers: in the trash, the time at which an image was deleted and its `seq`. It stays valid after its
 * row is deleted.
 */
export function encodePair(kind: 'top' | 'trash', first: number, seq: number): string {
  return encodeParts(kind, first, seq)
}

/** @throws AppError `bad_input` for anything that `encodePair` did not return */
export function decodePair(kind: 'top' | 'trash', cursor: string): [first: number, seq: number] {
  const [first, seq] = decodeParts(kind, cursor, String.raw`([1-9]\d{0,15})`)
  return [first, Number(seq)]
}

/** Encodes a position by numbers and words. It stays valid after its row is deleted. */
export function encodeParts(
  kind: 'top' | 'trash' | 'audit' | 'user',
  ...parts: readonly (number | string)[]
): string {
  return Buffer.from(`${kind}:${parts.join('.')}`).toString('base64url')
}

/**
 * @param pattern of the parts after the first, which is a number; each is a group
 * @throws AppError `bad_input` for anything that `encodeParts` did not return
 */
export function decodeParts(
  kind: 'top' | 'trash' | 'audit' | 'user',
  cursor: string,
  pattern: string,
): [first: number, ...others: string[]] {
  const [, first, ...others] =
    new RegExp(`^${kind}:(0|[1-9]\\d{0,15})\\.${pattern}$`).exec(decoded(cursor)) ?? []
  if (first === undefined || encodeParts(kind, first, ...others) !== cursor) throw unknownCursor()
  return [Number(first), ...others]
}

function decoded(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1')
}

function unknownCursor(): AppError {
  return new AppError('bad_input', 'The cursor is not one that this server gave out.')
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

/**
 * Selects, for each candidate row of a page, the bytes of the ones before it and the number of candidates.
 *
 * @param candidates their `seq` and `textBytes`
 * @param order of the page, by columns of the candidates
 */
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

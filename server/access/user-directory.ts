import { sql } from 'kysely'
import type { UserAccess } from '../../shared/account.ts'
import type { SignInWay } from '../../shared/admin.ts'
import type { Role } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { lockAdministration, lockUser } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { fold } from '../text/search-text.ts'
import { readAccess } from './user-access.ts'

/** A user in a directory. Times are milliseconds since 1970. */
export interface DirectoryUser {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly createdAt: number
  readonly lastSeenAt: number | null
  readonly signIn: readonly SignInWay[]
}

/** A part of a directory, the newest users first. */
export interface DirectoryQuery {
  /** Text in the name or the email, or an id; users are not filtered if it is empty. */
  readonly search: string
  readonly cursor: string | undefined
  readonly limit: number
}

/** A role that administrators can't change on the site. */
export interface FixedRole {
  readonly role: Role
  /** Name of the environment variable. */
  readonly variable: string
}

export interface DirectoryPage {
  readonly users: readonly DirectoryUser[]
  readonly nextCursor: string | null
  readonly total: number
}

/** The users of a site, with what only their kind of accounts knows. Functions take a database or a transaction. */
export interface UserDirectory {
  list(db: Database, query: DirectoryQuery): Promise<DirectoryPage>
  find(db: Database, userId: string): Promise<DirectoryUser | null>
  /** Role that an environment variable gives to a user; null if administrators choose it. */
  fixedRole(userId: string, access: UserAccess): FixedRole | null
  /** Ends every session of a user; null if a hosted service has the sessions. */
  readonly endSessions: ((transaction: Database, userId: string) => Promise<void>) | null
  /** Deletes the account of a user with its sessions; null if a hosted service has the accounts. */
  readonly deleteAccount: ((transaction: Database, userId: string) => Promise<void>) | null
}

/** Services of a change by an administrator. */
export interface AdministrationServices {
  readonly authenticator: { readonly directory: UserDirectory }
}

/**
 * Waits for the other changes of administrators, see `lockAdministration`, and verifies the role of an administrator, who may
 * have lost it since the request was authenticated. Call it first in the transaction of the change.
 *
 * @param administrator has no id in commands of the operator, which are allowed everything
 * @throws AppError `forbidden`
 */
export async function lockAsAdministrator(
  { authenticator: { directory } }: AdministrationServices,
  transaction: Database,
  administrator: { readonly id: string | null },
): Promise<void> {
  await lockAdministration(transaction)
  if (administrator.id === null) return
  await lockUser(transaction, administrator.id)
  const access = await readAccess(transaction, administrator.id)
  const role = directory.fixedRole(administrator.id, access)?.role ?? access.role
  if (role !== 'administrator' || access.isBlocked) {
    throw new AppError('forbidden', describedDetail('administrators_only'))
  }
}

/** Rows of a directory, each with its position in it. */
interface DirectoryRows<Row extends DirectoryPosition> {
  /** Reads the rows after a position, or the first ones, the newest first. */
  readonly read: (after: DirectoryPosition | null, limit: number) => Promise<readonly Row[]>
  readonly count: () => Promise<number>
  readonly describe: (rows: readonly Row[]) => Promise<readonly DirectoryUser[]>
}

/** Reads a part of a directory. @throws AppError `bad_input` for an unknown cursor */
export async function readPage<Row extends DirectoryPosition>(
  { cursor, limit }: DirectoryQuery,
  { read, count, describe }: DirectoryRows<Row>,
): Promise<DirectoryPage> {
  const rows = await read(cursor === undefined ? null : decodePosition(cursor), limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    users: await describe(page),
    nextCursor: rows.length > limit && last ? encodePosition(last) : null,
    total: await count(),
  }
}

/** Creates the condition that the name or the email of a user contains a text, or that it is their id; true for an empty text. */
export function matchesUser(
  db: Database,
  search: string,
  columns: { readonly id: string; readonly foldedName: string; readonly email?: string },
) {
  if (search === '') return sql<boolean>`true`
  const position = sql.raw(dialectOf(db) === 'postgres' ? 'strpos' : 'instr')
  const contains = (column: string, text: string) => sql`${position}(${sql.ref(column)}, ${text}) > 0`
  const conditions = [
    contains(columns.foldedName, fold(search)),
    ...(columns.email === undefined ? [] : [contains(columns.email, search.toLowerCase())]),
    sql`${sql.ref(columns.id)} = ${search}`,
  ]
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`
}

/** Position of a user in the order of creation. */
export interface DirectoryPosition {
  /** Microseconds since 1970, the precision of PostgreSQL. */
  readonly createdMicros: number
  readonly id: string
}

/** Encodes a position. It stays valid after its user is deleted. */
function encodePosition({ createdMicros, id }: DirectoryPosition): string {
  return Buffer.from(`user:${createdMicros}.${id}`).toString('base64url')
}

/** @throws AppError `bad_input` for anything that `encodePosition` did not return */
function decodePosition(cursor: string): DirectoryPosition {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, micros, id] = /^user:(0|[1-9]\d{0,15})\.([\w-]{1,64})$/.exec(decoded) ?? []
  if (micros !== undefined && id !== undefined) {
    const position = { createdMicros: Number(micros), id }
    if (encodePosition(position) === cursor) return position
  }
  throw new AppError('bad_input', 'The cursor is not one that this server gave out.')
}

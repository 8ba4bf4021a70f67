import type { UserAccess } from '../../shared/account.ts'
import type { SignInWay } from '../../shared/admin.ts'
import type { Role } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { lockAdministration, lockUser } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
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

/** Position of a user in the order of creation. */
export interface DirectoryPosition {
  /** Microseconds since 1970, the precision of PostgreSQL. */
  readonly createdMicros: number
  readonly id: string
}

/** Encodes a position. It stays valid after its user is deleted. */
export function encodePosition({ createdMicros, id }: DirectoryPosition): string {
  return Buffer.from(`user:${createdMicros}.${id}`).toString('base64url')
}

/** @throws AppError `bad_input` for anything that `encodePosition` did not return */
export function decodePosition(cursor: string): DirectoryPosition {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, micros, id] = /^user:(0|[1-9]\d{0,15})\.([\w-]{1,64})$/.exec(decoded) ?? []
  if (micros !== undefined && id !== undefined) {
    const position = { createdMicros: Number(micros), id }
    if (encodePosition(position) === cursor) return position
  }
  throw new AppError('bad_input', 'The cursor is not one that this server gave out.')
}

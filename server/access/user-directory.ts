import { sql, type RawBuilder } from 'kysely'
import type { UserAccess } from '../../shared/account.ts'
import type { SignInWay } from '../../shared/admin.ts'
import type { Role } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { decodeParts, encodeCursor } from '../db/pagination.ts'
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
  count(db: Database): Promise<number>
  /** Counts the users who were created on each day, by days since 1970 in UTC. @param firstDay the first of the days */
  countByDay(db: Database, firstDay: number): Promise<ReadonlyMap<number, number>>
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

/** Users of one kind of accounts, as SQL. */
interface UserRows {
  /** Tables, and the `WHERE` that makes their rows these users, to which conditions are added. */
  readonly from: RawBuilder<unknown>
  /** Columns that identify and order users, and that are searched. */
  readonly id: string
  readonly createdAt: string
  readonly foldedName: string
  readonly email?: string
  /** Name and time of the last visit, as `name` and `last_seen_at`; the email as `email`. */
  readonly facts: RawBuilder<unknown>
  /** The time of creation in microseconds since 1970, the precision of PostgreSQL, and the inverse. */
  readonly toMicros: (column: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly fromMicros: (micros: number) => unknown
}

/** A user as selected by `UserRows`. */
interface UserRow {
  readonly id: string
  readonly micros: number
  readonly name: string
  readonly email: string | null
  readonly last_seen_at: number | null
}

/**
 * Creates the queries of a directory. A position in it stays valid after its user is deleted.
 *
 * @param signInOf returns how some users sign in, by their ids
 */
export function queryUsers(
  rowsOf: (db: Database) => UserRows,
  signInOf: (db: Database, ids: readonly string[]) => Promise<(id: string) => readonly SignInWay[]>,
): Pick<UserDirectory, 'list' | 'find' | 'count' | 'countByDay'> {
  async function read(db: Database, rows: UserRows, rest: RawBuilder<unknown>): Promise<readonly UserRow[]> {
    const query = sql<UserRow>`
      SELECT ${sql.ref(rows.id)} AS id, ${rows.toMicros(sql.ref(rows.createdAt))} AS micros, ${rows.facts}
      FROM ${rows.from} AND ${rest}`
    return (await query.execute(db)).rows
  }
  async function count(db: Database, condition = sql`true`): Promise<number> {
    const query = sql<{ total: number }>`SELECT count(*) AS total FROM ${rowsOf(db).from} AND ${condition}`
    const { rows } = await query.execute(db)
    return rows[0]?.total ?? 0
  }
  async function describe(db: Database, rows: readonly UserRow[]): Promise<DirectoryUser[]> {
    const ids = rows.map(({ id }) => id)
    const signIn = await signInOf(db, ids)
    return rows.map(({ id, name, email, micros, last_seen_at: lastSeenAt }) => ({
      id,
      name,
      email,
      createdAt: Math.floor(micros / 1_000),
      lastSeenAt,
      signIn: signIn(id),
    }))
  }
  return {
    async list(db, { search, cursor, limit }) {
      const users = rowsOf(db)
      const [createdAt, id] = [sql.ref(users.createdAt), sql.ref(users.id)]
      const matches = matchesUser(db, search, users)
      const [micros, lastId] =
        cursor === undefined ? [] : decodeParts('user', cursor, String.raw`([\w-]{1,64})`)
      const isAfter =
        micros === undefined
          ? matches
          : sql`${matches} AND (${createdAt}, ${id}) < (${users.fromMicros(micros)}, ${lastId})`
      const rows = await read(
        db,
        users,
        sql`${isAfter} ORDER BY ${createdAt} DESC, ${id} DESC LIMIT ${limit + 1}`,
      )
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        users: await describe(db, page),
        nextCursor: rows.length > limit && last ? encodeCursor('user', last.micros, last.id) : null,
        total: await count(db, matches),
      }
    },

    async find(db, userId) {
      const users = rowsOf(db)
      const rows = await read(db, users, sql`${sql.ref(users.id)} = ${userId}`)
      return (await describe(db, rows))[0] ?? null
    },

    count: (db) => count(db),

    async countByDay(db, firstDay) {
      const { from, toMicros, fromMicros, ...users } = rowsOf(db)
      const createdAt = sql.ref(users.createdAt)
      const microsPerDay = msPerDay * 1_000
      const { rows } = await sql<{ day: number; users: number }>`
        SELECT ${toMicros(createdAt)} / ${sql.lit(microsPerDay)} AS day, count(*) AS users
        FROM ${from} AND ${createdAt} >= ${fromMicros(firstDay * microsPerDay)} GROUP BY 1`.execute(db)
      return new Map(rows.map((row) => [row.day, row.users]))
    },
  }
}

/** Creates the condition that the name or the email of a user contains a text, or that it is their id; true for an empty text. */
function matchesUser(db: Database, search: string, columns: UserRows) {
  if (search === '') return sql`true`
  const position = sql.raw(dialectOf(db) === 'postgres' ? 'strpos' : 'instr')
  const contains = (column: string, text: string) => sql`${position}(${sql.ref(column)}, ${text}) > 0`
  const conditions = [
    contains(columns.foldedName, fold(search)),
    ...(columns.email === undefined ? [] : [contains(columns.email, search.toLowerCase())]),
    sql`${sql.ref(columns.id)} = ${search}`,
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

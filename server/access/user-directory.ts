import { sql, type RawBuilder } from 'kysely'
import { userSorts, type SignInWay, type SortDirection, type UserSort } from '../../shared/admin.ts'
import type { Role } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { decodeParts, encodeCursor, isOneOf, pageOf } from '../db/pagination.ts'
import { lockAdministration, lockUser } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { searchTerm } from '../text/search-text.ts'
import { readAccess, type UserAccess } from './user-access.ts'

/** A user in a directory. Times are milliseconds since 1970. */
export type DirectoryUser = NonNullable<Awaited<ReturnType<UserDirectory['find']>>>

export interface DirectoryQuery {
  /** Text in the name or the email, or an id; users are not filtered if it is empty. */
  readonly search: string
  readonly sort: UserSort
  readonly direction: SortDirection
  readonly cursor: string | undefined
  readonly limit: number
}

/** The users of a site, with what only their kind of accounts knows. Functions take a database or a transaction. */
export interface UserDirectory extends ReturnType<typeof queryUsers> {
  /** Role that an environment variable gives to a user; null if administrators choose it. */
  fixedRole(userId: string, access: UserAccess): { readonly role: Role; readonly variable: string } | null
  /** Ends every session of a user; null if a hosted service has the sessions. */
  readonly endSessions: ((transaction: Database, userId: string) => Promise<void>) | null
  /** Deletes the account of a user with its sessions; null if a hosted service has the accounts. */
  readonly deleteAccount: ((transaction: Database, userId: string) => Promise<void>) | null
}

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
  /** Tables, `known_users` among them, and the condition that makes their rows these users. */
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
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
  /** Users who are administrators by an environment variable, whatever their stored role is. */
  readonly administrators?: readonly string[]
}

interface UserRow {
  readonly id: string
  readonly micros: number
  /** Value that it is sorted by; without a sort, the same as `micros`. */
  readonly position: number | string
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
) {
  async function read(
    db: Database,
    rows: UserRows,
    rest: RawBuilder<unknown>,
    { position, join }: Pick<SortKey, 'position' | 'join'> = sortKey(db, rows, 'createdAt'),
  ): Promise<readonly UserRow[]> {
    const query = sql<UserRow>`
      SELECT ${sql.ref(rows.id)} AS id, ${rows.toMicros(sql.ref(rows.createdAt))} AS micros, ${rows.facts},
        ${position} AS position
      FROM ${rows.from} ${join} WHERE ${rows.where} AND ${rest}`
    return (await query.execute(db)).rows
  }
  async function count(db: Database, condition = sql`true`): Promise<number> {
    const { from, where } = rowsOf(db)
    const { rows } = await sql<{ total: number }>`
      SELECT count(*) AS total FROM ${from} WHERE ${where} AND ${condition}`.execute(db)
    return rows[0]?.total ?? 0
  }
  async function describe(db: Database, rows: readonly UserRow[]) {
    const ids = rows.map(({ id }) => id)
    const signIn = await signInOf(db, ids)
    return rows.map(({ id, name, email, micros, last_seen_at: lastSeenAt }) => ({
      id,
      /** First name for users of a hosted sign-in service, who have no email here, and no ways to sign in. */
      name,
      email,
      /** Time of the sign-up; for users of a hosted sign-in service, of the first visit. */
      createdAt: Math.floor(micros / 1_000),
      /** Accurate to the hour; null if the user was not here since it is recorded. */
      lastSeenAt,
      signIn: signIn(id),
    }))
  }
  return {
    async list(db: Database, { search, sort, direction, cursor, limit }: DirectoryQuery) {
      const users = rowsOf(db)
      const id = sql.ref(users.id)
      const sortedBy = sortKey(db, users, sort)
      const matches = matchesUser(db, search, users)
      const [order, isAfter] = direction === 'asc' ? [sql`ASC`, sql`>`] : [sql`DESC`, sql`<`]
      const last = cursor === undefined ? null : decodePosition(sort, cursor)
      const rest = last
        ? sql`(${sortedBy.key}, ${id}) ${isAfter} (${sortedBy.valueAt(last.position)}, ${last.id})`
        : sql`true`
      const rows = await read(
        db,
        users,
        sql`${matches} AND ${rest} ORDER BY ${sortedBy.key} ${order}, ${id} ${order} LIMIT ${limit + 1}`,
        sortedBy,
      )
      const { page, nextCursor } = pageOf(rows, limit, (end) => encodePosition(sort, end))
      return { users: await describe(db, page), nextCursor, total: await count(db, matches) }
    },

    async find(db: Database, userId: string) {
      const users = rowsOf(db)
      const rows = await read(db, users, sql`${sql.ref(users.id)} = ${userId}`)
      return (await describe(db, rows))[0] ?? null
    },

    count: (db: Database) => count(db),

    /** Counts the users who were created on each day, by days since 1970 in UTC. @param firstDay the first of the days */
    async countByDay(db: Database, firstDay: number) {
      const { from, where, toMicros, fromMicros, ...users } = rowsOf(db)
      const createdAt = sql.ref(users.createdAt)
      const microsPerDay = msPerDay * 1_000
      const { rows } = await sql<{ day: number; users: number }>`
        SELECT ${toMicros(createdAt)} / ${sql.lit(microsPerDay)} AS day, count(*) AS users
        FROM ${from} WHERE ${where} AND ${createdAt} >= ${fromMicros(firstDay * microsPerDay)} GROUP BY 1`.execute(
        db,
      )
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
    contains(columns.foldedName, searchTerm(search)),
    ...(columns.email === undefined ? [] : [contains(columns.email, search.toLowerCase())]),
    sql`${sql.ref(columns.id)} = ${search}`,
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

interface SortKey {
  readonly key: RawBuilder<unknown>
  /** The same as a number or a text. */
  readonly position: RawBuilder<unknown>
  /** Converts a position back. */
  readonly valueAt: (position: number | string) => unknown
  /** Joins a table that the key needs. */
  readonly join: RawBuilder<unknown>
}

/** Creates the key of a sort. Sorting by the time of creation or the email reads an index, anything else every user once. */
function sortKey(db: Database, rows: UserRows, sort: UserSort): SortKey {
  const id = sql.ref(rows.id)
  const by = (key: RawBuilder<unknown>, join = sql``): SortKey => ({
    key,
    position: key,
    valueAt: (position) => position,
    join,
  })
  switch (sort) {
    case 'createdAt': {
      const key = sql.ref(rows.createdAt)
      return {
        ...by(key),
        position: rows.toMicros(key),
        valueAt: (micros) => rows.fromMicros(Number(micros)),
      }
    }
    case 'name':
      return by(sql.ref(rows.foldedName))
    case 'email':
      return by(sql.ref(rows.email ?? rows.foldedName))
    case 'lastSeenAt':
      return by(sql`coalesce(known_users.last_seen_at, 0)`)
    case 'role':
      return by(
        sql`CASE WHEN ${isOneOf(db, rows.id, rows.administrators ?? [], 'text')} OR user_access.role = 'administrator' THEN 2
          WHEN user_access.role = 'moderator' THEN 1 ELSE 0 END`,
        sql`LEFT JOIN user_access ON user_access.user_id = ${id}`,
      )
    default:
      return by(
        sql`coalesce(totals.total, 0)`,
        sql`LEFT JOIN (${totalsOf(db, sort)}) AS totals ON totals.user_id = ${id}`,
      )
  }
}

const totalSources = {
  images: {
    owner: 'owner_id',
    total: sql`sum(images)`,
    from: sql`image_totals WHERE list = 'kept' AND engine <> ''`,
  },
  posts: { owner: 'author_id', total: sql`count(*)`, from: sql`posts WHERE true` },
  storedBytes: {
    owner: 'owner_id',
    total: sql`sum(bytes)`,
    from: sql`images WHERE bytes IS NOT NULL AND withdrawn_at IS NULL`,
  },
}

/** Selects what users have, as `user_id` and `total`: of all users in one scan of an index, or of some. */
export function totalsOf(db: Database, of: keyof typeof totalSources, ids?: readonly string[]) {
  const { owner, total, from } = totalSources[of]
  const isOfUsers = ids ? isOneOf(db, owner, ids, 'text') : sql`true`
  return sql<{ user_id: string; total: number }>`
    SELECT ${sql.ref(owner)} AS user_id, CAST(${total} AS bigint) AS total FROM ${from} AND ${isOfUsers} GROUP BY 1`
}

/** A position is a number, or a text in base64. */
function encodePosition(sort: UserSort, { position, id }: Pick<UserRow, 'position' | 'id'>): string {
  const value = typeof position === 'number' ? position : Buffer.from(position).toString('base64url')
  return encodeCursor('user', userSorts.indexOf(sort), value, id)
}

/** @throws AppError `bad_input` for a cursor of another sort */
function decodePosition(sort: UserSort, cursor: string): Pick<UserRow, 'position' | 'id'> {
  const isText = sort === 'name' || sort === 'email'
  const number = sort === 'role' ? '[012]' : '\\d{1,16}'
  const pattern = String.raw`(${isText ? '[\\w-]*' : number})\.([\w-]{1,64})`
  const [index, value = '', id = ''] = decodeParts('user', cursor, pattern)
  if (userSorts[index] !== sort) throw new AppError('bad_input', 'The cursor belongs to another sort.')
  // PostgreSQL has no texts with the character 0.
  const text = isText ? Buffer.from(value, 'base64url').toString().replaceAll('\0', '') : ''
  return { position: isText ? text : Number(value), id }
}

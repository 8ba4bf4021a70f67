import { sql } from 'kysely'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import { fold } from '../../posts/search/normalize.ts'
import { decodePosition, encodePosition, type UserDirectory } from '../../users/user-directory.ts'

/** Creates the directory of the Clerk users who have been on the site. Sessions and accounts are Clerk's. */
export function createClerkDirectory(administrators: readonly string[]): UserDirectory {
  return {
    async list(db, { search, cursor, limit }) {
      const position = cursor === undefined ? null : decodePosition(cursor)
      const rows = await selectUsers(db)
        .where(matches(db, search))
        .$if(position !== null, (query) =>
          query.where(
            sql<boolean>`(first_seen_at, user_id) < (${(position?.createdMicros ?? 0) / 1_000}, ${position?.id})`,
          ),
        )
        .orderBy('first_seen_at', 'desc')
        .orderBy('user_id', 'desc')
        .limit(limit + 1)
        .execute()
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const { total } = await db
        .selectFrom('known_users')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where(isOfClerk)
        .where(matches(db, search))
        .executeTakeFirstOrThrow()
      const nextPosition = last && { createdMicros: last.first_seen_at * 1_000, id: last.user_id }
      return {
        users: page.map(toUser),
        nextCursor: rows.length > limit && nextPosition ? encodePosition(nextPosition) : null,
        total,
      }
    },

    async find(db, userId) {
      const row = await selectUsers(db).where('user_id', '=', userId).executeTakeFirst()
      return row ? toUser(row) : null
    },

    fixedRole: (userId) =>
      administrators.includes(userId) ? { role: 'administrator', variable: 'CLERK_ADMINISTRATORS' } : null,
    endSessions: null,
    deleteAccount: null,
  }
}

/** Local accounts, of a site that used them before, have their names elsewhere. */
const isOfClerk = sql<boolean>`name IS NOT NULL`

function selectUsers(db: Database) {
  return db
    .selectFrom('known_users')
    .select(['user_id', 'name', 'first_seen_at', 'last_seen_at'])
    .where(isOfClerk)
}

function matches(db: Database, search: string) {
  if (search === '') return sql<boolean>`true`
  const position = sql.raw(dialectOf(db) === 'postgres' ? 'strpos' : 'instr')
  return sql<boolean>`(${position}(search_name, ${fold(search)}) > 0 OR user_id = ${search})`
}

function toUser(row: {
  readonly user_id: string
  readonly name: string | null
  readonly first_seen_at: number
  readonly last_seen_at: number
}) {
  return {
    id: row.user_id,
    name: row.name ?? '',
    email: null,
    createdAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    signIn: [],
  }
}

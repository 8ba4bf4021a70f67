import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'
import {
  matchesUser,
  readPage,
  type DirectoryPosition,
  type UserDirectory,
} from '../../access/user-directory.ts'

/** Creates the directory of the Clerk users who have been on the site. Sessions and accounts are Clerk's. */
export function createClerkDirectory(administrators: readonly string[]): UserDirectory {
  return {
    list(db, query) {
      const matches = matchesUser(db, query.search, { id: 'user_id', foldedName: 'search_name' })
      return readPage(query, {
        read: (after, limit) =>
          selectUsers(db)
            .where(matches)
            .where(after ? isBefore(after) : sql<boolean>`true`)
            .orderBy('first_seen_at', 'desc')
            .orderBy('user_id', 'desc')
            .limit(limit)
            .execute(),
        async count() {
          const { total } = await db
            .selectFrom('known_users')
            .select((eb) => eb.fn.countAll<number>().as('total'))
            .where(isOfClerk)
            .where(matches)
            .executeTakeFirstOrThrow()
          return total
        },
        describe: (rows) => Promise.resolve(rows.map(toUser)),
      })
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
    .select([
      'user_id as id',
      'name',
      'first_seen_at',
      'last_seen_at',
      sql<number>`first_seen_at * 1000`.as('createdMicros'),
    ])
    .where(isOfClerk)
}

function isBefore({ createdMicros, id }: DirectoryPosition) {
  return sql<boolean>`(first_seen_at, user_id) < (${createdMicros / 1_000}, ${id})`
}

function toUser(row: {
  readonly id: string
  readonly name: string | null
  readonly first_seen_at: number
  readonly last_seen_at: number
}) {
  return {
    id: row.id,
    name: row.name ?? '',
    email: null,
    createdAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    signIn: [],
  }
}

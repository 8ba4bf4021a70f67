import { sql } from 'kysely'
import type { SignInWay } from '../../shared/admin.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import {
  matchesUser,
  readPage,
  type DirectoryPosition,
  type DirectoryUser,
  type UserDirectory,
} from '../access/user-directory.ts'

/** Tables of better-auth, with the columns that the directory reads. */
type AccountTables = {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly searchName: string
    /** A time on PostgreSQL; ISO 8601 in SQLite. */
    readonly createdAt: unknown
  }
  readonly session: { readonly userId: string }
  readonly account: { readonly userId: string; readonly providerId: string }
}

/** Names of better-auth's providers. */
const waysByProvider: Readonly<Record<string, SignInWay>> = { credential: 'password', oidc: 'oidc' }

/**
 * Creates the directory of local accounts.
 *
 * @param roleVariable variable by which the sign-in provider chooses roles; null if it does not
 */
export function createLocalDirectory(roleVariable: string | null): UserDirectory {
  return {
    list(db, query) {
      const matches = matchesUser(db, query.search, {
        id: 'user.id',
        foldedName: 'user.searchName',
        email: 'user.email',
      })
      return readPage(query, {
        read: (after, limit) =>
          selectAccounts(db)
            .where(matches)
            .where(after ? isBefore(db, after) : sql<boolean>`true`)
            .orderBy('user.createdAt', 'desc')
            .orderBy('user.id', 'desc')
            .limit(limit)
            .execute(),
        async count() {
          const { total } = await accounts(db)
            .selectFrom('user')
            .select((eb) => eb.fn.countAll<number>().as('total'))
            .where(matches)
            .executeTakeFirstOrThrow()
          return total
        },
        describe: (rows) => withSignIn(db, rows),
      })
    },

    async find(db, userId) {
      const rows = await selectAccounts(db).where('user.id', '=', userId).execute()
      const [found] = await withSignIn(db, rows)
      return found ?? null
    },

    fixedRole: (_, { role, isRoleFromProvider }) =>
      isRoleFromProvider && roleVariable !== null ? { role, variable: roleVariable } : null,

    endSessions,

    // Sessions, passwords and connected providers are deleted with it, by their references.
    async deleteAccount(transaction, userId) {
      await accounts(transaction).deleteFrom('user').where('id', '=', userId).execute()
    },
  }
}

/** Ends every session of a local account. */
export async function endSessions(db: Database, userId: string): Promise<void> {
  await accounts(db).deleteFrom('session').where('userId', '=', userId).execute()
}

function accounts(db: Database) {
  return db.withTables<AccountTables>()
}

interface AccountRow extends DirectoryPosition {
  readonly name: string
  readonly email: string
  readonly last_seen_at: number | null
}

function selectAccounts(db: Database) {
  const createdMicros =
    dialectOf(db) === 'postgres'
      ? sql<number>`(extract(epoch FROM "user"."createdAt") * 1000000)::bigint`
      : sql<number>`CAST(round(unixepoch("user"."createdAt", 'subsec') * 1000) AS INTEGER) * 1000`
  return accounts(db)
    .selectFrom('user')
    .leftJoin('known_users', 'known_users.user_id', 'user.id')
    .select([
      'user.id',
      'user.name',
      'user.email',
      createdMicros.as('createdMicros'),
      'known_users.last_seen_at',
    ])
}

function isBefore(db: Database, { createdMicros, id }: DirectoryPosition) {
  const time =
    dialectOf(db) === 'postgres'
      ? sql`timestamptz 'epoch' + ${createdMicros}::float8 * interval '1 microsecond'`
      : sql`${new Date(createdMicros / 1_000).toISOString()}`
  return sql<boolean>`("user"."createdAt", "user".id) < (${time}, ${id})`
}

async function withSignIn(db: Database, rows: readonly AccountRow[]): Promise<DirectoryUser[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const providers = await accounts(db)
    .selectFrom('account')
    .select(['userId', 'providerId'])
    .where(isOneOf(db, 'userId', ids, 'text'))
    .execute()
  const passkeys = await db
    .selectFrom('passkey')
    .select('userId')
    .distinct()
    .where(isOneOf(db, 'userId', ids, 'text'))
    .execute()
  const withPasskey = new Set(passkeys.map(({ userId }) => userId))
  return rows.map(({ id, name, email, createdMicros, last_seen_at }) => ({
    id,
    name,
    email,
    createdAt: Math.floor(createdMicros / 1_000),
    lastSeenAt: last_seen_at,
    signIn: [
      ...providers
        .filter(({ userId }) => userId === id)
        .flatMap(({ providerId }) => waysByProvider[providerId] ?? []),
      ...(withPasskey.has(id) ? (['passkey'] as const) : []),
    ],
  }))
}

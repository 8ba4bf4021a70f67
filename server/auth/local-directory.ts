import { sql } from 'kysely'
import type { SignInWay } from '../../shared/admin.ts'
import { queryUsers, type UserDirectory } from '../access/user-directory.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'

/** Names of better-auth's providers. */
const waysByProvider: Readonly<Record<string, SignInWay>> = { credential: 'password', oidc: 'oidc' }

/**
 * Creates the directory of local accounts.
 *
 * @param roleVariable variable by which the sign-in provider chooses roles; null if it does not
 */
export function createLocalDirectory(roleVariable: string | null): UserDirectory {
  return {
    ...queryUsers(accountRows, readSignIn),

    fixedRole: (_, { role, isRoleFromProvider }) =>
      isRoleFromProvider && roleVariable !== null ? { role, variable: roleVariable } : null,

    endSessions,

    // Sessions, passwords and connected providers are deleted with it, by their references.
    async deleteAccount(transaction, userId) {
      await transaction.deleteFrom('user').where('id', '=', userId).execute()
    },
  }
}

/** Ends every session of a local account. */
export async function endSessions(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute()
}

function accountRows(db: Database): ReturnType<Parameters<typeof queryUsers>[0]> {
  const isPostgres = dialectOf(db) === 'postgres'
  return {
    from: sql`"user" LEFT JOIN known_users ON known_users.user_id = "user".id WHERE true`,
    id: 'user.id',
    createdAt: 'user.createdAt',
    foldedName: 'user.searchName',
    email: 'user.email',
    facts: sql`"user".name, "user".email, known_users.last_seen_at`,
    toMicros: (column) =>
      isPostgres
        ? sql`(extract(epoch FROM ${column}) * 1000000)::bigint`
        : sql`CAST(round(unixepoch(${column}, 'subsec') * 1000) AS INTEGER) * 1000`,
    fromMicros: (micros) =>
      isPostgres
        ? sql`timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond'`
        : new Date(micros / 1_000).toISOString(),
  }
}

async function readSignIn(db: Database, ids: readonly string[]) {
  const isOfUsers = isOneOf(db, 'userId', ids, 'text')
  const accounts = await db.selectFrom('account').select(['userId', 'providerId']).where(isOfUsers).execute()
  const passkeys = await db.selectFrom('passkey').select('userId').where(isOfUsers).execute()
  const withPasskey = new Set(passkeys.map(({ userId }) => userId))
  return (id: string): readonly SignInWay[] => [
    ...accounts.flatMap(({ userId, providerId }) =>
      userId === id ? (waysByProvider[providerId] ?? []) : [],
    ),
    ...(withPasskey.has(id) ? (['passkey'] as const) : []),
  ]
}

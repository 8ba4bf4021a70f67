import { isOneOf } from '../db/pagination.ts'
import type { Database } from '../db/open-database.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { queryUsers, type UserDirectory } from '../access/user-directory.ts'
import type { SignInWay } from '../../shared/admin.ts'
import { sql } from 'kysely'
import type { AuthContext } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { emailTooLongMessage, isEmailTooLong } from '../../shared/account.ts'
import { AppError } from '../errors/app-error.ts'
import { revokeAllApiKeys, type UserServices } from '../access/user-access.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import type { AccountAdministration, DeleteAccountData } from '../access/authenticator.ts'
import { generatePassword } from './passwords.ts'
import { applyProviderRole, providerId } from './oidc/provider-sign-in.ts'

interface LocalAdministrationServices extends UserServices {
  readonly forget: DeleteAccountData
  /** True if users sign in with their passwords. */
  readonly localSignIn: boolean
  /** Parts of better-auth that hash passwords and write its tables. */
  readonly context: Promise<{
    readonly internalAdapter: AuthContext['internalAdapter']
    readonly password: Pick<AuthContext['password'], 'hash'>
  }>
}

/** Creates the administration of local accounts. It also works while a server is running. */
export function createLocalAdministration({
  db,
  now,
  forget,
  localSignIn,
  context,
}: LocalAdministrationServices): AccountAdministration {
  async function findUser(email: string) {
    const address = readAddress(email)
    const found = await (await context).internalAdapter.findUserByEmail(address)
    if (!found) throw new AppError('not_found', `There is no account with the address ${address}.`)
    return found.user
  }

  async function setPassword(userId: string, password = generatePassword()): Promise<string> {
    const { internalAdapter, password: hashing } = await context
    const hash = await hashing.hash(password)
    const credential = await internalAdapter.findCredentialAccount(userId)
    if (credential) await internalAdapter.updateAccount(credential.id, { password: hash })
    else {
      const account = { userId, accountId: userId, providerId: 'credential', password: hash }
      await internalAdapter.linkAccount(account)
    }
    return password
  }

  return {
    findId: async (email) => (await findUser(email)).id,

    async add(email, name, password) {
      const address = readAddress(email)
      // Checked here only: existing accounts may predate the limit.
      if (isEmailTooLong(address)) throw new AppError('bad_input', emailTooLongMessage)
      const { internalAdapter } = await context
      if (await internalAdapter.findUserByEmail(address)) {
        throw new AppError('bad_input', `There is already an account with the address ${address}.`)
      }
      // The operator vouches for the address.
      const user = await internalAdapter
        .createUser({ email: address, name, emailVerified: true }, { method: 'command' })
        .catch((error: unknown) => {
          if (!isAPIError(error)) throw error
          throw new AppError('bad_input', `${error.message}.`, { cause: error })
        })
      return setPassword(user.id, password)
    },

    async resetPassword(email) {
      const { id } = await findUser(email)
      const former = await (await context).internalAdapter.findCredentialAccount(id)
      const password = await setPassword(id)
      await revokeAccess({ db, now }, id, { isConnectionKept: !localSignIn || !former?.password })
      return password
    },

    async remove(email, options) {
      const { id } = await findUser(email)
      await forget(id, options)
      await (await context).internalAdapter.deleteUser(id)
      // Again, for data that was stored in between.
      await forget(id, options)
    },
  }
}

function readAddress(email: string): string {
  const address = z.email().safeParse(email).data
  if (address === undefined) throw new AppError('bad_input', `"${email}" is not an email address.`)
  return address.toLowerCase()
}

/**
 * Ends every session of a local account and removes every way to sign in but its password, which was reset: who knew the
 * former one may have added them.
 *
 * @param isConnectionKept true to leave the provider connected, for an account that had no password to connect it with
 */
export async function revokeAccess(
  { db, now }: UserServices,
  userId: string,
  { isConnectionKept }: { readonly isConnectionKept: boolean },
): Promise<void> {
  // A passkey that is being added or used at the same time is checked again under the same lock.
  await inTransactionAbout(db, userId, async (transaction) => {
    if (!isConnectionKept) {
      await transaction
        .deleteFrom('account')
        .where('userId', '=', userId)
        .where('providerId', '=', providerId)
        .execute()
      await applyProviderRole({ db: transaction, now, providerName: providerId }, userId, false)
    }
    await transaction.deleteFrom('passkey').where('userId', '=', userId).execute()
    await revokeAllApiKeys(transaction, userId)
    await endSessions(transaction, userId)
  })
}

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

export async function endSessions(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute()
}

function accountRows(db: Database): ReturnType<Parameters<typeof queryUsers>[0]> {
  const isPostgres = dialectOf(db) === 'postgres'
  return {
    from: sql`"user" LEFT JOIN known_users ON known_users.user_id = "user".id`,
    where: sql`true`,
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
    ...accounts.flatMap((account) =>
      account.userId === id ? (waysByProvider[account.providerId] ?? []) : [],
    ),
    ...(withPasskey.has(id) ? (['passkey'] as const) : []),
  ]
}

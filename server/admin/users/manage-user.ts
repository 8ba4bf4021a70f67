import type { PostsOfDeleted } from '../../../shared/account.ts'
import type { AdminAction, ManagedUser } from '../../../shared/admin.ts'
import type { Role } from '../../../shared/viewer.ts'
import { inTransaction, lockAdministration, lockUser } from '../../db/transaction.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'
import type { Generations } from '../../images/generation/generations.ts'
import {
  readAccess,
  setBlocked,
  setDailyImageLimit,
  setRole,
  revokeAllApiKeys,
} from '../../users/user-access.ts'
import { deleteAccountData, type DeleteAccountServices } from '../../users/account-data.ts'
import type { UserDirectory } from '../../users/user-directory.ts'
import { recordAdminAction, type Actor } from '../admin-log.ts'
import { getUser, userNotFound } from './list-users.ts'

interface ManageServices {
  readonly db: Database
  readonly now: () => number
  readonly authenticator: { readonly directory: UserDirectory }
  readonly generations: Pick<Generations, 'cancelAll'>
}

/** Changes to what a user may do; absent ones are left as they are. */
interface UserChanges {
  readonly id: string
  /** Null for the limit of the site. */
  readonly dailyImageLimit?: number | null | undefined
  readonly blocked?: boolean | undefined
  readonly role?: Role | undefined
}

/**
 * Changes what a user may do, and records each change. Blocking a user ends their sessions, revokes their API keys and cancels
 * their generations.
 *
 * @throws AppError `not_found`; `forbidden` for administrators' own role or block, and for a role that a variable fixes
 */
export async function updateUser(
  services: ManageServices,
  administrator: Actor,
  { id, dailyImageLimit, blocked, role }: UserChanges,
): Promise<ManagedUser> {
  const { directory } = services.authenticator
  const now = services.now()
  await inTransaction(services.db, async (transaction) => {
    await lockManagedUser(services, transaction, administrator, id)
    const access = await readAccess(transaction, id)
    const fixed = directory.fixedRole(id, access)
    const record = (action: AdminAction, details: Parameters<typeof recordAdminAction>[2]['details'] = {}) =>
      recordAdminAction(transaction, administrator, { action, userId: id, details, now })

    if (dailyImageLimit !== undefined && dailyImageLimit !== access.dailyImageLimit) {
      await setDailyImageLimit(transaction, id, dailyImageLimit)
      await record('change_daily_limit', { from: access.dailyImageLimit, to: dailyImageLimit })
    }
    const before = fixed?.role ?? access.role
    if (role !== undefined && role !== before) {
      requireOther(administrator, id)
      if (fixed) {
        throw new AppError('forbidden', describedDetail('role_fixed', { variable: fixed.variable }))
      }
      await setRole(transaction, id, role)
      await record('change_role', { from: before, to: role })
    }
    if (blocked === true && !access.isBlocked) {
      requireOther(administrator, id)
      await setBlocked(transaction, id, now)
      await directory.endSessions?.(transaction, id)
      await revokeAllApiKeys({ db: transaction }, id)
      await record('block')
    }
    if (blocked === false && access.isBlocked) {
      await setBlocked(transaction, id, null)
      await record('unblock')
    }
  })
  // Also for a user who was blocked before, in case that this failed then.
  if (blocked === true) await services.generations.cancelAll(id)
  return getUser(services, id)
}

/**
 * Ends every session of a user. API keys stay valid.
 *
 * @throws AppError `not_found`; `forbidden` where a hosted service has the sessions
 */
export async function signOutUser(
  services: ManageServices,
  administrator: Actor,
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  const { endSessions } = services.authenticator.directory
  if (!endSessions) throw new AppError('forbidden', describedDetail('sessions_at_clerk'))
  await inTransaction(services.db, async (transaction) => {
    await lockManagedUser(services, transaction, administrator, id)
    await endSessions(transaction, id)
    await recordAdminAction(transaction, administrator, {
      action: 'sign_out_user',
      userId: id,
      now: services.now(),
    })
  })
  return { id }
}

/**
 * Deletes the account of another user with everything stored about them. Where a hosted service has the account, only what is
 * stored here.
 *
 * @throws AppError `not_found`; `forbidden` for the administrator's own account
 */
export async function deleteUser(
  services: ManageServices & DeleteAccountServices,
  administrator: Actor,
  { id, posts }: { readonly id: string; readonly posts: PostsOfDeleted },
): Promise<{ id: string }> {
  const { directory } = services.authenticator
  requireOther(administrator, id)
  await getUser(services, id)
  await deleteAccountData(services, id, {
    posts,
    before: (transaction) => lockManagedUser(services, transaction, administrator, id),
    async after(transaction) {
      await directory.deleteAccount?.(transaction, id)
      // Without the id, which must not stay.
      await recordAdminAction(transaction, administrator, {
        action: 'delete_user',
        details: { posts },
        now: services.now(),
      })
    },
  })
  return { id }
}

/**
 * Locks a user for a change by an administrator, who may have lost that role since the request was authenticated: two
 * administrators who demote each other would leave none.
 */
async function lockManagedUser(
  { authenticator: { directory } }: ManageServices,
  transaction: Database,
  administrator: Actor,
  userId: string,
): Promise<void> {
  await lockAdministration(transaction)
  await lockUser(transaction, userId)
  if (administrator.id !== null) {
    const access = await readAccess(transaction, administrator.id)
    const role = directory.fixedRole(administrator.id, access)?.role ?? access.role
    if (role !== 'administrator' || access.isBlocked) {
      throw new AppError('forbidden', describedDetail('administrators_only'))
    }
  }
  if (!(await directory.find(transaction, userId))) throw userNotFound()
}

function requireOther(administrator: Actor, userId: string): void {
  if (administrator.id === userId) throw new AppError('forbidden', describedDetail('own_account'))
}

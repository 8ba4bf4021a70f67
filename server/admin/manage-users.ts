import { z } from 'zod'
import type { PostsOfDeleted } from '../../shared/account.ts'
import { dailyImagesMax, dollarsMax } from '../../shared/limits.ts'
import { roles } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { isoTime } from '../text/iso-time.ts'
import {
  changeAccess,
  readAccessOfAll,
  readAccess,
  setRole,
  revokeAllApiKeys,
} from '../access/user-access.ts'
import {
  lockAsAdministrator,
  totalsOf,
  type AdministrationServices,
  type DirectoryQuery,
  type DirectoryUser,
  type UserDirectory,
} from '../access/user-directory.ts'
import { lockUser } from '../db/transaction.ts'
import { microsOf } from '../images/budget.ts'
import { dollars, id as idSchema, wholeNumber } from '../procedures/inputs.ts'
import { deleteAccountData, type DeleteAccountServices } from '../users/delete-account.ts'
import { asAdministrator, recordAdminAction, type Actor } from '../audit/admin-log.ts'

/** Lists users in the order of a field. @throws AppError `bad_input` for an unknown cursor */
export async function listUsers(
  { db, authenticator: { directory } }: Pick<ManageServices, 'db' | 'authenticator'>,
  query: DirectoryQuery,
) {
  const { users, nextCursor, total } = await directory.list(db, query)
  return { users: await describeUsers(db, directory, users), nextCursor, total }
}

/** Finds a user. @throws AppError `not_found` */
export async function getUser(
  { db, authenticator: { directory } }: Pick<ManageServices, 'db' | 'authenticator'>,
  userId: string,
) {
  const found = await directory.find(db, userId)
  const [user] = found ? await describeUsers(db, directory, [found]) : []
  if (!user) throw userNotFound()
  return user
}

function userNotFound(): AppError {
  return new AppError('not_found', describedDetail('user_not_found'))
}

/** A user as administrators see them. Times are ISO 8601, UTC. */
export type ManagedUser = Awaited<ReturnType<typeof describeUsers>>[number]

/** Adds what is the same for every kind of accounts. */
async function describeUsers(db: Database, directory: UserDirectory, users: readonly DirectoryUser[]) {
  const ids = users.map(({ id }) => id)
  const accessOf = await readAccessOfAll(db, ids)
  const images = await readTotals(db, 'images', ids)
  const posts = await readTotals(db, 'posts', ids)
  const bytes = await readTotals(db, 'storedBytes', ids)
  return users.map(({ createdAt, lastSeenAt, ...user }) => {
    const access = accessOf(user.id)
    const fixed = directory.fixedRole(user.id, access)
    return {
      ...user,
      role: fixed?.role ?? access.role,
      /** Environment variable that decides on the role; null if administrators do. */
      fixedRole: fixed?.variable ?? null,
      blocked: access.isBlocked,
      /** Images per UTC day, and USD per UTC month; null for the limit and the budget of the site. */
      dailyImageLimit: access.dailyImageLimit,
      monthlyBudget: access.monthlyBudget,
      createdAt: isoTime(createdAt),
      lastSeenAt: isoTime(lastSeenAt),
      /** Generated images and those in the queue, without those that failed, were canceled or are in the trash. */
      images: images.get(user.id) ?? 0,
      posts: posts.get(user.id) ?? 0,
      /** Of images, also of those in the trash. */
      storedBytes: bytes.get(user.id) ?? 0,
    }
  })
}

async function readTotals(db: Database, of: Parameters<typeof totalsOf>[1], ids: readonly string[]) {
  const { rows } = await totalsOf(db, of, ids).execute(db)
  return new Map(rows.map(({ user_id: id, total }) => [id, total]))
}

export interface ManageServices extends AdministrationServices, DeleteAccountServices {}

/** Changes to what a user may do; absent ones are left as they are, and null is for the limit or the budget of the site. */
export const updateInput = z.strictObject({
  id: idSchema,
  dailyImageLimit: wholeNumber('`dailyImageLimit`', 0, dailyImagesMax, ', or null.').nullable().optional(),
  monthlyBudget: dollars('`monthlyBudget`', 0, dollarsMax, ', or null.').nullable().optional(),
  blocked: z.boolean().optional(),
  role: z.enum(roles, '`role` must be member, moderator or administrator.').optional(),
})

/**
 * Changes what a user may do, and records each change. Blocking a user ends their sessions, revokes their API keys and cancels
 * their generations.
 *
 * @throws AppError `not_found`; `forbidden` for administrators' own role or block, and for a role that a variable fixes
 */
export async function updateUser(
  services: ManageServices,
  administrator: Actor,
  { id, dailyImageLimit, monthlyBudget, blocked, role }: z.output<typeof updateInput>,
): Promise<ManagedUser> {
  const { directory } = services.authenticator
  await asAdministrator(services, administrator, async (transaction, record) => {
    await lockManagedUser(services, transaction, id)
    const access = await readAccess(transaction, id)
    const fixed = directory.fixedRole(id, access)

    if (dailyImageLimit !== undefined && dailyImageLimit !== access.dailyImageLimit) {
      await changeAccess(transaction, id, { daily_image_limit: dailyImageLimit })
      const details = { from: access.dailyImageLimit, to: dailyImageLimit }
      await record({ action: 'change_daily_limit', userId: id, details })
    }
    if (monthlyBudget !== undefined && monthlyBudget !== access.monthlyBudget) {
      const micros = monthlyBudget && microsOf(monthlyBudget)
      await changeAccess(transaction, id, { monthly_budget_micros: micros })
      const details = { from: access.monthlyBudget, to: monthlyBudget }
      await record({ action: 'change_monthly_budget', userId: id, details })
    }
    const before = fixed?.role ?? access.role
    if (role !== undefined && role !== before) {
      requireOther(administrator, id)
      if (fixed) {
        throw new AppError('forbidden', describedDetail('role_fixed', { variable: fixed.variable }))
      }
      await setRole(transaction, id, role)
      await record({ action: 'change_role', userId: id, details: { from: before, to: role } })
    }
    if (blocked !== undefined && blocked !== access.isBlocked) {
      if (blocked) requireOther(administrator, id)
      await changeAccess(transaction, id, { blocked_at: blocked ? services.now() : null })
      if (blocked) await directory.endSessions?.(transaction, id)
      if (blocked) await revokeAllApiKeys(transaction, id)
      await record({ action: blocked ? 'block' : 'unblock', userId: id })
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
  await asAdministrator(services, administrator, async (transaction, record) => {
    await lockManagedUser(services, transaction, id)
    await endSessions(transaction, id)
    await record({ action: 'sign_out_user', userId: id })
  })
  return { id }
}

/**
 * Deletes the account of another user with everything stored about them. Where a hosted service has the account, only what is
 * stored here, and a blocked user remains blocked.
 *
 * @throws AppError `not_found`; `forbidden` for the administrator's own account
 */
export async function deleteUser(
  services: ManageServices,
  administrator: Actor,
  { id, posts }: { readonly id: string; readonly posts: PostsOfDeleted },
): Promise<{ id: string }> {
  const { directory } = services.authenticator
  requireOther(administrator, id)
  if (!(await directory.find(services.db, id))) throw userNotFound()
  await deleteAccountData(services, id, {
    posts,
    // The user has an account there still.
    keepsBlock: directory.deleteAccount === null,
    async before(transaction) {
      await lockAsAdministrator(services, transaction, administrator)
      await lockManagedUser(services, transaction, id)
    },
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

/** Locks a user for a change by an administrator. @throws AppError `not_found` */
async function lockManagedUser(
  services: ManageServices,
  transaction: Database,
  userId: string,
): Promise<void> {
  await lockUser(transaction, userId)
  if (!(await services.authenticator.directory.find(transaction, userId))) throw userNotFound()
}

function requireOther(administrator: Actor, userId: string): void {
  if (administrator.id === userId) throw new AppError('forbidden', describedDetail('own_account'))
}

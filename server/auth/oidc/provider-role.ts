import type { Role } from '../../../shared/viewer.ts'
import { recordAdminAction } from '../../admin/admin-log.ts'
import type { Database } from '../../db/open-database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readAccess, setRole } from '../../users/user-access.ts'

interface RoleServices {
  readonly db: Database
  readonly now: () => number
  /** Name of the provider, for the audit log. */
  readonly providerName: string
}

/** Makes a user an administrator or a member, see `applyProviderRole`. */
export async function refreshRole(
  { db, ...services }: RoleServices,
  userId: string,
  isInGroup: boolean,
): Promise<void> {
  await inTransaction(db, (transaction) =>
    applyProviderRole({ ...services, db: transaction }, userId, isInGroup),
  )
}

/**
 * Makes a user an administrator or a member, as the provider says, and records the change. A role that was given on this site
 * is not taken away. Call it in a transaction.
 *
 * @param isInGroup whether the user is in the group of administrators
 */
export async function applyProviderRole(
  { db, now, providerName }: RoleServices,
  userId: string,
  isInGroup: boolean,
): Promise<void> {
  const { role: from, isRoleFromProvider } = await readAccess(db, userId)
  const to: Role = isInGroup ? 'administrator' : isRoleFromProvider ? 'member' : from
  if (to === from) return
  await setRole(db, userId, to, isInGroup)
  const provider = { id: null, firstName: providerName }
  await recordAdminAction(db, provider, {
    action: 'change_role',
    userId,
    details: { from, to },
    now: now(),
  })
}

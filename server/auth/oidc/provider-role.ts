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

/**
 * Makes a user an administrator or a member, as the provider says, and records the change. A role that was given on this site
 * is not taken away.
 *
 * @param isInGroup whether the user is in the group of administrators
 */
export async function refreshRole(
  { db, now, providerName }: RoleServices,
  userId: string,
  isInGroup: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { role: from, isRoleFromProvider } = await readAccess(transaction, userId)
    const to: Role = isInGroup ? 'administrator' : isRoleFromProvider ? 'member' : from
    if (to === from) return
    await setRole(transaction, userId, to, isInGroup)
    const provider = { id: null, firstName: providerName }
    await recordAdminAction(transaction, provider, {
      action: 'change_role',
      userId,
      details: { from, to },
      now: now(),
    })
  })
}

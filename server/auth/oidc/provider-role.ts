import type { Database } from '../../db/open-database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readAccess, setRole } from '../../users/user-access.ts'

/**
 * Makes a user an administrator or a member, as the provider says. A role that was given on this site is not taken away.
 *
 * @param isInGroup whether the user is in the group of administrators
 */
export async function refreshRole(db: Database, userId: string, isInGroup: boolean): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { role, isRoleFromProvider } = await readAccess(transaction, userId)
    if (isInGroup && role !== 'administrator') await setRole(transaction, userId, 'administrator', true)
    else if (!isInGroup && isRoleFromProvider) await setRole(transaction, userId, 'member')
  })
}

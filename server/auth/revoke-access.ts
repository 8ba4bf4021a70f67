import { sql } from 'kysely'
import { inTransaction, lockUser } from '../db/transaction.ts'
import type { Database } from '../db/open-database.ts'
import { revokeAllApiKeys } from '../users/user-access.ts'
import { deleteAllPasskeys } from '../users/passkeys.ts'
import { endSessions } from './local-directory.ts'
import { applyProviderRole } from './oidc/provider-role.ts'
import { providerId } from './oidc/provider-sign-in.ts'

/**
 * Ends every session of a local account and removes every way to sign in but its password, which was reset: who knew the
 * former one may have added them.
 *
 * @param isConnectionKept true to leave the provider connected, for an account that had no password to connect it with
 */
export async function revokeAccess(
  db: Database,
  userId: string,
  { isConnectionKept }: { readonly isConnectionKept: boolean },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // A passkey that is being added or used at the same time is checked again under the same lock.
    await lockUser(transaction, userId)
    if (!isConnectionKept) {
      await sql`DELETE FROM "account" WHERE "userId" = ${userId} AND "providerId" = ${providerId}`.execute(
        transaction,
      )
      await applyProviderRole({ db: transaction, now: Date.now, providerName: providerId }, userId, false)
    }
    await deleteAllPasskeys({ db: transaction }, userId)
    await revokeAllApiKeys({ db: transaction }, userId)
    await endSessions(transaction, userId)
  })
}

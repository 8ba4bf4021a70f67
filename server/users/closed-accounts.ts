import type { UserAccess } from '../../shared/account.ts'
import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { readAccess } from './user-access.ts'

/**
 * Time for which a closed account is remembered: longer than any request authenticated before, and than any session
 * token of a hosted sign-in service that outlives its account.
 */
const rememberedMs = 60 * 60 * 1_000

interface ClosedAccountServices {
  readonly db: Database
  readonly now: () => number
}

/**
 * Marks an account as deleted, or closed at the hosted sign-in service, revokes its API keys and deletes its webhooks.
 * Requests of the account that are in progress store nothing from then on, see `requireOpenAccount`.
 */
export async function closeAccount({ db, now }: ClosedAccountServices, userId: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockUser(transaction, userId)
    await markClosed({ db: transaction, now }, userId)
  })
}

/** Closes an account in a transaction that has locked its user. */
export async function markClosed({ db, now }: ClosedAccountServices, userId: string): Promise<void> {
  await db
    .deleteFrom('closed_accounts')
    .where('created_at', '<=', now() - rememberedMs)
    .execute()
  await db
    .insertInto('closed_accounts')
    .values({ user_id: userId, created_at: now() })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ created_at: now() }))
    .execute()
  await revokeAllApiKeys({ db }, userId)
  await db.deleteFrom('webhooks').where('user_id', '=', userId).execute()
}

/** Revokes every API key of a user. */
export async function revokeAllApiKeys({ db }: { db: Database }, userId: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', userId).execute()
}

/** Removes the mark of an account that is open again. */
export async function reopenAccount({ db }: { db: Database }, userId: string): Promise<void> {
  await db.deleteFrom('closed_accounts').where('user_id', '=', userId).execute()
}

/**
 * Verifies that a user's account is still open and not blocked. Call it in the transaction that stores something of the user: the
 * request was authenticated earlier, and the account may have been deleted since. The service token has no account
 * and always passes.
 *
 * @returns what the user may do
 * @throws AppError `not_signed_in`
 */
export async function requireOpenAccount(
  { db, now }: ClosedAccountServices,
  user: { readonly id: string },
): Promise<UserAccess> {
  const closed = await db
    .selectFrom('closed_accounts')
    .select('created_at')
    .where('user_id', '=', user.id)
    .where('created_at', '>', now() - rememberedMs)
    .executeTakeFirst()
  const access = await readAccess(db, user.id)
  if (closed || access.isBlocked) {
    throw new AppError('not_signed_in', describedDetail('account_closed'))
  }
  return access
}

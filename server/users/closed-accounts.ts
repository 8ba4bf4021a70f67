import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { revokeAllTokens } from './api-keys/revoke-api-key.ts'

/**
 * How long a closed account stays marked, in milliseconds: longer than any request that was authenticated before, and
 * than any session that outlives its account at a hosted sign-in service.
 */
const markedMs = 60 * 60 * 1_000

interface ClosedAccountServices {
  readonly db: Database
  readonly now: () => number
}

/**
 * Marks an account that was deleted, or closed at the hosted sign-in service, and revokes its API keys. Requests of the
 * account that are under way then store nothing more: see `requireOpenAccount`.
 */
export async function closeAccount({ db, now }: ClosedAccountServices, userId: string): Promise<void> {
  await db
    .deleteFrom('token_bars')
    .where('created_at', '<=', now() - markedMs)
    .execute()
  await db
    .insertInto('token_bars')
    .values({ person_id: userId, created_at: now() })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ created_at: now() }))
    .execute()
  // Last, so that none can be created in between.
  await revokeAllTokens({ db }, userId)
}

/** Removes the mark of an account that was closed and is open again. */
export async function reopenAccount({ db }: { db: Database }, userId: string): Promise<void> {
  await db.deleteFrom('token_bars').where('person_id', '=', userId).execute()
}

/**
 * Verifies that a user's account is still open. To be called in the transaction that stores something of theirs: the
 * request was authenticated earlier, and the account may have been deleted since. The actor of `API_TOKEN` has no account
 * and always passes.
 *
 * @throws AppError `not_signed_in`
 */
export async function requireOpenAccount(
  { db, now }: ClosedAccountServices,
  user: { readonly id: string },
): Promise<void> {
  const mark = await db
    .selectFrom('token_bars')
    .select('created_at')
    .where('person_id', '=', user.id)
    .where('created_at', '>', now() - markedMs)
    .executeTakeFirst()
  if (mark) throw new AppError('not_signed_in', 'This account has been deleted or closed.')
}

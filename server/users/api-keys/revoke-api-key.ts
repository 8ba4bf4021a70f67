import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'

/**
 * Ends one of the user's tokens, from the next call on.
 *
 * @throws AppError `not_found`, also for a token of somebody else
 */
export async function revokeToken(
  { db }: { db: Database },
  user: { readonly id: string },
  input: { readonly id: string },
): Promise<{ id: string }> {
  const revoked = await db
    .deleteFrom('personal_tokens')
    .where('id', '=', input.id)
    .where('person_id', '=', user.id)
    .returning('id')
    .executeTakeFirst()
  if (!revoked) throw new AppError('not_found', 'There is no such API token.')
  return revoked
}

/** Revokes every API key of a user. */
export async function revokeAllTokens({ db }: { db: Database }, userId: string): Promise<void> {
  await db.deleteFrom('personal_tokens').where('person_id', '=', userId).execute()
}

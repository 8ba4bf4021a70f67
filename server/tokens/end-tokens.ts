import type { Database } from '../db/open-database.ts'

/** Longer than any session that outlives the account it is of, in milliseconds. */
const barredFor = 60 * 60 * 1_000

/** Ends every token of a person. */
export async function revokeAllTokens({ db }: { db: Database }, personId: string): Promise<void> {
  await db.deleteFrom('personal_tokens').where('person_id', '=', personId).execute()
}

/**
 * Ends every token of a person whose account is gone or closed, and lets them make no other for a while: where a
 * service keeps the account, a session of it may last some time longer, and a token made by it would last for good.
 */
export async function barFromTokens(
  { db, now }: { db: Database; now: () => number },
  personId: string,
): Promise<void> {
  await db
    .deleteFrom('token_bars')
    .where('created_at', '<=', now() - barredFor)
    .execute()
  await db
    .insertInto('token_bars')
    .values({ person_id: personId, created_at: now() })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ created_at: now() }))
    .execute()
  // Last, so that none can be made in between.
  await revokeAllTokens({ db }, personId)
}

/** Whether a person's account has gone or was closed a short while ago. */
export async function isBarred(
  { db, now }: { db: Database; now: () => number },
  personId: string,
): Promise<boolean> {
  const bar = await db
    .selectFrom('token_bars')
    .select('created_at')
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return bar !== undefined && bar.created_at > now() - barredFor
}

import { randomUUID } from 'node:crypto'
import { tokensMax, type MadeToken, type TokenLifetime } from '../../../shared/api-keys.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'
import { requireOpenAccount } from '../closed-accounts.ts'
import { toToken } from './api-key-row.ts'
import { makeTokenText, tokenHash } from './api-key-format.ts'

const day = 24 * 60 * 60 * 1_000

/**
 * Makes a token by which programs act as the viewer; its text is in the answer and nowhere else.
 *
 * @throws AppError `token_limit` where the viewer has as many as one may have, `not_signed_in` once their account is
 *   deleted or closed
 */
export async function createToken(
  { db, now }: { db: Database; now: () => number },
  viewer: Viewer,
  input: { readonly name: string; readonly expiresInDays: TokenLifetime | null },
): Promise<MadeToken> {
  const token = makeTokenText()
  const createdAt = now()
  const row = {
    id: randomUUID(),
    person_id: viewer.id,
    name: input.name,
    hash: tokenHash(token),
    person_name: viewer.firstName,
    person_image: viewer.imageUrl,
    created_at: createdAt,
    expires_at: input.expiresInDays === null ? null : createdAt + input.expiresInDays * day,
    last_used_at: null,
  }
  await db.transaction().execute(async (transaction) => {
    await requireOpenAccount({ db: transaction, now }, viewer)
    const { tokens } = await transaction
      .selectFrom('personal_tokens')
      .select((eb) => eb.fn.countAll<number>().as('tokens'))
      .where('person_id', '=', viewer.id)
      .executeTakeFirstOrThrow()
    if (tokens >= tokensMax) {
      throw new AppError('token_limit', `You have ${tokensMax} API tokens already. Please revoke one first.`)
    }
    await transaction.insertInto('personal_tokens').values(row).execute()
  })
  return { ...toToken(row), token }
}

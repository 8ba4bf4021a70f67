import type { ApiKeyScope } from '../../shared/account.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import { hashToken } from '../text/hash-token.ts'
import { apiKeyOf, generateApiKey, insertApiKey, toScopes, type KeyOwner } from './api-keys.ts'
import type { UserServices } from './user-access.ts'

/** Time within which a code is exchanged, in milliseconds. */
const codeMs = 60_000

const accessTokenMs = 15 * 60_000

/**
 * Time in which a refresh token is answered again with the same tokens, in milliseconds: programs lose answers, and renew twice when
 * two of their calls meet a token that has expired.
 */
const repeatMs = 30_000

/** Time without a renewal after which a program has to ask again, in milliseconds. */
const unusedMs = 30 * msPerDay

/**
 * Stores that a user allows a program to act as them: an API key that is given out when the code is exchanged.
 *
 * @param program what the user was shown and chose, and the proof that is due at the exchange
 * @returns the code
 * @throws AppError `api_key_limit`, or `not_signed_in` if the account has been deleted, closed or blocked, or the session has ended
 */
export async function allowProgram(
  services: UserServices,
  user: KeyOwner,
  program: {
    readonly name: string
    readonly host: string
    readonly scopes: readonly ApiKeyScope[]
    readonly proof: readonly [clientId: string, ...string[]]
  },
): Promise<string> {
  const [family, secret] = [generateApiKey(), generateApiKey()]
  await insertApiKey(services, user, {
    name: program.name,
    scopes: JSON.stringify(program.scopes),
    expires_at: services.now() + codeMs,
    program_host: program.host,
    client_hash: hashToken(program.proof[0]),
    family_hash: hashToken(family),
    proof_hash: hashProof(secret, program.proof),
  })
  return `${family}.${secret}`
}

/**
 * Exchanges a code, or a refresh token, for tokens. A second use, but for a repetition of a renewal, or a use without its proof
 * revokes what the first one got, as one of the two is not the program.
 *
 * @param proof what was agreed on when the code or the refresh token was given out: the program, and for a code more
 * @param sign signs texts with a key of the site, from which the tokens are made
 * @returns the response of OAuth; null for a code or a token that is not valid
 */
export async function exchangeToken(
  { db, now }: UserServices,
  token: string,
  proof: readonly [clientId: string, ...string[]],
  sign: (text: string) => string,
) {
  const [family = '', secret = ''] = token.split('.')
  const keyFor = (use: string) =>
    apiKeyOf(Buffer.from(sign(JSON.stringify([use, token, ...proof])), 'base64url'))
  const [accessToken, nextSecret, at] = [keyFor('access'), keyFor('refresh'), now()]
  const next = {
    hash: hashToken(accessToken),
    token_expires_at: at + accessTokenMs,
    expires_at: at + unusedMs,
    proof_hash: hashProof(nextSecret, [proof[0]]),
  }
  const row =
    (await db
      .updateTable('api_keys')
      .set(next)
      .where('family_hash', '=', hashToken(family))
      .where('proof_hash', '=', hashProof(secret, proof))
      .where('expires_at', '>', at)
      .returning(['scopes', 'token_expires_at'])
      .executeTakeFirst()) ??
    (proof.length === 1 &&
      (await db
        .selectFrom('api_keys')
        .select(['scopes', 'token_expires_at'])
        .where('family_hash', '=', hashToken(family))
        .where('proof_hash', '=', next.proof_hash)
        .where('token_expires_at', '>', next.token_expires_at - repeatMs)
        .executeTakeFirst()))
  if (!row) {
    await revokeToken(db, token)
    return null
  }
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor(((row.token_expires_at ?? at) - at) / 1_000),
    refresh_token: `${family}.${nextSecret}`,
    scope: toScopes(row.scopes).join(' '),
  }
}

/** Revokes a program by its code, access token or refresh token; does nothing for an API key. */
export async function revokeToken(db: Database, token: string): Promise<void> {
  const hash = hashToken(token.split('.')[0] ?? '')
  await deletePrograms(db)
    .where((eb) => eb.or({ hash, family_hash: hash }))
    .execute()
}

/** Deletes programs whose code or refresh token has expired. @returns their number */
export async function sweepPrograms({ db, now }: UserServices): Promise<number> {
  const { numDeletedRows } = await deletePrograms(db).where('expires_at', '<=', now()).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Revokes every program of a user, also one that is being allowed. API keys stay. */
export async function revokePrograms(db: Database, userId: string): Promise<void> {
  await inTransactionAbout(db, userId, (transaction) =>
    deletePrograms(transaction).where('user_id', '=', userId).execute(),
  )
}

function deletePrograms(db: Database) {
  return db.deleteFrom('api_keys').where('program_host', 'is not', null)
}

function hashProof(secret: string, proof: readonly string[]): string {
  return hashToken(JSON.stringify([secret, ...proof]))
}

import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Database } from '../../db/open-database.ts'

/** Facts about a session that began at the provider. */
interface ProviderSession {
  /** Names the provider's own session when both are ended. */
  readonly idToken: string
  /** Time at which the user proved their identity to the provider, in milliseconds since 1970. */
  readonly authenticatedAt: number
}

interface Services {
  readonly db: Database
  /** Key of the encryption. */
  readonly secret: string
}

/** Stores that a session began at the provider. It is deleted with the session. */
export async function storeProviderSession(
  { db, secret }: Services,
  sessionId: string,
  { idToken, authenticatedAt }: ProviderSession,
): Promise<void> {
  const encrypted = await symmetricEncrypt({ key: secret, data: idToken })
  await db
    .insertInto('provider_sessions')
    .values({ session_id: sessionId, id_token: encrypted, authenticated_at: authenticatedAt })
    .execute()
}

/** Reads the ID token of a session; null if it did not begin at the provider, or the secret has changed since. */
export async function readIdToken({ db, secret }: Services, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('provider_sessions')
    .select('id_token')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (!row) return null
  try {
    return await symmetricDecrypt({ key: secret, data: row.id_token })
  } catch {
    return null
  }
}

/** Reads when the user proved their identity to the provider; null for a session that did not begin there. */
export async function readAuthenticationTime(db: Database, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('provider_sessions')
    .select('authenticated_at')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row?.authenticated_at ?? null
}

import type { ApiKey } from '../../../shared/api-keys.ts'
import type { Database } from '../../db/open-database.ts'
import { toToken } from './api-key-row.ts'

/** A user's tokens, newest first, expired ones among them until they are revoked. */
export async function listTokens(
  { db }: { db: Database },
  { id }: { readonly id: string },
): Promise<readonly ApiKey[]> {
  const rows = await db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'created_at', 'expires_at', 'last_used_at'])
    .where('person_id', '=', id)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(toToken)
}

import type { Passkey } from '../../shared/account.ts'
import type { Database } from '../db/open-database.ts'

const columns = ['id', 'name', 'createdAt', 'lastUsedAt'] as const

/** Lists a user's passkeys, oldest first; none with a hosted sign-in service. */
export async function listPasskeys(db: Database, userId: string): Promise<readonly Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(columns)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }))
}

import type { Selectable } from 'kysely'
import type { Passkey } from '../../shared/account.ts'
import type { PasskeyTable } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { UserServices } from './user-access.ts'

const columns = ['id', 'name', 'createdAt', 'lastUsedAt'] as const

/** Lists a user's passkeys, oldest first; none with a hosted sign-in service. */
export async function listPasskeys(
  { db }: Pick<UserServices, 'db'>,
  { id }: { readonly id: string },
): Promise<readonly Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(columns)
    .where('userId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

/**
 * Renames one of a user's passkeys.
 *
 * @throws AppError `not_found`, also for another user's passkey
 */
export async function renamePasskey(
  { db }: Pick<UserServices, 'db'>,
  user: { readonly id: string },
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Passkey> {
  const renamed = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', user.id)
    .returning(columns)
    .executeTakeFirst()
  return toPasskey(renamed ?? notFound())
}

/**
 * Deletes one of a user's passkeys. Sessions that began with it stay.
 *
 * @throws AppError `not_found`, also for another user's passkey
 */
export async function deletePasskey(
  { db }: Pick<UserServices, 'db'>,
  user: { readonly id: string },
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  const deleted = await db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('userId', '=', user.id)
    .returning('id')
    .executeTakeFirst()
  return deleted ?? notFound()
}

/** Deletes every passkey of a user. */
export async function deleteAllPasskeys({ db }: Pick<UserServices, 'db'>, userId: string): Promise<void> {
  await db.deleteFrom('passkey').where('userId', '=', userId).execute()
}

function notFound(): never {
  throw new AppError('not_found', describedDetail('passkey_not_found'))
}

function toPasskey(row: Pick<Selectable<PasskeyTable>, (typeof columns)[number]>): Passkey {
  const { id, name, createdAt, lastUsedAt } = row
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }
}

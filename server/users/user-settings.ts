import type { AccountSettings } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { requireOpenAccount } from './closed-accounts.ts'

/** Reads the settings of a user, the defaults if none were chosen. */
export async function readSettings(db: Database, user: { readonly id: string }): Promise<AccountSettings> {
  const row = await db
    .selectFrom('user_settings')
    .select('default_visibility')
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return { defaultVisibility: row?.default_visibility ?? 'public' }
}

/** Replaces the settings of a user. @throws AppError `not_signed_in` once the account is deleted */
export function updateSettings(
  services: { readonly db: Database; readonly now: () => number },
  viewer: Viewer,
  settings: AccountSettings,
): Promise<AccountSettings> {
  const columns = { default_visibility: settings.defaultVisibility }
  return inTransaction(services.db, async (transaction) => {
    await lockUser(transaction, viewer.id)
    await requireOpenAccount({ ...services, db: transaction }, viewer)
    await transaction
      .insertInto('user_settings')
      .values({ user_id: viewer.id, ...columns })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
      .execute()
    return settings
  })
}

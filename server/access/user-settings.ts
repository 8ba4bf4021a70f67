import type { AccountSettings } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import { inTransactionOf, type UserServices } from './user-access.ts'

const defaults: AccountSettings = { defaultVisibility: 'public', mailNotices: true }

/** Selects the row of a user's settings, if any were stored. */
export function selectSettings(db: Database, userId: string) {
  return db.selectFrom('user_settings').where('user_id', '=', userId)
}

/** Reads the settings of a user, the defaults if none were chosen. */
export async function readSettings(db: Database, user: { readonly id: string }): Promise<AccountSettings> {
  const stored = selectSettings(db, user.id).select(['default_visibility', 'mail_notices'])
  const row = await stored.executeTakeFirst()
  return row ? { defaultVisibility: row.default_visibility, mailNotices: row.mail_notices === 1 } : defaults
}

/** Changes settings of a user. @throws AppError `not_signed_in` once the account is deleted */
export function updateSettings(
  services: UserServices,
  viewer: Viewer,
  changes: { readonly [Name in keyof AccountSettings]?: AccountSettings[Name] | undefined },
): Promise<AccountSettings> {
  return inTransactionOf(services, viewer, async (transaction) => {
    const { defaultVisibility, mailNotices } = changes
    await writeSettings(transaction, viewer.id, {
      ...(defaultVisibility !== undefined && { default_visibility: defaultVisibility }),
      ...(mailNotices !== undefined && { mail_notices: Number(mailNotices) }),
    })
    return readSettings(transaction, viewer)
  })
}

/**
 * Records the language of a user's request, in which mails are written that no request of theirs causes. Nothing is written
 * for the language that is recorded already, or once the account is deleted.
 */
export async function recordUserLanguage(
  services: UserServices,
  userId: string,
  language: string,
): Promise<void> {
  const row = await selectSettings(services.db, userId).select('language').executeTakeFirst()
  if (row?.language === language) return
  await inTransactionOf(services, { id: userId }, async (transaction) => {
    await writeSettings(transaction, userId, { language })
  })
}

async function writeSettings(
  transaction: Database,
  userId: string,
  columns: Partial<Omit<RowOf<'user_settings'>, 'user_id'>>,
): Promise<void> {
  if (Object.keys(columns).length === 0) return
  await transaction
    .insertInto('user_settings')
    .values({ default_visibility: defaults.defaultVisibility, ...columns, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

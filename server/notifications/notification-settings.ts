import {
  notificationKinds,
  type NotificationChannel,
  type NotificationKind,
  type NotificationSettings,
} from '../../shared/notifications.ts'
import { inTransactionOf, type UserServices } from '../access/user-access.ts'
import type { Database } from '../db/open-database.ts'

/** Mails inform at once about decisions and appeals, and daily about the others. */
const defaults: NotificationSettings = {
  like: { page: true, mail: false, push: false },
  remix: { page: true, mail: true, push: true },
  collection: { page: true, mail: true, push: true },
  generation: { page: true, mail: false, push: true },
  theme: { page: true, mail: false, push: false },
  decision: { page: true, mail: true, push: true },
  appeal: { page: true, mail: true, push: true },
}

/** Changes of some channels of some kinds. */
export type SettingsChanges = {
  readonly [Kind in NotificationKind]?: { readonly [Channel in NotificationChannel]?: boolean | undefined }
}

/** Reads a user's settings, until when they have read, and when they read the latest; null if they never did. */
export async function readReadState(db: Database, userId: string) {
  const row = await db
    .selectFrom('notification_settings')
    .select(['settings', 'read_until', 'read_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const { settings = '{}', read_until: readUntil = 0, read_at: readAt = null } = row ?? {}
  return { settings: merge(defaults, JSON.parse(settings) as SettingsChanges), readUntil, readAt }
}

/** Reads which kinds reach a user where. */
export async function readNotificationSettings(db: Database, userId: string): Promise<NotificationSettings> {
  return (await readReadState(db, userId)).settings
}

/** Returns the kinds that reach a user by a channel. */
export function kindsBy(channel: NotificationChannel, settings: NotificationSettings): NotificationKind[] {
  return notificationKinds.filter((kind) => settings[kind][channel])
}

/** Changes which kinds reach a user where, and returns all. @throws AppError `not_signed_in` once the account is deleted */
export function updateNotificationSettings(
  services: UserServices,
  user: { readonly id: string },
  changes: SettingsChanges,
): Promise<NotificationSettings> {
  return inTransactionOf(services, user, async (transaction) => {
    const settings = merge(await readNotificationSettings(transaction, user.id), changes)
    const columns = { settings: JSON.stringify(settings) }
    await transaction
      .insertInto('notification_settings')
      .values({ user_id: user.id, read_at: null, ...columns })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
      .execute()
    return settings
  })
}

function merge(settings: NotificationSettings, changes: SettingsChanges): NotificationSettings {
  const entries = notificationKinds.map((kind) => [kind, { ...settings[kind], ...changes[kind] }])
  return Object.fromEntries(entries) as NotificationSettings
}

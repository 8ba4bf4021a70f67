import type { Role } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'

/** The user of a local account, as mails need to know them. */
export interface Recipient {
  readonly email: string
  readonly isVerified: boolean
  /** Language of their latest request, a BCP 47 tag; null if unknown. */
  readonly language: string | null
  readonly wantsNotices: boolean
  readonly role: Role
}

/** Finds the user of a local account; null once it is deleted. */
export async function findRecipient(db: Database, userId: string): Promise<Recipient | null> {
  // Not joined, as PostgreSQL compares the ids of better-auth's tables by another collation.
  const user = await db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return null
  const settings = await db
    .selectFrom('user_settings')
    .select(['language', 'mail_notices'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const access = await db
    .selectFrom('user_access')
    .select(['role', 'blocked_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    language: settings?.language ?? null,
    wantsNotices: settings?.mail_notices !== 0,
    role: access === undefined || access.blocked_at !== null ? 'member' : access.role,
  }
}

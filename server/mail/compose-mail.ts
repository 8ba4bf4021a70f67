/// <reference types="vite/types/importMeta.d.ts" />
import type { I18n, Messages } from '@lingui/core'
import { directionOf } from '../../shared/languages.ts'
import type { Role } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { readAccess } from '../access/user-access.ts'
import { countReported } from '../audit/waiting-reports.ts'
import { languagesOf } from '../text/catalogs.ts'
import type { MailContent, MailFrame } from './mail-content.ts'
import type { MailMessage, MailRow } from './mail-queue.ts'
import { accountMail, moderationMail, reportsMail, webhookMail } from './mail-texts.ts'

const i18nByLanguage = languagesOf(
  import.meta.glob<{ messages: Messages }>('../../src/i18n/locales/mail/*.po', { eager: true }),
)

interface ComposeServices {
  readonly db: Database
  readonly siteName: string
  readonly publicOrigin: string | null
}

/** A mail that is ready to be sent. */
interface ComposedMail {
  readonly to: string
  readonly content: MailContent
  readonly frame: MailFrame
}

/** Composes a queued mail; null if its recipient does not exist any more or does not want it, or if nothing is left to say. */
export async function composeMail(
  { db, siteName, publicOrigin }: ComposeServices,
  row: MailRow,
): Promise<ComposedMail | null> {
  const user = row.user_id === null ? null : await findRecipient(db, row.user_id)
  const to = row.recipient ?? user?.email
  if (to === undefined) return null
  const i18n = mailI18n(row.language ?? user?.language ?? null)
  const language = i18n.locale
  const frame = { siteName, siteUrl: publicOrigin, language, direction: directionOf(language) }
  const content = await contentOf(db, JSON.parse(row.message) as MailMessage, { user, frame, i18n })
  return content && { to, content, frame }
}

interface MailContext {
  /** Null for an address without an account. */
  readonly user: Recipient | null
  readonly frame: MailFrame
  readonly i18n: I18n
}

async function contentOf(
  db: Database,
  message: MailMessage,
  { user, frame, i18n }: MailContext,
): Promise<MailContent | null> {
  switch (message.kind) {
    case 'moderation':
      return user?.wantsNotices ? moderationMail(message, frame, i18n, user.isVerified) : null
    case 'reports': {
      if (!user?.wantsNotices || user.role === 'member') return null
      const posts = await countReported({ db })
      return posts === 0 ? null : reportsMail(posts, frame, i18n)
    }
    case 'webhook-disabled':
      if (!user?.wantsNotices || (message.isOfSite && user.role !== 'administrator')) return null
      return webhookMail(message, frame, i18n)
    default:
      return accountMail(message, frame, i18n)
  }
}

/** The user of a local account, as mails need to know them. */
interface Recipient {
  readonly email: string
  readonly isVerified: boolean
  /** Language of their latest request, a BCP 47 tag; null if unknown. */
  readonly language: string | null
  readonly wantsNotices: boolean
  readonly role: Role
}

/** Finds the user of a local account; null once it is deleted. */
async function findRecipient(db: Database, userId: string): Promise<Recipient | null> {
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
  const { role, isBlocked } = await readAccess(db, userId)
  return {
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    language: settings?.language ?? null,
    wantsNotices: settings?.mail_notices !== 0,
    role: isBlocked ? 'member' : role,
  }
}

/** Returns the messages of a language of mails; in English for one that the site does not have. */
function mailI18n(language: string | null): I18n {
  const i18n = i18nByLanguage.get(language ?? 'en') ?? i18nByLanguage.get('en')
  if (!i18n) throw new Error('There are no messages of mails.')
  return i18n
}

/// <reference types="vite/types/importMeta.d.ts" />
import path from 'node:path'
import { setupI18n, type I18n, type Messages } from '@lingui/core'
import { directionOf, formatsOf } from '../../shared/languages.ts'
import type { Database } from '../db/open-database.ts'
import { readAccess, type UserServices } from '../access/user-access.ts'
import { selectSettings } from '../access/user-settings.ts'
import { countReported } from '../audit/waiting-reports.ts'
import type { MailContent, MailFrame } from './mail-content.ts'
import type { MailMessage, MailRow } from './mail-queue.ts'
import { listNew } from '../notifications/list-notifications.ts'
import { readNotificationSettings } from '../notifications/notification-settings.ts'
import { digestMail } from './notification-texts.ts'
import type { UnsubscribeLinks } from './unsubscribe-links.ts'
import { accountMail, moderationMail, reportsMail, webhookMail } from './mail-texts.ts'

const catalogs = import.meta.glob<{ messages: Messages }>('../../src/i18n/locales/mail/*.po', { eager: true })

const i18nByLanguage = new Map(
  Object.entries(catalogs).map(([file, { messages }]) => {
    const locale = path.basename(file, '.po')
    return [locale, setupI18n({ locale, locales: formatsOf(locale), messages: { [locale]: messages } })]
  }),
)

export interface ComposeServices extends UserServices {
  readonly unsubscribeLinks: UnsubscribeLinks
  readonly readSiteName: (language: string) => Promise<string>
  /** Origin of links; null: mails have none to the site. */
  readonly publicOrigin: string | null
}

/** Returns the texts of mails in a language, in English if the site does not have it. */
export function mailLanguage(language: string | null): I18n {
  const i18n = i18nByLanguage.get(language ?? 'en') ?? i18nByLanguage.get('en')
  if (!i18n) throw new Error('There are no messages of mails.')
  return i18n
}

/** Composes a queued mail; null if its recipient does not exist any more or does not want it, or if nothing is left to say. */
export async function composeMail(services: ComposeServices, row: MailRow) {
  const { db, publicOrigin, unsubscribeLinks } = services
  const user = row.user_id === null ? null : await findRecipient(db, row.user_id)
  const to = row.recipient ?? user?.email
  if (to === undefined) return null
  const i18n = mailLanguage(row.language ?? user?.language ?? null)
  const language = i18n.locale
  const siteName = await services.readSiteName(language)
  const frame: MailFrame = { siteName, siteUrl: publicOrigin, language, direction: directionOf(language) }
  const message = JSON.parse(row.message) as MailMessage
  const contentOf = async (): Promise<MailContent | null> => {
    switch (message.kind) {
      case 'digest': {
        if (!user) return null
        const { news } = await listNew(services, user.id, 'mail', message.since)
        return news.length === 0 ? null : digestMail(news, frame, i18n, user.isVerified)
      }
      case 'moderation':
        if (!user?.wantsNotices || !user.notifications.decision.mail) return null
        return moderationMail(message, frame, i18n, user.isVerified)
      case 'reports': {
        if (!user?.wantsNotices || user.role === 'member' || !user.notifications.appeal.mail) return null
        const posts = await countReported(services)
        return posts === 0 ? null : reportsMail(posts, frame, i18n)
      }
      case 'webhook-disabled':
        if (!user?.wantsNotices || (message.isOfSite && user.role !== 'administrator')) return null
        return webhookMail(message, frame, i18n)
      default:
        return accountMail(message, frame, i18n)
    }
  }
  const content = await contentOf()
  const unsubscribeUrl =
    message.kind === 'digest' && publicOrigin !== null && row.user_id !== null
      ? publicOrigin + unsubscribeLinks.create(row.user_id)
      : null
  return content && { to, content, frame, unsubscribeUrl }
}

/** Finds the user of a local account; null once it is deleted. */
async function findRecipient(db: Database, userId: string) {
  // Not joined, as PostgreSQL compares the ids of better-auth's tables by another collation.
  const user = await db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return null
  const stored = selectSettings(db, userId).select(['language', 'mail_notices'])
  const settings = await stored.executeTakeFirst()
  const { role, isBlocked } = await readAccess(db, userId)
  return {
    id: userId,
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    /** Of their latest request, a BCP 47 tag; null if unknown. */
    language: settings?.language ?? null,
    wantsNotices: settings?.mail_notices !== 0,
    notifications: await readNotificationSettings(db, userId),
    role: isBlocked ? 'member' : role,
  }
}

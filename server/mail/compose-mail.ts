import type { I18n } from '@lingui/core'
import { directionOf } from '../../shared/languages.ts'
import type { Database } from '../db/open-database.ts'
import { countReported } from '../moderation/reports.ts'
import type { MailContent, MailFrame } from './mail-content.ts'
import { mailI18n } from './mail-languages.ts'
import type { MailMessage } from './mail-message.ts'
import type { MailRow } from './mail-queue.ts'
import { findRecipient, type Recipient } from './recipients.ts'
import { accountMail } from './templates/account-mails.ts'
import { moderationMail, reportsMail } from './templates/moderation-mails.ts'
import { webhookMail } from './templates/webhook-mails.ts'

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

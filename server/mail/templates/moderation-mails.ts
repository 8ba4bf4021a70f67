import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ReportReason } from '../../../shared/moderation.ts'
import { pagePaths } from '../../../shared/routes.ts'
import type { MailContent, MailFrame, MailPart } from '../mail-content.ts'
import type { ModerationMessage } from '../mail-message.ts'

const subjects: Readonly<Record<ModerationMessage['decision'], MessageDescriptor>> = {
  hidden: msg`Your post was hidden`,
  restored: msg`Your post is visible again`,
  deleted: msg`Your post was deleted`,
  'appeal-dismissed': msg`Your appeal was dismissed`,
}

const sentences: Readonly<Record<ModerationMessage['decision'], MessageDescriptor>> = {
  hidden: msg`An administrator has hidden a post of yours. Only you and administrators see its image.`,
  restored: msg`An administrator has reviewed a post of yours. It is visible again.`,
  deleted: msg`An administrator has deleted a post of yours with its image.`,
  'appeal-dismissed': msg`The administrators have read your appeal. The post stays hidden.`,
}

const reasonLabels: Readonly<Record<ReportReason, MessageDescriptor>> = {
  illegal: msg`It breaks the law`,
  sexual: msg`It is sexual or shows nudity`,
  violent: msg`It is violent or cruel`,
  hateful: msg`It is hateful or bullies someone`,
  user: msg`It shows someone without their consent`,
  copyright: msg`It copies someone’s work`,
  spam: msg`It is spam or advertising`,
  other: msg`Something else`,
}

/** @param isVerified whether the address of the recipient is verified */
export function moderationMail(
  { decision, prompt, reasons, note }: ModerationMessage,
  { siteUrl }: MailFrame,
  i18n: I18n,
  isVerified: boolean,
): MailContent {
  const causes = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  const canAppeal = decision === 'hidden'
  const hasReasons = reasons.length > 0 && (decision === 'hidden' || decision === 'deleted')
  return {
    subject: i18n._(subjects[decision]),
    parts: [
      textOf(i18n._(sentences[decision])),
      ...(isVerified && prompt !== '' ? [quoteOf(prompt)] : []),
      ...(hasReasons ? [textOf(i18n._(msg`Reported because: ${causes}`))] : []),
      ...(note === '' ? [] : [textOf(i18n._(msg`The administrator wrote:`)), quoteOf(note)]),
      ...(canAppeal
        ? [textOf(i18n._(msg`If you disagree, you can appeal once, on the page “Your images”.`))]
        : []),
      ...(siteUrl === null
        ? []
        : [actionOf(i18n._(msg`Open your images`), new URL(pagePaths.yourImages, siteUrl).href)]),
    ],
    reason: noticeReason(i18n),
  }
}

/** @param posts number of posts that wait */
export function reportsMail(posts: number, { siteUrl, siteName }: MailFrame, i18n: I18n): MailContent {
  return {
    subject: i18n._(
      msg`${plural(posts, { one: '# post waits for a decision', other: '# posts wait for a decision' })}`,
    ),
    parts: [
      textOf(i18n._(msg`There are new reports or appeals on ${siteName}.`)),
      textOf(i18n._(msg`Posts that wait for a decision: ${posts}`)),
      ...(siteUrl === null
        ? []
        : [actionOf(i18n._(msg`Review reports`), new URL(pagePaths.moderation, siteUrl).href)]),
    ],
    reason: noticeReason(i18n),
  }
}

export function noticeReason(i18n: I18n): string {
  return i18n._(msg`You can switch off these notices in the settings of your account.`)
}

export function textOf(text: string): MailPart {
  return { kind: 'text', text }
}

function quoteOf(text: string): MailPart {
  return { kind: 'quote', text }
}

export function actionOf(label: string, url: string): MailPart {
  return { kind: 'action', label, url }
}

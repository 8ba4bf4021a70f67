import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ReportReason } from '../../shared/moderation.ts'
import { pagePaths, adminPath } from '../../shared/routes.ts'
import type { WebhookDisabledReason } from '../../shared/webhooks.ts'
import type { MailContent, MailFrame, MailPart } from './mail-content.ts'
import type { AccountMessage, ModerationMessage, WebhookMessage } from './mail-queue.ts'

interface AccountMailTexts {
  readonly subject: MessageDescriptor
  readonly texts: readonly MessageDescriptor[]
  /** Label of the message's link. */
  readonly action?: MessageDescriptor
  /** Advice for a recipient who did not cause the mail. */
  readonly otherwise: MessageDescriptor
}

export function accountMail(message: AccountMessage, { siteName }: MailFrame, i18n: I18n): MailContent {
  const minutes = 'expiresInMinutes' in message ? message.expiresInMinutes : 0
  const { subject, texts, action, otherwise } = accountTexts[message.kind](siteName, { minutes })
  return {
    subject: i18n._(subject),
    parts: [
      ...texts.map((text) => textPart(i18n._(text))),
      ...(action && 'url' in message
        ? [{ kind: 'action', label: i18n._(action), url: message.url } as const]
        : []),
      textPart(i18n._(otherwise)),
    ],
    reason: i18n._(msg`You received this mail because it is about an account on ${siteName}.`),
  }
}

const accountTexts: Readonly<
  Record<AccountMessage['kind'], (siteName: string, link: { readonly minutes: number }) => AccountMailTexts>
> = {
  'password-reset': (siteName, link) => ({
    subject: msg`Choose a new password for ${siteName}`,
    texts: [
      msg`A new password was requested for your account on ${siteName}.`,
      msg`${plural(link.minutes, { one: 'The link is valid for # minute, and once.', other: 'The link is valid for # minutes, and once.' })}`,
    ],
    action: msg`Choose a new password`,
    otherwise: msg`If you did not ask for it, ignore this mail. Your password stays as it is.`,
  }),
  'email-verification': (siteName, link) => ({
    subject: msg`Confirm your email for ${siteName}`,
    texts: [
      msg`An account on ${siteName} was created with your email. Confirm that it is yours.`,
      validHours(link.minutes),
    ],
    action: msg`Confirm email`,
    otherwise: msg`If you did not create it, ignore this mail, and do not open the link.`,
  }),
  'email-change': (siteName, link) => ({
    subject: msg`Confirm your new email for ${siteName}`,
    texts: [
      msg`You want to use this email for your account on ${siteName}. It is used once you confirm it.`,
      validHours(link.minutes),
    ],
    action: msg`Confirm email`,
    otherwise: msg`If you did not ask for it, ignore this mail, and do not open the link.`,
  }),
  'email-changed': (siteName) => ({
    subject: msg`Your email for ${siteName} was changed`,
    texts: [msg`Your account on ${siteName} has another email now. You no longer sign in with this one.`],
    otherwise: msg`If it was not you, contact the operator of the site at once.`,
  }),
  'existing-account': (siteName) => ({
    subject: msg`You already have an account on ${siteName}`,
    texts: [
      msg`Someone tried to create an account on ${siteName} with your email, but you already have one. Sign in with it. If you forgot the password, choose a new one.`,
    ],
    action: msg`Choose a new password`,
    otherwise: msg`If it was not you, ignore this mail. Nothing has changed.`,
  }),
  'password-changed': (siteName) => ({
    subject: msg`Your password for ${siteName} was changed`,
    texts: [msg`The password of your account on ${siteName} was changed. Other devices are signed out.`],
    otherwise: msg`If it was not you, choose a new password with “Forgot your password?” at sign-in, and contact the operator of the site.`,
  }),
}

function validHours(minutes: number): MessageDescriptor {
  return msg`${plural(Math.round(minutes / 60), { one: 'The link is valid for # hour.', other: 'The link is valid for # hours.' })}`
}

const decisions: Readonly<
  Record<ModerationMessage['decision'], readonly [subject: MessageDescriptor, sentence: MessageDescriptor]>
> = {
  hidden: [
    msg`Your post was hidden`,
    msg`A post of yours was hidden. Only you, moderators and administrators see its image.`,
  ],
  restored: [msg`Your post is visible again`, msg`A post of yours was reviewed. It is visible again.`],
  deleted: [msg`Your post was deleted`, msg`An administrator has deleted a post of yours with its image.`],
  'appeal-dismissed': [msg`Your appeal was dismissed`, msg`Your appeal was read. The post stays hidden.`],
  'collection-hidden': [
    msg`Your collection was hidden`,
    msg`A collection of yours was hidden. Only you, moderators and administrators see it.`,
  ],
  'collection-restored': [
    msg`Your collection is visible again`,
    msg`A collection of yours was reviewed. It is visible again.`,
  ],
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

const webhookReasons: Readonly<Record<WebhookDisabledReason, MessageDescriptor>> = {
  gone: msg`Its server answered that it is gone.`,
  failing: msg`For three days its server has accepted nothing.`,
}

/**
 * Creates a mail about a decision on a post or collection of its recipient.
 *
 * @param isVerified whether the address of the recipient is verified
 */
export function moderationMail(
  { decision, prompt, reasons, note }: ModerationMessage,
  { siteUrl }: MailFrame,
  i18n: I18n,
  isVerified: boolean,
): MailContent {
  const causes = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  const isRestored = decision === 'restored' || decision === 'collection-restored'
  const hasReasons = reasons.length > 0 && !isRestored && decision !== 'appeal-dismissed'
  const isOfCollection = decision.startsWith('collection')
  const [subject, sentence] = decisions[decision]
  return notice(i18n, subject, [
    textPart(i18n._(sentence)),
    ...(isVerified && prompt !== '' ? [quoteOf(prompt)] : []),
    ...(hasReasons ? [textPart(i18n._(msg`Reported because: ${causes}`))] : []),
    ...(note === '' ? [] : [textPart(i18n._(msg`Note on the decision:`)), quoteOf(note)]),
    ...(decision === 'hidden'
      ? [textPart(i18n._(msg`If you disagree, you can appeal once, on the page “Your images”.`))]
      : []),
    ...(isOfCollection
      ? linkTo(i18n._(msg`Open collections`), pagePaths.collections, siteUrl)
      : linkTo(i18n._(msg`Open your images`), pagePaths.yourImages, siteUrl)),
  ])
}

/** Creates a mail about reports and appeals. @param posts number of posts that wait */
export function reportsMail(posts: number, { siteUrl, siteName }: MailFrame, i18n: I18n): MailContent {
  const subject = msg`${plural(posts, { one: '# post waits for a decision', other: '# posts wait for a decision' })}`
  return notice(i18n, subject, [
    textPart(i18n._(msg`There are new reports or appeals on ${siteName}.`)),
    textPart(i18n._(msg`Posts that wait for a decision: ${posts}`)),
    ...linkTo(i18n._(msg`Review reports`), pagePaths.moderation, siteUrl),
  ])
}

export function webhookMail(
  { host, reason, isOfSite }: WebhookMessage,
  { siteUrl, siteName }: MailFrame,
  i18n: I18n,
): MailContent {
  const disabled = isOfSite
    ? msg`The webhook of ${siteName} at ${host} was disabled.`
    : msg`Your webhook at ${host} was disabled.`
  return notice(i18n, msg`A webhook was disabled`, [
    textPart(i18n._(disabled)),
    textPart(i18n._(webhookReasons[reason])),
    textPart(i18n._(msg`Enable it again when the server works. What happened meanwhile is not sent.`)),
    ...linkTo(i18n._(msg`Open webhooks`), isOfSite ? adminPath('webhooks') : pagePaths.account, siteUrl),
  ])
}

/** Creates a mail that can be switched off. */
function notice(i18n: I18n, subject: MessageDescriptor, parts: readonly MailPart[]): MailContent {
  const reason = msg`You can switch off these notices in the settings of your account.`
  return { subject: i18n._(subject), parts, reason: i18n._(reason) }
}

export function textPart(text: string): MailPart {
  return { kind: 'text', text }
}

export function quoteOf(text: string): MailPart {
  return { kind: 'quote', text }
}

/** Links to a page of the site, if its address is known. */
export function linkTo(label: string, path: string, siteUrl: string | null): MailPart[] {
  return siteUrl === null ? [] : [{ kind: 'action', label, url: new URL(path, siteUrl).href }]
}

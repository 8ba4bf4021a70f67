import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { MailContent, MailFrame } from '../mail-content.ts'
import type { AccountMessage } from '../mail-message.ts'

interface AccountMailTexts {
  readonly subject: MessageDescriptor
  readonly texts: readonly MessageDescriptor[]
  /** Label of the message's link. */
  readonly action?: MessageDescriptor
  /** What to do if the recipient did not cause the mail. */
  readonly otherwise: MessageDescriptor
}

/** Creates a mail about the account of its recipient. */
export function accountMail(message: AccountMessage, { siteName }: MailFrame, i18n: I18n): MailContent {
  const { subject, texts, action, otherwise } = textsOf(message, siteName)
  const text = (descriptor: MessageDescriptor) => ({ kind: 'text', text: i18n._(descriptor) }) as const
  return {
    subject: i18n._(subject),
    parts: [
      ...texts.map(text),
      ...(action && 'url' in message
        ? [{ kind: 'action', label: i18n._(action), url: message.url } as const]
        : []),
      text(otherwise),
    ],
    reason: i18n._(msg`You received this mail because your email is in use on ${siteName}.`),
  }
}

function textsOf(message: AccountMessage, siteName: string): AccountMailTexts {
  switch (message.kind) {
    case 'password-reset':
      return {
        subject: msg`Choose a new password for ${siteName}`,
        texts: [
          msg`A new password was requested for your account on ${siteName}.`,
          msg`${plural(message.expiresInMinutes, { one: 'The link is valid for # minute, and once.', other: 'The link is valid for # minutes, and once.' })}`,
        ],
        action: msg`Choose a new password`,
        otherwise: msg`If you did not ask for it, ignore this mail. Your password stays as it is.`,
      }
    case 'email-verification':
      return {
        subject: msg`Confirm your email for ${siteName}`,
        texts: [
          msg`An account on ${siteName} was created with your email. Confirm that it is yours.`,
          validHours(message.expiresInMinutes),
        ],
        action: msg`Confirm email`,
        otherwise: msg`If you did not create it, ignore this mail, and do not open the link.`,
      }
    case 'email-change':
      return {
        subject: msg`Confirm your new email for ${siteName}`,
        texts: [
          msg`You want to use this email for your account on ${siteName}. It is used once you confirm it.`,
          validHours(message.expiresInMinutes),
        ],
        action: msg`Confirm email`,
        otherwise: msg`If you did not ask for it, ignore this mail, and do not open the link.`,
      }
    case 'email-changed':
      return {
        subject: msg`Your email for ${siteName} was changed`,
        texts: [msg`Your account on ${siteName} has another email now. You no longer sign in with this one.`],
        otherwise: msg`If it was not you, contact the operator of the site at once.`,
      }
    case 'existing-account':
      return {
        subject: msg`You already have an account on ${siteName}`,
        texts: [
          msg`Someone tried to create an account on ${siteName} with your email, but you already have one. Sign in with it. If you forgot the password, choose a new one.`,
        ],
        action: msg`Choose a new password`,
        otherwise: msg`If it was not you, ignore this mail. Nothing has changed.`,
      }
    case 'password-changed':
      return {
        subject: msg`Your password for ${siteName} was changed`,
        texts: [msg`The password of your account on ${siteName} was changed. Other devices are signed out.`],
        otherwise: msg`If it was not you, choose a new password with “Forgot your password?” at sign-in, and contact the operator of the site.`,
      }
  }
}

function validHours(minutes: number): MessageDescriptor {
  return msg`${plural(Math.round(minutes / 60), { one: 'The link is valid for # hour.', other: 'The link is valid for # hours.' })}`
}

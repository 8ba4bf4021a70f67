import type { ReportReason } from '../../shared/moderation.ts'
import type { WebhookDisabledReason } from '../../shared/webhooks.ts'

/**
 * What a mail tells its recipient. Stored as JSON until the mail is sent: fields may be added, but messages of an earlier
 * version must stay readable.
 */
export type MailMessage = ModerationMessage | ReportsMessage | WebhookMessage | AccountMessage

interface MessageBase {
  /** Time in which it must be sent, for example while its link is valid; a day by default. */
  readonly expiresInMinutes?: number
}

/** A decision about the recipient's post. */
export interface ModerationMessage extends MessageBase {
  readonly kind: 'moderation'
  readonly decision: 'hidden' | 'restored' | 'deleted' | 'appeal-dismissed'
  /** Prompt of the post. Sent to a verified address only: the user may have written it for the owner of another one. */
  readonly prompt: string
  /** Reasons for which the post was reported. */
  readonly reasons: readonly ReportReason[]
  /** The administrator's words to the author; may be empty. */
  readonly note: string
}

/** Reports and appeals that wait for a moderator. They are counted when the mail is sent. */
export interface ReportsMessage extends MessageBase {
  readonly kind: 'reports'
}

/** A webhook of the recipient, or of the site, that was disabled. */
export interface WebhookMessage extends MessageBase {
  readonly kind: 'webhook-disabled'
  /** Host of its URL. */
  readonly host: string
  readonly reason: WebhookDisabledReason
  readonly isOfSite: boolean
}

/** A mail about the recipient's own account, which cannot be switched off. */
export type AccountMessage =
  | LinkMessage
  /** A sign-up with the email of an account. The link leads to the page on which a password is chosen. */
  | (MessageBase & { readonly kind: 'existing-account'; readonly url: string })
  | (MessageBase & { readonly kind: 'password-changed' })
  /** To the former email. */
  | (MessageBase & { readonly kind: 'email-changed' })

/** A link by which the recipient chooses a password, or confirms an email. */
interface LinkMessage extends MessageBase {
  readonly kind: 'password-reset' | 'email-verification' | 'email-change'
  readonly url: string
  /** Time for which the link is valid. */
  readonly expiresInMinutes: number
}

/** A mail to be queued. */
export interface Mail {
  /** Address; null for the address that the user's account has when the mail is sent. */
  readonly to: string | null
  /** User whose account deletion discards the mail; null if `to` belongs to no account. */
  readonly userId: string | null
  /** BCP 47 tag; null for the language of the user's latest request. */
  readonly language: string | null
  readonly message: MailMessage
}

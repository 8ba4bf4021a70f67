import type { ReportReason } from '../../shared/moderation.ts'

/**
 * What a mail tells its recipient. Stored as JSON until the mail is sent: fields may be added, but messages of an earlier
 * version must stay readable.
 */
export type MailMessage = ModerationMessage | ReportsMessage

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

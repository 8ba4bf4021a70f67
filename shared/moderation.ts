import type { TextLimit } from './limits.ts'
import type { Post } from './posts.ts'

/** Reasons for a report, in the order of the form. */
export const reportReasons = [
  'illegal',
  'sexual',
  'violent',
  'hateful',
  'user',
  'copyright',
  'spam',
  'other',
] as const

export type ReportReason = (typeof reportReasons)[number]

export const reportCommentLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

/** Limit of an administrator's note to an author, and of an author's appeal. */
export const noteLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

/** An author's appeal against the decision to hide a post. */
export interface Appeal {
  readonly comment: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** True if an administrator has dismissed it. */
  readonly isDismissed: boolean
}

/** The latest decision of administrators about a post, for its author. */
export interface ModerationNotice {
  readonly postId: string
  /** `restored` and `deleted` for 30 days. */
  readonly state: 'hidden' | 'restored' | 'deleted'
  /** Null if the post no longer exists. */
  readonly post: Post | null
  /** Reasons for which the post was reported at that time. */
  readonly reasons: readonly ReportReason[]
  /** The administrator's words to the author; may be empty. */
  readonly note: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** The author's appeal against the decision. A hidden post without one can be appealed. */
  readonly appeal: Appeal | null
}

/** Why a post is hidden, for its author and for moderators. */
export type HiddenNotice = Omit<ModerationNotice, 'post'>

export type ModerationAction =
  | 'hide'
  | 'unhide'
  | 'dismiss'
  | 'delete'
  | 'mark_sensitive'
  | 'unmark_sensitive'

export type ReportDecision = Extract<ModerationAction, 'hide' | 'unhide' | 'dismiss'>

/** An entry of the audit log. */
export interface ModerationRecord {
  readonly action: ModerationAction
  /** First name of the administrator. */
  readonly administrator: string
  readonly postId: string
  /** Author name shown on the post; null if the post is deleted, or private and not hidden. */
  readonly postName: string | null
  /** Id of the author's account; null once the account is deleted. */
  readonly authorId: string | null
  /** Reasons for which the post was reported at that time. */
  readonly reasons: readonly ReportReason[]
  /** The administrator's words to the author; may be empty. */
  readonly note: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

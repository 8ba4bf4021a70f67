import { emailLocalPartMaxLength, emailMaxLength } from './limits.ts'
import type { Image } from './images.ts'
import type { ModerationAction, ReportReason } from './moderation.ts'
import type { Post } from './posts.ts'
import type { ApiKey } from './api-keys.ts'

/** A sign-in that has not ended. */
export interface SessionFacts {
  /** When it began and when it ends if it is not used, in ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
  /** Where it began, as far as that was known: a network address, and what the browser called itself. */
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

/** One of a user's images, with what the list of their images leaves out. */
export interface StoredImageRow extends Image {
  /** When they deleted it while it was hidden; it is kept until an administrator decides. ISO 8601, UTC. */
  readonly withdrawnAt: string | null
}

/** One of a user's posts, with what the gallery does not say. Times are in ISO 8601, UTC. */
export interface StoredPost extends Post {
  /** When an administrator hid it; null while it is in the gallery. */
  readonly hiddenAt: string | null
  /** When they deleted it while it was hidden; it is kept until an administrator decides. */
  readonly withdrawnAt: string | null
}

/** What an administrator did to one of a user's posts. */
export interface StoredDecision {
  readonly action: ModerationAction
  readonly postId: string
  /** What the post was reported as at that time. */
  readonly reasons: readonly ReportReason[]
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** Everything that the server keeps of a user, for them to take away. */
export interface AccountData {
  readonly user: {
    readonly id: string
    /** Null, like the others, where the account is kept by another service. */
    readonly name: string | null
    readonly email: string | null
    readonly createdAt: string | null
  }
  /** Newest first, each with the address of its image where it has one. */
  readonly images: readonly StoredImageRow[]
  readonly posts: readonly StoredPost[]
  /** What administrators did to their posts, newest first. */
  readonly moderation: readonly StoredDecision[]
  /** Without the keys themselves, which are not stored. */
  readonly apiKeys: readonly ApiKey[]
  /** None where the account is kept by another service. */
  readonly sessions: readonly SessionFacts[]
}

/** What becomes of a user's posts when their account goes: they stay under the names they show, or go too. */
export type PostsOfDeleted = 'keep' | 'remove'

export const emailTooLongMessage = `An email address has at most ${emailMaxLength} characters, ${emailLocalPartMaxLength} of them before the @.`

/** Checks the lengths alone, so that nothing else has to read a long text. */
export function isEmailTooLong(email: string): boolean {
  return email.length > emailMaxLength || email.lastIndexOf('@') > emailLocalPartMaxLength
}

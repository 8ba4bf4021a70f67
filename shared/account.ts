import { emailLocalPartMaxLength, emailMaxLength } from './limits.ts'
import type { Visibility } from './posts.ts'

/** Settings that a user chooses. */
export interface AccountSettings {
  /** Visibility of new posts that do not name one. */
  readonly defaultVisibility: Visibility
  /** True if mails inform the user about decisions of administrators, and moderators about reports. */
  readonly mailNotices: boolean
}

/** Treatment of a user's posts when the account is deleted. Kept posts keep the name they show. */
export type PostsOfDeleted = 'keep' | 'remove'

export const emailTooLongMessage = `An email address has at most ${emailMaxLength} characters, ${emailLocalPartMaxLength} of them before the @.`

/** Checks the length of an email, before any other code processes it. */
export function isEmailTooLong(email: string): boolean {
  return email.length > emailMaxLength || email.lastIndexOf('@') > emailLocalPartMaxLength
}

/** Lifetimes that an API key can have, in days. A key may also have no expiry. */
export const apiKeyLifetimes = [7, 30, 90, 365] as const

export type ApiKeyLifetime = (typeof apiKeyLifetimes)[number]

/**
 * Permissions of an API key: to read the images, private posts and quota of its user; to generate, upload and cancel images;
 * to share images, and change, delete or like posts.
 */
export const apiKeyScopes = ['read', 'generate', 'share'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Maximum number of API keys per user, including expired ones and those of programs. */
export const apiKeysMax = 20

export const passkeysMax = 20

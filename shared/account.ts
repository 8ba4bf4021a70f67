import { emailLocalPartMaxLength, emailMaxLength } from './limits.ts'
import type { Visibility } from './posts.ts'
import type { Role } from './viewer.ts'

export interface SessionFacts {
  /** Sign-in time, and expiry without further use. ISO 8601, UTC. */
  readonly createdAt: string
  readonly expiresAt: string
  /** Network address and browser at sign-in, if known. */
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

export interface ProviderConnection {
  readonly provider: string
  /** Id of the user at the provider. */
  readonly userId: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** Role, limit and block of a user. */
export interface UserAccess {
  readonly role: Role
  /** True if the role came from the sign-in provider, which changes it at the next sign-in. */
  readonly isRoleFromProvider: boolean
  /** Images per UTC day; null: the limit of the site. */
  readonly dailyImageLimit: number | null
  /** USD per UTC month; null: the site's budget per user. */
  readonly monthlyBudget: number | null
  readonly isBlocked: boolean
}

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

/** An API key without the key itself. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdAt: string
  /** Null if the key is valid until it is revoked. */
  readonly expiresAt: string | null
  /** Accurate to the minute; null if the key was never used. */
  readonly lastUsedAt: string | null
  /** Host of a program that the user allowed by OAuth, '' for one on their device; not there for a key that the user created. */
  readonly program?: string
}

/** A new API key. The key itself is not stored and can't be shown again. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string
}

export const passkeysMax = 20

/** A passkey of a user. Times are ISO 8601, UTC. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Time of the last sign-in with it; null if there was none. */
  readonly lastUsedAt: string | null
}

/** Lifetimes that an API key can have, in days. A key may also have no expiry. */
export const apiKeyLifetimes = [7, 30, 90, 365] as const

export type ApiKeyLifetime = (typeof apiKeyLifetimes)[number]

/**
 * What an API key allows: to read the images, private posts and quota of its user; to generate, upload and cancel images;
 * to share images, and change, delete or like posts.
 */
export const apiKeyScopes = ['read', 'generate', 'share'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Maximum number of API keys per user, including expired ones. */
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
}

/** A new API key. The key itself is not stored and can't be shown again. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string
}

/** How long a personal token may live, in days; it may also have no end. */
export const tokenLifetimes = [7, 30, 90, 365] as const

export type TokenLifetime = (typeof tokenLifetimes)[number]

/** The most personal tokens that one user has at a time, expired ones among them. */
export const tokensMax = 20

/** A personal token as its user may see it: everything but the token itself. Times are in ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Null where it works until it is revoked. */
  readonly expiresAt: string | null
  /** To the minute; null where it was never used. */
  readonly lastUsedAt: string | null
}

/** A token that was just made, with its text, which nobody is ever told again. */
export interface MadeToken extends ApiKey {
  readonly token: string
}

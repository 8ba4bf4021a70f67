/** Maximum number of passkeys per user. */
export const passkeysMax = 20

/** A passkey of a user. Times are ISO 8601, UTC. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Time of the last sign-in with it; null if there was none. */
  readonly lastUsedAt: string | null
}

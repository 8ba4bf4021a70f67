import type { TextLimit } from './limits.ts'

/** Limit of the note by which administrators recognize an invitation. */
export const invitationNoteLimit: TextLimit = { characters: 200, codeUnits: 800 }

export const invitationDaysMax = 90

/** Maximum number of accounts that one invitation creates. */
export const invitationUsesMax = 1_000

/** `open`: accounts can be created with it. */
export type InvitationState = 'open' | 'used_up' | 'expired' | 'revoked'

export interface InvitationFacts {
  /** `unknown` for a link that this site never gave out, or no longer knows. */
  readonly state: InvitationState | 'unknown'
  /** ISO 8601, UTC; null for an unknown one. */
  readonly expiresAt: string | null
}

import type { TextLimit } from './limits.ts'

/** Limit of the note by which administrators recognize an invitation. */
export const invitationNoteLimit: TextLimit = { characters: 200, codeUnits: 800 }

export const invitationDaysMax = 90

/** Maximum number of accounts that one invitation creates. */
export const invitationUsesMax = 1_000

/** `open`: accounts can be created with it. */
export type InvitationState = 'open' | 'used_up' | 'expired' | 'revoked'

/** An invitation, as administrators see it. */
export interface Invitation {
  readonly id: string
  /** Counts up from 1; the audit log names it. */
  readonly number: number
  /** Words of its creator; may be empty. */
  readonly note: string
  readonly state: InvitationState
  /** Number of accounts that were created with it. */
  readonly uses: number
  readonly maxUses: number
  /** Name of the administrator who created it. */
  readonly createdBy: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
  /** Names of the accounts that were created with it and still exist, the newest first; at most 20. */
  readonly members: readonly string[]
}

/** An invitation, and the token of its link, which is not shown again. */
export interface CreatedInvitation extends Invitation {
  readonly token: string
}

export interface InvitationFacts {
  /** `unknown` for a link that this site never gave out, or no longer knows. */
  readonly state: InvitationState | 'unknown'
  /** ISO 8601, UTC; null for an unknown one. */
  readonly expiresAt: string | null
}

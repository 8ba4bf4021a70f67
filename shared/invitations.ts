import type { TextLimit } from './limits.ts'

/** Limit of the note by which administrators recognize an invitation. */
export const invitationNoteLimit: TextLimit = { characters: 200, codeUnits: 800 }

export const invitationDaysMax = 90

/** Maximum number of accounts that one invitation creates. */
export const invitationUsesMax = 1_000

/** `open`: accounts can be created with it. */
export type InvitationState = 'open' | 'used_up' | 'expired' | 'revoked'

import { APIError } from 'better-auth/api'
import { z } from 'zod'
import type { SignUpMode } from '../../shared/site-options.ts'

/** What decides on new accounts. */
export interface AccountCreationServices {
  /** Reads who may create an account. */
  readonly readSignUp: () => Promise<SignUpMode>
  /** Finds an invitation by its token; null if no account can be created with it now. */
  readonly findInvitation: (token: string) => Promise<{ readonly id: string } | null>
}

const invitationToken = z.string().min(1).max(200)

/**
 * Verifies that a user may create an account, by any way of signing in. Storing the returned id with the account uses the
 * invitation, see migration 0026.
 *
 * @param invitation token of an invitation as a client sent it; ignored if it is not valid and not needed
 * @returns id of the invitation; null without one
 * @throws APIError, which better-auth sends as response
 */
export async function requireSignUp(
  { readSignUp, findInvitation }: AccountCreationServices,
  invitation: unknown,
): Promise<string | null> {
  const mode = await readSignUp()
  if (mode === 'closed') throw reject('EMAIL_PASSWORD_SIGN_UP_DISABLED', 'Sign-up is closed on this site.')
  const token = invitationToken.safeParse(invitation).data
  const found = token === undefined ? null : await findInvitation(token)
  if (found) return found.id
  if (mode === 'open') return null
  throw token === undefined
    ? reject('INVITATION_MISSING', 'New accounts need an invitation.')
    : reject('INVITATION_INVALID', 'This invitation is not valid any more. Ask for another one.')
}

/** A 400, as better-auth replaces the responses of some 403s. */
function reject(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
}

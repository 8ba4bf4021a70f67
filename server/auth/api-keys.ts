import { AppError } from '../errors/app-error.ts'
import type { FindTokenHolder } from '../users/api-keys/find-user-by-api-key.ts'
import { isPersonalToken } from '../users/api-keys/api-key-format.ts'
import type { Authenticator } from './authenticator.ts'

/**
 * Lets in whoever has a personal token, as the person who made it and never as an administrator, beside whom
 * `authenticator` knows.
 */
export function withPersonalTokens(authenticator: Authenticator, findHolder: FindTokenHolder): Authenticator {
  return {
    ...authenticator,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer === null || !isPersonalToken(bearer)) return authenticator.authenticate(credentials)
      const person = await authenticator.recall(await findHolder(bearer))
      // Between the deletion of an account and that of its tokens.
      if (!person) throw new AppError('not_signed_in', 'The bearer token is not valid.')
      const { id, firstName, imageUrl } = person
      return { viewer: { id, firstName, imageUrl }, by: 'personal token' }
    },
  }
}

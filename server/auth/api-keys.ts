import { AppError } from '../errors/app-error.ts'
import type { FindUserByApiKey } from '../users/api-keys/find-user-by-api-key.ts'
import { isApiKey } from '../users/api-keys/api-key-format.ts'
import type { Authenticator } from './authenticator.ts'

/**
 * Lets in whoever has a personal token, as the user who made it and never as an administrator, beside whom
 * `authenticator` knows.
 */
export function withPersonalTokens(authenticator: Authenticator, findUser: FindUserByApiKey): Authenticator {
  return {
    ...authenticator,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer === null || !isApiKey(bearer)) return authenticator.authenticate(credentials)
      const user = await authenticator.recall(await findUser(bearer))
      // Between the deletion of an account and that of its tokens.
      if (!user) throw new AppError('not_signed_in', 'The bearer token is not valid.')
      const { id, firstName, imageUrl } = user
      return { viewer: { id, firstName, imageUrl }, by: 'personal token' }
    },
  }
}

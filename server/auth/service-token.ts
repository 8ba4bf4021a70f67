import type { Authenticator, Identity } from './authenticator.ts'
import { createTokenCheck } from './token-check.ts'

/** Whoever holds API_TOKEN: one user of its own, with its own daily limits. */
const apiClient: Identity = {
  viewer: { id: 'api-token', firstName: 'API', imageUrl: null },
  by: 'site token',
}

/** Lets the fixed bearer credential of the specification in, beside whom `authenticator` knows. */
export function withApiToken(authenticator: Authenticator, token: string): Authenticator {
  const isApiToken = createTokenCheck(token)
  return {
    ...authenticator,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer !== null && isApiToken(bearer)) return apiClient
      return authenticator.authenticate(credentials)
    },
  }
}

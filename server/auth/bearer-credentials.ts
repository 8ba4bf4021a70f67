import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'
import { type FindUserByApiKey, isApiKey } from '../users/api-keys.ts'
import type { Authenticator, Identity } from './authenticator.ts'

/** A user of its own with its own quotas. The id of 0.1 stays, as existing rows refer to it. */
const serviceClient: Identity = {
  viewer: { id: 'api-token', firstName: 'API', imageUrl: null, role: 'member' },
  by: 'service token',
}

/** Accepts the service token (`API_TOKEN`) in addition to the credentials of `authenticator`. */
export function withServiceToken(authenticator: Authenticator, token: string): Authenticator {
  const isServiceToken = createSecretCheck(token)
  return {
    ...authenticator,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer !== null && isServiceToken(bearer)) return serviceClient
      return authenticator.authenticate(credentials)
    },
  }
}

/** Accepts API keys in addition to the credentials of `authenticator`. A key acts as its user, never with a higher role. */
export function withApiKeys(authenticator: Authenticator, findUser: FindUserByApiKey): Authenticator {
  return {
    ...authenticator,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer === null || !isApiKey(bearer)) return authenticator.authenticate(credentials)
      const { scopes, ...owner } = await findUser(bearer)
      const user = await authenticator.recall(owner)
      // The account is deleted before its keys are.
      if (!user) throw new AppError('not_signed_in', 'The bearer token is not valid.')
      return { viewer: { ...user, role: 'member' }, by: 'API key', scopes }
    },
  }
}

/** Returns a comparison with a secret that takes the same time for every input. */
export function createSecretCheck(secret: string): (input: string) => boolean {
  const expected = sha256(secret)
  // Hashing makes the lengths equal, which timingSafeEqual requires.
  return (input) => timingSafeEqual(sha256(input), expected)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

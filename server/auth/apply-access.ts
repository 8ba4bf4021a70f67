import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { readAccess } from '../users/user-access.ts'
import type { Authenticator } from './authenticator.ts'

/**
 * Applies what users may do to an authenticator. A blocked user has no session, and no valid bearer token. A role that the
 * authenticator itself gives is never lowered, and an API key never has more rights than a member.
 */
export function withUserAccess(authenticator: Authenticator, db: Database): Authenticator {
  return {
    ...authenticator,
    async authenticate(credentials) {
      const identity = await authenticator.authenticate(credentials)
      if (!identity) return null
      const { viewer, by } = identity
      const access = await readAccess(db, viewer.id)
      if (access.isBlocked) {
        if (credentials.bearer === null) return null
        throw new AppError('not_signed_in', describedDetail('account_blocked'))
      }
      return by === 'session' && viewer.role === 'member'
        ? { viewer: { ...viewer, role: access.role }, by }
        : identity
    },
  }
}

import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { createFindUserByApiKey, isApiKey } from '../access/api-keys.ts'
import { createUseRecorder } from '../access/use-recorder.ts'
import { inTransactionOf, readAccess, type UserServices } from '../access/user-access.ts'
import { hashToken } from '../text/hash-token.ts'
import { fold } from '../text/search-text.ts'
import type { Authenticator, Identity } from '../access/authenticator.ts'

/** A user of its own with its own quotas. The id of 0.1 stays, as existing rows refer to it. */
const serviceClient: Identity = {
  viewer: { id: 'api-token', firstName: 'API', imageUrl: null, role: 'member' },
  by: 'service token',
}

interface SiteAuthenticatorServices extends UserServices {
  readonly log: Logger
  /** `API_TOKEN`; null if it is not set. */
  readonly serviceToken: string | null
  /** True for a hosted sign-in service: only sessions contain the names of its users. */
  readonly keepsNames: boolean
}

/**
 * Adds to the credentials of accounts the service token and API keys, and applies what users may do. An API key acts as its user,
 * with the rights of a member. A blocked user has no session, and no valid bearer token. A role that the accounts give
 * themselves is never lowered. Records when users were last seen.
 */
export function createSiteAuthenticator(
  accounts: Authenticator,
  services: SiteAuthenticatorServices,
): Authenticator {
  const { db, serviceToken } = services
  const isServiceToken = serviceToken === null ? () => false : createSecretCheck(serviceToken)
  const findUser = createFindUserByApiKey(services)
  const recordVisit = createVisitRecorder(services)

  async function identify(
    credentials: Parameters<Authenticator['authenticate']>[0],
  ): Promise<Identity | null> {
    const { bearer } = credentials
    if (bearer === null || !isApiKey(bearer)) return accounts.authenticate(credentials)
    const { scopes, isProgram, ...owner } = await findUser(bearer, credentials.acceptsPrograms === true)
    const user = await accounts.recall(owner)
    // The account is deleted before its keys are.
    if (!user) throw new AppError('not_signed_in', 'The bearer token is not valid.')
    return { viewer: { ...user, role: 'member' }, by: 'API key', scopes, isProgram }
  }

  return {
    ...accounts,
    async authenticate(credentials) {
      const { bearer } = credentials
      if (bearer !== null && isServiceToken(bearer)) return serviceClient
      const identity = await identify(credentials)
      if (!identity) return null
      const { viewer, by } = identity
      const access = await readAccess(db, viewer.id)
      if (access.isBlocked) {
        if (bearer === null) return null
        throw new AppError('not_signed_in', describedDetail('account_blocked'))
      }
      recordVisit(viewer.id, services.now(), identity)
      return by === 'session' && viewer.role === 'member'
        ? { ...identity, viewer: { ...viewer, role: access.role } }
        : identity
    },
  }
}

/** Returns a comparison with a secret that takes the same time for every input. */
export function createSecretCheck(secret: string): (input: string) => boolean {
  // Hashing makes the lengths equal, which timingSafeEqual requires.
  const digest = (text: string) => Buffer.from(hashToken(text))
  const expected = digest(secret)
  return (input) => timingSafeEqual(digest(input), expected)
}

/** Time between two writes of `last_seen_at` of a user, in milliseconds. */
const seenIntervalMs = 60 * 60 * 1_000

/**
 * Records when users were last seen, accurate to the hour, and the names of users of a hosted sign-in service, which make up the
 * directory of administrators.
 */
function createVisitRecorder(services: SiteAuthenticatorServices) {
  const failed = 'could not record that a user was seen'
  return createUseRecorder(services.log, failed, seenIntervalMs, async (_, seenAt, identity: Identity) => {
    const { viewer, by } = identity
    const name = services.keepsNames ? viewer.firstName : null
    const facts = {
      name,
      search_name: name === null ? '' : fold(name),
      image_url: name === null ? null : viewer.imageUrl,
    }
    const recorded = inTransactionOf(services, viewer, async (transaction) => {
      await transaction
        .insertInto('known_users')
        .values({ user_id: viewer.id, ...facts, first_seen_at: seenAt, last_seen_at: seenAt })
        // An API key has the name of the time when it was created.
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet(by === 'session' ? { ...facts, last_seen_at: seenAt } : { last_seen_at: seenAt })
            .where('known_users.last_seen_at', '<=', seenAt - seenIntervalMs),
        )
        .execute()
    })
    await recorded.catch((error: unknown) => {
      // The account was deleted meanwhile.
      if (!(error instanceof AppError) || error.code !== 'not_signed_in') throw error
    })
  })
}

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Authenticator, Identity } from './authenticator.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { fold } from '../posts/search/normalize.ts'
import { inTransactionOf } from '../users/user-access.ts'

/** Time between two writes of `last_seen_at` of a user, in milliseconds. */
const seenIntervalMs = 60 * 60 * 1_000

/** Maximum number of users whose last write is remembered. A forgotten one costs an extra write. */
const rememberedUsersMax = 10_000

interface KnownUserServices {
  readonly db: Database
  readonly log: Logger
  readonly now: () => number
  /** True for a hosted sign-in service: only sessions tell the names of its users. */
  readonly keepsNames: boolean
}

/**
 * Records when users were last seen, accurate to the hour, and the names of users of a hosted sign-in service, which make up
 * the directory of administrators.
 */
export function withVisits(authenticator: Authenticator, services: KnownUserServices): Authenticator {
  const { log, now } = services
  const recordedAt = new LRUCache<string, number>({ max: rememberedUsersMax })

  /** Not awaited by requests, so that reads succeed while the database rejects writes. */
  async function record(identity: Identity): Promise<void> {
    const { id } = identity.viewer
    const seenAt = now()
    if (seenAt - (recordedAt.get(id) ?? -Infinity) < seenIntervalMs) return
    recordedAt.set(id, seenAt)
    try {
      await recordSeen(services, identity, seenAt)
    } catch (err) {
      // The account was deleted meanwhile.
      if (err instanceof AppError && err.code === 'not_signed_in') return
      log.warn({ err, userId: id }, 'could not record that a user was seen')
    }
  }

  return {
    ...authenticator,
    async authenticate(credentials) {
      const identity = await authenticator.authenticate(credentials)
      if (identity && identity.by !== 'service token') void record(identity)
      return identity
    },
  }
}

async function recordSeen(
  services: KnownUserServices,
  { viewer, by }: Identity,
  seenAt: number,
): Promise<void> {
  const name = services.keepsNames ? viewer.firstName : null
  const facts = {
    name,
    search_name: name === null ? '' : fold(name),
    image_url: name === null ? null : viewer.imageUrl,
  }
  await inTransactionOf(services, viewer, async (transaction) => {
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
}

import type { Logger } from 'pino'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'
import { isWholeToken, tokenHash } from './api-key-format.ts'

/** A last use is noted once in this time, in milliseconds, however often a token is used. */
const noteEvery = 60_000
/** Beyond so many tokens it is forgotten whose use was noted, which costs a write each. */
const rememberedMax = 10_000

interface ApiKeyServices {
  readonly db: Database
  readonly log: Logger
  readonly now: () => number
}

/**
 * Tells who made a token, as they were then.
 *
 * @throws AppError `not_signed_in` for a token that nobody has, that has expired, or of which something is missing
 */
export type FindUserByApiKey = (token: string) => Promise<Viewer>

/** Finds the users of personal tokens, and notes when tokens were last used. */
export function createFindUserByApiKey({ db, log, now }: ApiKeyServices): FindUserByApiKey {
  /** When the use of which token was noted last, or tried to be. */
  const notedAt = new Map<string, number>()

  /** Nobody waits for it: whoever only reads is answered while the database takes no writes. */
  async function noteUse(id: string, lastUsedAt: number | null, moment: number): Promise<void> {
    if (moment - Math.max(lastUsedAt ?? -Infinity, notedAt.get(id) ?? -Infinity) < noteEvery) return
    if (notedAt.size >= rememberedMax) notedAt.clear()
    notedAt.set(id, moment)
    try {
      await db.updateTable('personal_tokens').set({ last_used_at: moment }).where('id', '=', id).execute()
    } catch (err) {
      log.warn({ err, tokenId: id }, 'the last use of a personal token could not be noted')
    }
  }

  return async (token) => {
    // What everybody can compute tells nothing about anybody's token.
    if (!isWholeToken(token)) {
      throw new AppError('not_signed_in', 'The API token is not complete: a part is missing or mistyped.')
    }
    const row = await db
      .selectFrom('personal_tokens')
      .select(['id', 'person_id', 'person_name', 'person_image', 'expires_at', 'last_used_at'])
      .where('hash', '=', tokenHash(token))
      .executeTakeFirst()
    if (!row) throw new AppError('not_signed_in', 'The bearer token is not valid.')
    const moment = now()
    if (row.expires_at !== null && row.expires_at <= moment) {
      throw new AppError('not_signed_in', 'The API token has expired.')
    }
    void noteUse(row.id, row.last_used_at, moment)
    return { id: row.person_id, firstName: row.person_name, imageUrl: row.person_image }
  }
}

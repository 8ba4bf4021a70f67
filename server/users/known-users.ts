import type { Database } from '../db/open-database.ts'

/** Reads what is known about the visits of a user; undefined before the first. */
export function readKnownUser(db: Database, userId: string) {
  return db
    .selectFrom('known_users')
    .select(['name', 'last_seen_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

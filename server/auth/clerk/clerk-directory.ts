import { sql } from 'kysely'
import { queryUsers, type UserDirectory } from '../../access/user-directory.ts'

/** The Clerk users who have been on the site. Local accounts, of a site that used them before, have their names elsewhere. */
const clerkRows = {
  from: sql`known_users WHERE name IS NOT NULL`,
  id: 'user_id',
  createdAt: 'first_seen_at',
  foldedName: 'search_name',
  facts: sql`name, NULL AS email, last_seen_at`,
  toMicros: (column: unknown) => sql`${column} * 1000`,
  fromMicros: (micros: number) => micros / 1_000,
}

/** Creates the directory of Clerk users. Sessions and accounts are Clerk's. */
export function createClerkDirectory(administrators: readonly string[]): UserDirectory {
  return {
    ...queryUsers(
      () => clerkRows,
      () => Promise.resolve(() => []),
    ),
    fixedRole: (userId) =>
      administrators.includes(userId) ? { role: 'administrator', variable: 'CLERK_ADMINISTRATORS' } : null,
    endSessions: null,
    deleteAccount: null,
  }
}

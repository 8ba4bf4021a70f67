import { sql, type Kysely, type Migration } from 'kysely'

/** What an account may do beyond its own posts and images; better-auth knows the column as one of its user's fields. */
export const accountRoles: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      ALTER TABLE user ADD COLUMN role TEXT NOT NULL DEFAULT 'user'
        CHECK (role IN ('user', 'administrator'))`.execute(db)
  },
}

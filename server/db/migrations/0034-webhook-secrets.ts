import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Stores all former secrets of a webhook that still sign in place of one, and the time of the latest event that was dropped. */
export const webhookSecrets: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE webhooks ADD COLUMN former_secrets TEXT NOT NULL DEFAULT '[]'`.execute(db)
      await sql`ALTER TABLE webhooks ADD COLUMN dropped_at INTEGER`.execute(db)
      await sql`
        UPDATE webhooks
        SET former_secrets = json_array(json_object('secret', former_secret, 'until', former_secret_until))
        WHERE former_secret IS NOT NULL`.execute(db)
      await dropFormerSecret(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE webhooks ADD COLUMN former_secrets text COLLATE "C" NOT NULL DEFAULT '[]'`.execute(
        db,
      )
      await sql`ALTER TABLE webhooks ADD COLUMN dropped_at bigint`.execute(db)
      await sql`
        UPDATE webhooks
        SET former_secrets =
          json_build_array(json_build_object('secret', former_secret, 'until', former_secret_until))::text
        WHERE former_secret IS NOT NULL`.execute(db)
      await dropFormerSecret(db)
    },
  },
}

async function dropFormerSecret(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE webhooks DROP COLUMN former_secret`.execute(db)
  await sql`ALTER TABLE webhooks DROP COLUMN former_secret_until`.execute(db)
}

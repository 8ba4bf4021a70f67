import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

const msPerHour = sql.lit(3_600_000)

/** Milliseconds of history that the figures begin with: a month, and a day more than any month has. */
const historyMs = 32 * 86_400_000

/** Outcome of a finished generation: its state, or the error code of a failure. */
const outcomeOf = (image: string) =>
  sql.raw(
    `CASE ${image}.state WHEN 'failed' THEN coalesce(${image}.failure, 'internal') ELSE ${image}.state END`,
  )

const isFinished = (image: string) =>
  sql.raw(
    `(${image}.source = 'generated' AND ${image}.state IN ('succeeded', 'failed', 'canceled') AND ${image}.finished_at IS NOT NULL)`,
  )

/**
 * Counts the outcomes of generations by hour and engine. Not a query over `images`: their owners delete them, and a large
 * table would have to be read for each view of the figures. Adds indexes by time for the other figures and the audit log.
 */
export const siteUsageByHour: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE generation_outcomes (
          hour INTEGER NOT NULL,
          engine TEXT NOT NULL,
          outcome TEXT NOT NULL,
          images INTEGER NOT NULL CHECK (images >= 0),
          latest_at INTEGER NOT NULL,
          PRIMARY KEY (hour, engine, outcome)
        ) STRICT, WITHOUT ROWID`.execute(db)
      await countEarlier(db)
      await sql`
        CREATE TRIGGER images_finished AFTER UPDATE OF state ON images
        WHEN ${isFinished('new')} AND new.state <> old.state BEGIN
          INSERT INTO generation_outcomes (hour, engine, outcome, images, latest_at)
          VALUES (new.finished_at / ${msPerHour}, new.engine, ${outcomeOf('new')}, 1, new.finished_at)
          ON CONFLICT (hour, engine, outcome)
          DO UPDATE SET images = images + 1, latest_at = max(latest_at, excluded.latest_at);
          UPDATE generation_outcomes SET images = images - 1
          WHERE ${isFinished('old')} AND hour = old.finished_at / ${msPerHour} AND engine = old.engine
            AND outcome = ${outcomeOf('old')} AND images > 0;
        END`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      const text = sql.raw('text COLLATE "C"')
      await sql`
        CREATE TABLE generation_outcomes (
          hour bigint NOT NULL,
          engine ${text} NOT NULL,
          outcome ${text} NOT NULL,
          images bigint NOT NULL CHECK (images >= 0),
          latest_at bigint NOT NULL,
          PRIMARY KEY (hour, engine, outcome)
        ) WITH (fillfactor = 50)`.execute(db)
      await countEarlier(db)
      await sql`
        CREATE FUNCTION count_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO generation_outcomes AS counted (hour, engine, outcome, images, latest_at)
          VALUES (new.finished_at / ${msPerHour}, new.engine, ${outcomeOf('new')}, 1, new.finished_at)
          ON CONFLICT (hour, engine, outcome)
          DO UPDATE SET images = counted.images + 1, latest_at = greatest(counted.latest_at, excluded.latest_at);
          IF ${isFinished('old')} THEN
            UPDATE generation_outcomes SET images = images - 1
            WHERE hour = old.finished_at / ${msPerHour} AND engine = old.engine
              AND outcome = ${outcomeOf('old')} AND images > 0;
          END IF;
          RETURN NULL;
        END $$`.execute(db)
      await sql`
        CREATE TRIGGER images_finished AFTER UPDATE OF state ON images
        FOR EACH ROW WHEN (${isFinished('new')} AND new.state <> old.state) EXECUTE FUNCTION count_outcome()`.execute(
        db,
      )
      await createIndexes(db)
    },
  },
}

async function countEarlier(db: Kysely<never>): Promise<void> {
  await sql`
    INSERT INTO generation_outcomes (hour, engine, outcome, images, latest_at)
    SELECT finished_at / ${msPerHour}, engine, ${outcomeOf('images')}, count(*), max(finished_at) FROM images
    WHERE ${isFinished('images')} AND finished_at > ${sql.lit(Date.now() - historyMs)}
    GROUP BY 1, 2, 3`.execute(db)
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX moderation_log_time ON moderation_log (created_at, seq)`.execute(db)
  await sql`CREATE INDEX admin_log_time ON admin_log (created_at, seq)`.execute(db)
}

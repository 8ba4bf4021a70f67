import { sql, type Kysely, type Migration } from 'kysely'
import { fold } from '../text/search-text.ts'
import { dialectOf, type DatabaseDialect } from './dialect-of.ts'

/** The last migration of those that led to the schema of the baseline, at commit 4cc01976. */
export const lastFormerMigration = '0034-webhook-secrets'

/** Creates the schema of version 0.2.0. Its name sorts before those of the following ones. */
export const baselineName = '0034-baseline'

const files = import.meta.glob<string>('./*/*.sql', { query: '?raw', import: 'default', eager: true })

/** Returns the SQL of a migration that has files; empty for a database without one. */
function filesOf(name: string): Steps {
  return { sqlite: files[`./sqlite/${name}.sql`] ?? '', postgres: files[`./postgres/${name}.sql`] ?? '' }
}

/** SQL of a migration, and what follows it. */
type Steps = Readonly<Record<DatabaseDialect, string>> & {
  readonly fill?: <Tables>(db: Kysely<Tables>) => Promise<void>
}

/** Every migration under the name it is recorded by; they run in the order of their names and never change. */
const migrations: Readonly<Record<string, Steps>> = {
  [baselineName]: filesOf('schema'),
  '0036-gallery-version': filesOf('0036-gallery-version'),
  '0037-post-facets': filesOf('0037-post-facets'),
  '0038-search-texts': {
    sqlite: 'ALTER TABLE images ADD COLUMN search_text TEXT',
    postgres: 'ALTER TABLE images ADD COLUMN search_text text COLLATE "C"',
    fill: fillSearchTexts,
  },
  '0039-own-images': filesOf('0039-own-images'),
  '0040-collections': filesOf('0040-collections'),
  '0041-notifications': filesOf('0041-notifications'),
  '0042-words': filesOf('0042-words'),
  '0043-digests': {
    sqlite: 'ALTER TABLE notification_settings ADD COLUMN mailed_until INTEGER NOT NULL DEFAULT 0',
    postgres: 'ALTER TABLE notification_settings ADD COLUMN mailed_until bigint NOT NULL DEFAULT 0',
  },
  '0044-image-costs': {
    sqlite: 'ALTER TABLE images ADD COLUMN cost_micros INTEGER',
    postgres: 'ALTER TABLE images ADD COLUMN cost_micros bigint',
  },
  '0045-budgets': filesOf('0045-budgets'),
  '0046-engine-jobs': {
    sqlite: 'ALTER TABLE images ADD COLUMN engine_job TEXT',
    postgres: 'ALTER TABLE images ADD COLUMN engine_job text COLLATE "C"',
  },
  '0047-user-budgets': {
    sqlite: 'ALTER TABLE user_access ADD COLUMN monthly_budget_micros INTEGER',
    postgres: 'ALTER TABLE user_access ADD COLUMN monthly_budget_micros bigint',
  },
  '0048-daily-spending': filesOf('0048-daily-spending'),
  // Pages say while there is no administrator.
  '0049-administrators': {
    sqlite: `CREATE TRIGGER gallery_administrator_added AFTER INSERT ON user_access WHEN new.role = 'administrator'
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_administrator_changed AFTER UPDATE OF role ON user_access WHEN new.role = 'administrator'
BEGIN UPDATE gallery SET changes = changes + 1; END;`,
    postgres: `CREATE TRIGGER user_access_changed AFTER INSERT OR UPDATE OF role ON user_access
  FOR EACH ROW WHEN (new.role = 'administrator') EXECUTE FUNCTION count_option_change()`,
  },
  '0051-marks': filesOf('0051-marks'),
  '0052-styles': filesOf('0052-styles'),
  '0053-programs': filesOf('0053-programs'),
  '0054-lock-order': filesOf('0054-lock-order'),
}

/** Returns the migrations of a database, in order. */
export function migrationsFor(dialect: DatabaseDialect): Readonly<Record<string, Migration>> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { fill, ...texts }]) => [
      name,
      {
        up: async (db) => {
          await runStatements(db, texts[dialect])
          await fill?.(db)
        },
      },
    ]),
  )
}

/** Folds the prompts of all images, which SQL can't. */
async function fillSearchTexts<Tables>(db: Kysely<Tables>): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ seq: number; prompt: string }>`
      SELECT seq, prompt FROM images WHERE seq > ${last} ORDER BY seq LIMIT 1000`.execute(db)
    if (rows.length === 0) return
    const [numbers, texts] = [rows.map(({ seq }) => seq), rows.map(({ prompt }) => fold(prompt))]
    const folded =
      dialectOf(db) === 'postgres'
        ? sql`SELECT * FROM unnest(${numbers}::bigint[], ${texts}::text[])`
        : sql`SELECT n.value, t.value FROM json_each(${JSON.stringify(numbers)}) AS n
            JOIN json_each(${JSON.stringify(texts)}) AS t ON t.key = n.key`
    await sql`
      WITH folded (number, content) AS (${folded})
      UPDATE images SET search_text = content FROM folded WHERE seq = number`.execute(db)
    last = numbers.at(-1) ?? last
  }
}

/** Runs statements, which empty lines separate. */
async function runStatements<Tables>(db: Kysely<Tables>, text: string): Promise<void> {
  for (const statement of text.trim().split(/\n{2,}/))
    if (statement !== '') await sql.raw(statement).execute(db)
}

import path from 'node:path'
import { sql, type Kysely, type Migration } from 'kysely'
import { fold } from '../text/search-text.ts'
import { dialectOf, type DatabaseDialect } from './dialect-of.ts'

/** The last migration of those that led to the schema of the baseline, at commit 4cc01976. */
export const lastFormerMigration = '0034-webhook-secrets'

/** Creates the schema of version 0.2.0. Its name sorts before those of the following ones. */
export const baselineName = '0034-baseline'

/** SQL of the databases, `schema.sql` for the baseline. A file is empty where a database needs no change. */
const files = import.meta.glob<string>('./*/*.sql', { query: '?raw', import: 'default', eager: true })

const names = new Set(Object.keys(files).map((file) => path.basename(file, '.sql')))

/** What follows the SQL of a migration. */
const fills: Readonly<Record<string, <Tables>(db: Kysely<Tables>) => Promise<void>>> = {
  '0038-search-texts': fillSearchTexts,
}

/** Returns the migrations of a database by the names that they are recorded by, in order. Neither names nor files change. */
export function migrationsFor(dialect: DatabaseDialect): Readonly<Record<string, Migration>> {
  const migrations = [...names].map((name): [string, Migration] => [
    name === 'schema' ? baselineName : name,
    {
      up: async (db) => {
        const text = files[`./${dialect}/${name}.sql`]
        if (text === undefined) throw new Error(`The migration ${name} has no file for ${dialect}`)
        await runStatements(db, text)
        await fills[name]?.(db)
      },
    },
  ])
  return Object.fromEntries(migrations.toSorted(([a], [b]) => (a < b ? -1 : 1)))
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

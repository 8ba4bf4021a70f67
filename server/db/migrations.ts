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
  '0038-search-texts': (db) => foldTexts(db, 'images', 'seq', 'prompt', 'search_text'),
  '0057-folded-texts': foldTextsAgain,
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

/** Folds all texts that are searched, since `fold` has changed. Triggers maintain their indexes. */
export async function foldTextsAgain<Tables>(db: Kysely<Tables>): Promise<void> {
  await foldTexts(db, 'images', 'seq', 'prompt', 'search_text')
  await foldTexts(db, 'posts', 'seq', 'search_text')
  await foldTexts(db, 'collections', 'seq', 'search_text')
  await foldTexts(db, 'user', 'id', 'searchName')
  await foldTexts(db, 'known_users', 'user_id', 'search_name')
}

/** Folds the texts of a column into another or the same one, which SQL can't. Only writes what differs. */
async function foldTexts<Tables>(
  db: Kysely<Tables>,
  table: string,
  key: string,
  from: string,
  to = from,
): Promise<void> {
  for (let last: number | string | undefined; ;) {
    const isNext = last === undefined ? sql`true` : sql`${sql.ref(key)} > ${last}`
    const { rows } = await sql<{ place: number | string; text: string; stored: string | null }>`
      SELECT ${sql.ref(key)} AS place, ${sql.ref(from)} AS text, ${sql.ref(to)} AS stored
      FROM ${sql.table(table)} WHERE ${isNext} ORDER BY ${sql.ref(key)} LIMIT 1000`.execute(db)
    last = rows.at(-1)?.place
    if (last === undefined) return
    const changed = rows
      .map(({ place, text, stored }) => ({ place, content: fold(text), stored }))
      .filter(({ content, stored }) => content !== stored)
    if (changed.length === 0) continue
    const json = JSON.stringify(changed.map(({ place, content }) => ({ place, content })))
    const keyType = sql.raw(typeof last === 'number' ? 'bigint' : 'text')
    const folded =
      dialectOf(db) === 'postgres'
        ? sql`SELECT * FROM json_to_recordset(${json}) AS folded (place ${keyType}, content text)`
        : sql`SELECT value ->> 'place', value ->> 'content' FROM json_each(${json})`
    await sql`
      WITH folded (place, content) AS (${folded})
      UPDATE ${sql.table(table)} SET ${sql.ref(to)} = content
      FROM folded WHERE ${sql.ref(key)} = place`.execute(db)
  }
}

/** Runs statements, which empty lines separate. */
async function runStatements<Tables>(db: Kysely<Tables>, text: string): Promise<void> {
  for (const statement of text.trim().split(/\n{2,}/))
    if (statement !== '') await sql.raw(statement).execute(db)
}

import { access, constants, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { databaseName, type PostgresConfig } from '../../db/database-config.ts'
import { hasTable } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import { readSchemaVersion, type ExistingDatabase } from '../../db/schema-version.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { StartError } from '../../errors/app-error.ts'
import { nullIfMissing, systemCode } from '../../files/disk-files.ts'
import { readAddedEngines, type StoredEngine } from '../../site/added-engines.ts'
import { comparePlace, openSiteStorage } from '../site-storage.ts'
import { codeOf } from './folders.ts'
import { capitalize, count, note, ok, orDenied, problem, type Line, type Lines } from './report.ts'

/**
 * Reports what the configured database contains and whether this version can use it. Changes nothing.
 *
 * @param added receives the engines that administrators added; none where the database cannot be read
 */
export async function* checkDatabase(config: Config, added: StoredEngine[] = []): Lines {
  const { database } = config
  if (database.kind === 'postgres') {
    const check = (db: Database | null) => orDenied(checkStorage(config, db))
    return yield* await checkPostgres(database, added, check)
  }
  try {
    yield* checkSqlite(config, database.file, added)
  } catch (error) {
    if (error instanceof StartError) return yield problemOf(error)
    const reason = error instanceof SqliteDatabase.SqliteError ? error.message : systemCode(error)
    if (reason === undefined) throw error
    yield problem(
      `The database ${database.file} cannot be read (${reason}).`,
      'Give the user that runs the server read access, restore a copy of it, or set DATABASE_URL to another file.',
    )
  }
}

async function* checkSqlite(config: Config, file: string, added: StoredEngine[]): Lines {
  if (!(await nullIfMissing(stat(file)))) {
    yield ok(`The first start creates the database ${file}.`)
    yield* orDenied(checkStorage(config, null))
    return yield* checkPlace(file)
  }
  const db = openReadOnly(file)
  try {
    const { rows } = await sql`SELECT 1 FROM sqlite_schema LIMIT 1`.execute(db)
    if (rows.length > 0 && !(await hasTable(db, 'kysely_migration'))) {
      const fix = 'To keep both, set DATABASE_URL to another file.'
      return yield problem(`The database ${file} belongs to another program.`, fix)
    }
    const opened = { db, ...(await readSchemaVersion(db, file)) }
    yield* await contentOf(opened, `The database ${file}`, 'It keeps a copy.', added)
    yield* orDenied(checkStorage(config, opened.applied.length === 0 ? null : db))
    if ((await codeOf(access(file, constants.W_OK))) !== null)
      yield problem('It cannot be written.', 'Give the file and its folder to the user that runs the server.')
    yield* checkPlace(file)
  } finally {
    await db.destroy()
  }
}

/**
 * @param name of the database, at the beginning of a sentence
 * @param advice on a pending migration, which the next start runs
 */
async function contentOf(
  { db, applied, pending }: ExistingDatabase,
  name: string,
  advice: string,
  added: StoredEngine[],
): Promise<Line[]> {
  if (applied.length === 0) return [ok(`${name} is empty; the next start creates its tables.`)]
  added.push(...(await readAddedEngines(db).catch(() => [])))
  const { rows } = await sql<Record<'posts' | 'images' | 'accounts' | 'administrators', number>>`
    SELECT (SELECT count(*) FROM posts) AS posts,
      (SELECT count(*) FROM images WHERE folder IS NOT NULL) AS images,
      (SELECT count(*) FROM "user") AS accounts,
      (SELECT count(*) FROM user_access WHERE role = 'administrator') AS administrators`.execute(db)
  const { posts = 0, images = 0, accounts = 0, administrators = 0 } = rows[0] ?? {}
  const migration = `The next start brings its schema up to date (${pending.join(', ')}).`
  return [
    ok(
      `${name} holds ${count(posts, 'post')}, ${count(images, 'image')} and ${count(accounts, 'account')}, ${count(administrators, 'administrator')} among them.`,
    ),
    pending.length === 0 ? ok('Its schema is up to date.') : note(migration, advice),
  ]
}

/** Checks that the storage of images belongs to the database, or to none where there is no database yet. */
async function* checkStorage(config: Config, db: Database | null): Lines {
  // `checkFolders` reports a bucket that cannot be used.
  const storage = await openSiteStorage(config).catch((error: unknown) => {
    if (error instanceof StartError) return null
    throw error
  })
  if (!storage) return
  const name = databaseName(config.database)
  const mismatch = await comparePlace(storage.place, name, db).finally(() => storage.close())
  if (mismatch) yield problem(`${capitalize(mismatch.what)}.`, mismatch.fix)
}

/** Magic numbers of NFS, SMB and CIFS. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42])

async function* checkPlace(file: string): Lines {
  const folder = await nullIfMissing(statfs(path.dirname(file)))
  if (!folder || !networkFileSystems.has(folder.type)) return
  const text = 'The database is on a network file system, on which SQLite can lose data.'
  yield note(text, 'Keep it on a disk of this machine.')
}

/**
 * Checks that a PostgreSQL database can be used, without changing it.
 *
 * @param check called with the database, or null if it has no tables yet
 */
export async function checkPostgres(
  config: PostgresConfig,
  added: StoredEngine[] = [],
  check?: (db: Database | null) => Lines,
): Promise<Line[]> {
  const { receivesNotifications, withPostgres } = await import('../../db/postgres/open-postgres.ts')
  try {
    return await withPostgres(config, { warn: () => undefined }, async (opened) => {
      const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(opened.db)
      const lines = [
        ok(`The database ${databaseName(config)} can be used (PostgreSQL ${rows[0]?.server_version}).`),
        ...(await contentOf(opened, 'It', 'Dump it before with pg_dump.', added)),
        await receivesNotifications(config, opened.db).then(describeNotifications, problemOf),
      ]
      for await (const line of check?.(opened.applied.length === 0 ? null : opened.db) ?? []) lines.push(line)
      return lines
    })
  } catch (error) {
    return [problemOf(error)]
  }
}

/** Splits the error of a start, whose last sentence is the fix. */
function problemOf(error: unknown): Line {
  if (!(error instanceof StartError)) throw error
  const { message } = error
  const [, text = message, fix = 'Correct DATABASE_URL.'] =
    /^(?:DATABASE_URL: )?(.*?[.;])(?: (\S.*))?$/.exec(message) ?? []
  return problem(capitalize(text.replace(/;$/, '.')), capitalize(fix))
}

function describeNotifications(arrive: boolean): Line {
  if (arrive) return ok('Notifications between processes arrive.')
  return problem(
    'Notifications between processes get lost, as behind a connection pooler in transaction mode.',
    'Set DATABASE_LISTEN_URL to the URL of PostgreSQL itself.',
  )
}

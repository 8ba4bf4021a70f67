import { realpath, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'
import { readSchemaVersion } from '../../db/schema-version.ts'
import { readSite } from '../../db/site.ts'
import { acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { StartError } from '../../errors/app-error.ts'
import { nullIfMissing } from '../../files/disk-files.ts'
import { lockFile } from '../../storage/uploads-folder.ts'
import { copyStoredImages, type CopiedImages } from '../backup/copy-image.ts'
import type { Report } from '../process-images.ts'
import { folderStorage } from '../site-storage.ts'
import { copyTables, requireEmptyDatabase } from './copy-tables.ts'
import type { ImageDestination } from './image-destination.ts'

/** Time in milliseconds that connections of a command that has just ended may remain. */
const closingMs = 2_000

/** A site on SQLite; absolute paths. */
export interface ImportSource {
  readonly databaseFile: string
  readonly uploadsDirectory: string
}

/** An empty site on PostgreSQL. */
export interface ImportTarget {
  readonly db: Database
  readonly images: ImageDestination
}

interface ImportOptions {
  readonly reportImages: Report
  readonly reportRows: Report
  /** Called before the indexes are built, which takes minutes for a large gallery. */
  readonly beforeIndexes: () => void
}

export interface ImportedSite extends CopiedImages {
  readonly posts: number
  /** Number of texts from which NUL characters were removed. */
  readonly cleanedTexts: number
}

/**
 * Moves a site from SQLite to PostgreSQL. The source is only read:
 *
 * 1. Checks that no server uses either site, the versions, and that the target is empty.
 * 2. Copies the images. A repeated import copies only those that are missing.
 * 3. Copies the rows in one transaction, which also moves the id of the site.
 *
 * Until step 3 is committed, the target database is empty, and the import can be repeated.
 *
 * @throws StartError
 */
export async function importSite(
  source: ImportSource,
  target: ImportTarget,
  options: ImportOptions,
): Promise<ImportedSite> {
  const releases: Release[] = []
  try {
    await requireFiles(source)
    await lockSource(source, releases)
    await target.images.lock(releases)
    await requireNoServer(target.db)
    const db = openReadOnly(source.databaseFile)
    try {
      // Reads one snapshot to the end, should another program write to the file.
      return await db.transaction().execute((snapshot) => importSnapshot(source, snapshot, target, options))
    } catch (cause) {
      if (!(cause instanceof SqliteDatabase.SqliteError)) throw cause
      throw new StartError(`The database ${source.databaseFile} can't be read (${cause.message}).`, { cause })
    } finally {
      await db.destroy()
    }
  } finally {
    for (const release of releases) release()
    target.images.close()
  }
}

async function requireFiles({ databaseFile, uploadsDirectory }: ImportSource): Promise<void> {
  if (!(await nullIfMissing(stat(databaseFile)))) {
    throw new StartError(`There is nothing to import: the database ${databaseFile} does not exist.`)
  }
  if (!(await nullIfMissing(stat(uploadsDirectory)))) {
    throw new StartError(`The uploads folder ${uploadsDirectory} does not exist; nothing was imported.`)
  }
}

/** Takes the locks of a server. Missing lock files are not created: no server has used the site. */
async function lockSource(
  { databaseFile, uploadsDirectory }: ImportSource,
  releases: Release[],
): Promise<void> {
  for (const [lock, name] of [
    [`${await realpath(databaseFile)}.lock`, databaseFile],
    [lockFile(uploadsDirectory), uploadsDirectory],
  ] as const) {
    if (!(await nullIfMissing(stat(lock)))) continue
    const release = acquireFileLock(lock)
    if (!release) throw new StartError(`A server is using ${name}; stop it before the import.`)
    releases.push(release)
  }
}

/** @throws StartError if a server is connected to the target */
async function requireNoServer(db: Database): Promise<void> {
  const deadline = performance.now() + closingMs
  for (;;) {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'rangoli%' AND pid <> pg_backend_pid()
      LIMIT 1`.execute(db)
    if (rows.length === 0) return
    if (performance.now() >= deadline) {
      throw new StartError('DATABASE_URL: a server is connected to the database; stop it before the import.')
    }
    await pause(100)
  }
}

async function importSnapshot(
  source: ImportSource,
  snapshot: Database,
  { db, images }: ImportTarget,
  options: ImportOptions,
): Promise<ImportedSite> {
  const { databaseFile, uploadsDirectory } = source
  await requireCurrent(snapshot, databaseFile)
  await folderStorage(uploadsDirectory, databaseFile, null).requireOwn(snapshot)
  await requireEmptyDatabase(snapshot, db)
  const site = await readSite(snapshot)
  await images.claim(site?.id ?? '')
  const copied = await copyStoredImages(snapshot, options.reportImages, (image) =>
    images.copy(uploadsDirectory, image),
  )
  await images.finish()
  const { cleanedTexts } = await db.transaction().execute(async (transaction) => {
    const tables = await copyTables(snapshot, transaction, {
      report: options.reportRows,
      beforeIndexes: options.beforeIndexes,
    })
    await images.link(transaction)
    return tables
  })
  const { posts } = await db.selectFrom('gallery').select('posts').executeTakeFirstOrThrow()
  return { ...copied, posts, cleanedTexts }
}

/** @throws StartError for a database of another version, or of another program */
async function requireCurrent(snapshot: Database, file: string): Promise<void> {
  const { applied, pending } = await readSchemaVersion(snapshot, file)
  const version = applied.at(-1)
  if (version === undefined) throw new StartError(`${file} is not a database of Rangoli.`)
  if (pending.length === 0) return
  throw new StartError(
    `The database ${file} is of an earlier version (${version}); start the server on it once to migrate it, then import it.`,
  )
}

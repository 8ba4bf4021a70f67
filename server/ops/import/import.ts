import { realpath, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Database } from '../../db/open-database.ts'
import { countRows } from '../../db/rows.ts'
import { readSchemaVersion } from '../../db/schema-version.ts'
import { readSite } from '../../db/site.ts'
import { acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { StartError } from '../../errors/app-error.ts'
import { nullIfMissing } from '../../files/disk-files.ts'
import { folderOf, type Bucket } from '../../storage/bucket.ts'
import { isImageFolder, lockFile, makeSiteFolder } from '../../storage/uploads-folder.ts'
import { copyImages } from '../copy-images.ts'
import { bucketPlace, folderPlace, requireOwn, tie, type ImagePlace } from '../site-storage.ts'
import { printProgress, type Terminal } from '../terminal.ts'
import { copyTables, requireEmptyDatabase } from './copy-tables.ts'

/** Time in milliseconds that connections of a command that has just ended may remain. */
const closingMs = 2_000

/** A site on SQLite; absolute paths. */
export interface ImportSource {
  readonly databaseFile: string
  readonly uploadsDirectory: string
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
 * @param target uploads folder or bucket, which is closed afterwards
 * @returns also the number of texts from which NUL characters were removed
 * @throws StartError
 */
export async function importSite(
  { databaseFile, uploadsDirectory }: ImportSource,
  db: Database,
  target: string | Bucket,
  print: Terminal['print'],
) {
  const bucket = typeof target === 'string' ? null : target
  const releases: Release[] = []

  /** Takes the locks of a server. Missing lock files are not created: no server has used the site. */
  async function lockSource(): Promise<void> {
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

  /** Takes the lock of a server on the target folder; null if that is the source. */
  async function lockTarget(directory: string): Promise<ImagePlace | null> {
    const [place, source] = await Promise.all([
      nullIfMissing(realpath(directory)),
      realpath(uploadsDirectory),
    ])
    if (place === source) return null
    await makeSiteFolder(directory)
    const release = acquireFileLock(lockFile(directory))
    if (!release)
      throw new StartError(`UPLOADS_DIR: a server is using ${directory}; stop it before the import.`)
    releases.push(release)
    return folderPlace(directory)
  }

  /** Checks both databases, then copies the images, unless they stay where they are. */
  async function importImages(snapshot: Database, to: ImagePlace | null) {
    const { applied, pending } = await readSchemaVersion(snapshot, databaseFile)
    const version = applied.at(-1)
    if (version === undefined) throw new StartError(`${databaseFile} is not a database of Rangoli.`)
    if (pending.length > 0) {
      throw new StartError(
        `The database ${databaseFile} is of an earlier version (${version}); start the server on it once to migrate it, then import it.`,
      )
    }
    await requireOwn(folderPlace(uploadsDirectory, '--uploads'), databaseFile, snapshot)
    await requireEmptyDatabase(snapshot, db)
    if (to) await claim(to, snapshot)
    const report = printProgress(print, 'images')
    const from = uploadsDirectory
    return copyImages(snapshot, { from, to: to ?? folderPlace(from), compareBy: 'size', report })
  }

  try {
    if (!(await nullIfMissing(stat(databaseFile))))
      throw new StartError(`There is nothing to import: the database ${databaseFile} does not exist.`)
    if (!(await nullIfMissing(stat(uploadsDirectory))))
      throw new StartError(`The uploads folder ${uploadsDirectory} does not exist; nothing was imported.`)
    await lockSource()
    const to = typeof target === 'string' ? await lockTarget(target) : bucketPlace(target)
    await requireNoServer(db)
    const sqlite = openReadOnly(databaseFile)
    try {
      // Reads one snapshot to the end, should another program write to the file.
      return await sqlite.transaction().execute(async (snapshot) => {
        const images = await importImages(snapshot, to)
        const bytes = bucket && (await countBytes(bucket))
        const cleanedTexts = await db.transaction().execute(async (transaction) => {
          const cleaned = await copyTables(snapshot, transaction, print)
          if (bytes) await writeBucketUsage(transaction, bytes)
          return cleaned
        })
        return { ...images, posts: await countRows(db.selectFrom('posts')), cleanedTexts }
      })
    } catch (cause) {
      if (!(cause instanceof SqliteDatabase.SqliteError)) throw cause
      throw new StartError(`The database ${databaseFile} can't be read (${cause.message}).`, { cause })
    } finally {
      await sqlite.destroy()
    }
  } finally {
    for (const release of releases) release()
    bucket?.close()
  }
}

/** @throws StartError if a server is connected to the target, by which those of a bucket are found too */
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

/** Ties the target to the site of the source. @throws StartError if it belongs to another one */
async function claim(to: ImagePlace, snapshot: Database): Promise<void> {
  const existing = await to.siteId()
  if (existing === null) return tie(to, snapshot)
  if (existing === (await readSite(snapshot))?.id) return
  throw new StartError(
    `${to.setting}: ${to.name} belongs to another site. Name ${to.another} for the import.`,
  )
}

/** Adds up the bytes of each image in a bucket. */
async function countBytes(bucket: Bucket): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>()
  for await (const object of bucket.list()) {
    const folder = folderOf(object.key)
    if (isImageFolder(folder)) bytes.set(folder, (bytes.get(folder) ?? 0) + object.bytes)
  }
  return bytes
}

const rowsPerInsert = 10_000

/** Writes the rows of a site about its images in a bucket. */
async function writeBucketUsage(transaction: Database, bytes: ReadonlyMap<string, number>): Promise<void> {
  await transaction.deleteFrom('bucket_folders').execute()
  const entries = Array.from(bytes, ([folder, size]) => ({ folder, bytes: size }))
  for (let done = 0; done < entries.length; done += rowsPerInsert) {
    const rows = entries.slice(done, done + rowsPerInsert)
    await transaction.insertInto('bucket_folders').values(rows).execute()
  }
  const total = sql`(SELECT coalesce(sum(bytes), 0) FROM bucket_folders)`
  await sql`UPDATE bucket_usage SET bytes = ${total}`.execute(transaction)
}

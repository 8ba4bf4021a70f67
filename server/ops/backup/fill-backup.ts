import { chmod, copyFile } from 'node:fs/promises'
import path from 'node:path'
import { copyDatabase, databaseSize, integrityIssues } from '../../db/sqlite/maintenance.ts'
import { withExistingDatabase } from '../../db/schema-version.ts'
import type { Database } from '../../db/open-database.ts'
import { StartError } from '../../errors/start-error.ts'
import { requireOwnUploads } from '../../site/compare-uploads.ts'
import { syncFile, writeDurably } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { copyImages, type CopiedImages } from './copy-images.ts'
import { fileSum } from './file-sum.ts'
import { databaseName, manifestName, nameOf, pool, secretName, sumsName } from './layout.ts'
import type { Manifest } from './manifest.ts'
import type { Report, SiteFiles } from './site-files.ts'
import { openSums, type Sums } from './sums.ts'

/** What a backup holds now. */
export interface FilledBackup {
  readonly manifest: Manifest
  /** Images that no earlier backup had. */
  readonly copied: number
  /** Folders of images that rows name, and that are missing or damaged. */
  readonly lost: readonly string[]
}

/** How a backup is taken, and who hears of it. */
export interface FillOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Told how many bytes the database takes, before it is copied, which lets nothing else happen in this process. */
  readonly beforeDatabase: (bytes: number) => void
  readonly report: Report
}

/**
 * Copies a site into a backup that is not finished. The database first, as it is at one moment, then the images that it
 * names: each was there before its row, so that only one deleted since can be missing, and then its rows go from the copy
 * as they went from the site.
 */
export async function fillBackup(
  site: SiteFiles,
  directory: string,
  backup: string,
  { now, beforeDatabase, report }: FillOptions,
): Promise<FilledBackup> {
  const file = path.join(backup, databaseName)
  const sums = await openSums(path.join(backup, sumsName))
  try {
    const to = path.join(directory, pool)
    const { version, posts, images, copied, lost } = await copySite(site, {
      file,
      to,
      sums,
      beforeDatabase,
      report,
    })
    await syncFile(file)
    const database = await fileSum(file)
    await sums.add(database.sha256, path.posix.join(nameOf(now), databaseName))
    await copySecret(site, backup)
    const takenAt = new Date(now).toISOString()
    const manifest: Manifest = {
      format: 1,
      takenAt,
      version,
      posts,
      pictures: images,
      lost: lost.length,
      database,
    }
    await writeDurably(path.join(backup, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, 0o600)
    return { manifest, copied, lost }
  } finally {
    await sums.close()
  }
}

interface Places {
  readonly file: string
  readonly to: string
  readonly sums: Sums
}

function copySite(
  site: SiteFiles,
  { file, to, sums, beforeDatabase, report }: Places & Omit<FillOptions, 'now'>,
): Promise<CopiedImages & { version: string; posts: number }> {
  return withExistingDatabase(site.databaseFile, async ({ db: live, applied: ofLive }) => {
    // A backup without the images, of an unmounted disk for example, must not push out the ones that have them.
    if (ofLive.length > 0) await requireOwnUploads(site, live)
    beforeDatabase(await databaseSize(live))
    await copyDatabase(live, file, 0o600)
    return withExistingDatabase(file, async ({ db: snapshot, applied }) => {
      const version = applied.at(-1)
      if (version === undefined) {
        throw new StartError(`There is nothing to back up: ${site.databaseFile} is no database of Rangoli.`)
      }
      await requireSound(snapshot, site)
      const copied = await copyImages({ live, snapshot, from: site.uploadsDirectory, to, sums, report })
      return { ...copied, version, posts: await countPosts(snapshot) }
    })
  })
}

/** A damaged database must not take the place of a sound backup. */
async function requireSound(snapshot: Database, site: SiteFiles): Promise<void> {
  const [fault] = await integrityIssues(snapshot)
  if (fault === undefined) return
  throw new StartError(
    `The database ${site.databaseFile} is damaged (${fault}); no backup was made. npm run check-data says more.`,
  )
}

async function countPosts(snapshot: Database): Promise<number> {
  const { count } = await snapshot
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function copySecret(site: SiteFiles, backup: string): Promise<void> {
  const copy = path.join(backup, secretName)
  const isThere = await nullIfMissing(copyFile(site.secretFile, copy).then(() => true))
  if (!isThere) return
  await chmod(copy, 0o600)
  await syncFile(copy)
}

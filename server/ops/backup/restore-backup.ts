import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { withExistingDatabase } from '../../db/schema-version.ts'
import { readSite } from '../../db/site.ts'
import { syncFile, syncFolder } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { readSiteId, siteFolder, writeSiteId } from '../../storage/site-folder.ts'
import { withSiteClaimed } from './claim-site.ts'
import { nameOf } from './layout.ts'
import type { Backup } from './open-backup.ts'
import { putImagesBack, orphanedImages } from './restore-images.ts'
import { moveAside, replaceFile } from './set-aside.ts'
import type { Report, SiteFiles } from './site-files.ts'
import { stageDatabase, stageSecret } from './stage-files.ts'
import { whatIsThere, type Presence } from './what-is-there.ts'

interface RestoreOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly report: Report
  /** Asked where something is there already, which is set aside. */
  readonly mayReplace: (presence: Presence) => Promise<boolean>
}

/** What was put back. */
export interface Restored {
  readonly images: number
  /** Folders of images that the backup does not hold, or holds damaged. */
  readonly lost: readonly string[]
  /** Folders that now hold what was there before. */
  readonly aside: readonly string[]
}

/**
 * Puts a backup in the place of a site. The images come first: beside those that are there already, which an interrupted
 * restore leaves as they were. Then the database takes its place in one step. What only the former database knew is set
 * aside last.
 *
 * @returns null where it was not to replace what is there
 * @throws StartError for a damaged backup, and where a server runs
 */
export async function restoreBackup(
  site: SiteFiles,
  backup: Backup,
  { now, report, mayReplace }: RestoreOptions,
): Promise<Restored | null> {
  await mkdir(site.uploadsDirectory, { recursive: true })
  return withSiteClaimed(site, async (workshop) => {
    const presence = await whatIsThere(site)
    if ((presence.database || presence.images > 0) && !(await mayReplace(presence))) return null

    const database = await stageDatabase(backup, workshop)
    const { images, lost, unknown, siteId } = await withExistingDatabase(database, async ({ db }) => ({
      ...(await putImagesBack(db, site, backup, report)),
      unknown: await orphanedImages(db, site.uploadsDirectory),
      siteId: (await readSite(db))?.id ?? null,
    }))
    await syncFile(database)
    const secret = await stageSecret(backup, workshop)

    const aside = (folder: string) => path.join(folder, `before-restore-${nameOf(now)}`)
    const dataAside = aside(path.dirname(site.databaseFile))
    const uploadsAside = aside(site.uploadsDirectory)
    if (secret) await replaceFile(secret, site.secretFile, dataAside)
    // A log of writes that belongs to another database would be read into the one that comes.
    for (const suffix of ['-wal', '-shm', '-journal']) await moveAside(site.databaseFile + suffix, dataAside)
    await replaceFile(database, site.databaseFile, dataAside)
    await syncFolder(path.dirname(site.databaseFile))
    if ((await readSiteId(site.uploadsDirectory)) !== siteId) {
      await moveAside(path.join(site.uploadsDirectory, siteFolder), uploadsAside)
      // A database of a version without an id gets one at the next start, and then the folder does.
      if (siteId !== null) await writeSiteId(site.uploadsDirectory, siteId)
    }
    for (const name of unknown) await moveAside(path.join(site.uploadsDirectory, name), uploadsAside)
    await syncFolder(site.uploadsDirectory)
    const made = await Promise.all([dataAside, uploadsAside].map((folder) => nullIfMissing(stat(folder))))
    return { images, lost, aside: [dataAside, uploadsAside].filter((_, index) => made[index]) }
  })
}

import { opendir } from 'node:fs/promises'
import path from 'node:path'
import pLimit from 'p-limit'
import type { Database } from '../../db/open-database.ts'
import { countStoredImages, storedImages } from '../../images/stored-images.ts'
import { syncFolder } from '../../storage/durable-files.ts'
import { isImageFolder } from '../../storage/image-names.ts'
import { copyImage } from './copy-image.ts'
import { pool } from './layout.ts'
import type { Backup } from './open-backup.ts'
import type { Report, SiteFiles } from './site-files.ts'

/** Images that are copied at a time: a disk answers several sooner than one after the other. */
const atATime = 8

/** Sees to it that every image that a database names is there and whole. `lost` are the folders of those that are not. */
export async function putImagesBack(
  db: Database,
  site: SiteFiles,
  backup: Backup,
  report: Report,
): Promise<{ images: number; lost: string[] }> {
  const from = path.join(backup.directory, pool)
  const total = await countStoredImages(db)
  const limit = pLimit(atATime)
  const lost: string[] = []
  let done = 0
  for await (const batch of storedImages(db)) {
    const results = await Promise.all(
      batch.map((one) => limit(() => copyImage(from, site.uploadsDirectory, one, 'sum'))),
    )
    for (const [index, { folder }] of batch.entries()) {
      if (results[index] === 'missing' || results[index] === 'damaged') lost.push(folder)
    }
    done += batch.length
    report(done, total)
  }
  await syncFolder(site.uploadsDirectory)
  return { images: total - lost.length, lost }
}

/** The folders of images that a database does not know. */
export async function orphanedImages(db: Database, uploadsDirectory: string): Promise<string[]> {
  const unknown: string[] = []
  for await (const { name } of await opendir(uploadsDirectory)) {
    if (!isImageFolder(name)) continue
    const row = await db.selectFrom('images').select('id').where('folder', '=', name).executeTakeFirst()
    if (!row) unknown.push(name)
  }
  return unknown
}

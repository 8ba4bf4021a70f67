import { opendir } from 'node:fs/promises'
import path from 'node:path'
import pLimit from 'p-limit'
import type { Database } from '../../db/open-database.ts'
import { countStoredPictures, storedPictures } from '../../images/stored-images.ts'
import { syncFolder } from '../../storage/durable-files.ts'
import { isPictureFolder } from '../../storage/image-names.ts'
import { copyPicture } from './copy-image.ts'
import { pool } from './layout.ts'
import type { Backup } from './open-backup.ts'
import type { Report, SiteFiles } from './site-files.ts'

/** Pictures that are copied at a time: a disk answers several sooner than one after the other. */
const atATime = 8

/** Sees to it that every picture that a database names is there and whole. `lost` are the folders of those that are not. */
export async function putPicturesBack(
  db: Database,
  site: SiteFiles,
  backup: Backup,
  report: Report,
): Promise<{ pictures: number; lost: string[] }> {
  const from = path.join(backup.directory, pool)
  const total = await countStoredPictures(db)
  const limit = pLimit(atATime)
  const lost: string[] = []
  let done = 0
  for await (const batch of storedPictures(db)) {
    const results = await Promise.all(
      batch.map((one) => limit(() => copyPicture(from, site.uploadsDirectory, one, 'sum'))),
    )
    for (const [index, { folder }] of batch.entries()) {
      if (results[index] === 'missing' || results[index] === 'damaged') lost.push(folder)
    }
    done += batch.length
    report(done, total)
  }
  await syncFolder(site.uploadsDirectory)
  return { pictures: total - lost.length, lost }
}

/** The folders of pictures that a database does not know. */
export async function unknownPictures(db: Database, uploadsDirectory: string): Promise<string[]> {
  const unknown: string[] = []
  for await (const { name } of await opendir(uploadsDirectory)) {
    if (!isPictureFolder(name)) continue
    const row = await db.selectFrom('images').select('id').where('folder', '=', name).executeTakeFirst()
    if (!row) unknown.push(name)
  }
  return unknown
}

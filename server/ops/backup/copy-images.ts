import pLimit from 'p-limit'
import { originalFile } from '../../../shared/image-files.ts'
import type { Database } from '../../db/open-database.ts'
import { countStoredImages, hasImage, storedImages, type StoredImage } from '../../images/stored-images.ts'
import { copyImage } from './copy-image.ts'
import { originalInPool } from './layout.ts'
import type { Report } from './site-files.ts'
import type { Sums } from './sums.ts'

/** Images that are copied at a time: a disk answers several sooner than one after the other. */
const atATime = 8

interface Copying {
  readonly live: Database
  readonly snapshot: Database
  readonly from: string
  readonly to: string
  readonly sums: Sums
  readonly report: Report
}

/** What became of the images that a snapshot names. */
export interface CopiedImages {
  readonly images: number
  readonly copied: number
  readonly lost: readonly string[]
}

/** Copies the images that a snapshot of the database names, and takes those out of it that were deleted meanwhile. */
export async function copyImages({ live, snapshot, from, to, sums, report }: Copying): Promise<CopiedImages> {
  const total = await countStoredImages(snapshot)
  const limit = pLimit(atATime)
  const lost: string[] = []
  let [done, images, copied] = [0, 0, 0]
  for await (const batch of storedImages(snapshot)) {
    const results = await Promise.all(batch.map((one) => limit(() => copyImage(from, to, one, 'size'))))
    for (const [index, image] of batch.entries()) {
      const result = results[index]
      if (result === 'there' || result === 'copied') {
        images += 1
        if (result === 'copied') copied += 1
        await sums.add(image.sha256, originalInPool(image.folder, originalFile))
      } else if (await hasImage(live, image)) lost.push(image.folder)
      else await forget(snapshot, image)
    }
    done += batch.length
    report(done, total)
  }
  return { images, copied, lost }
}

/** As deleting the image does. */
async function forget(snapshot: Database, { id }: StoredImage): Promise<void> {
  await snapshot.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('posts').where('image_id', '=', id).execute()
    await transaction.deleteFrom('images').where('id', '=', id).execute()
  })
}

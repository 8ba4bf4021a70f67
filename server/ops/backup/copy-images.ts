import pLimit from 'p-limit'
import { originalFile } from '../../../shared/pictures.ts'
import type { Database } from '../../db/open-database.ts'
import {
  countStoredPictures,
  hasImage,
  storedPictures,
  type StoredPicture,
} from '../../images/stored-images.ts'
import { copyPicture } from './copy-image.ts'
import { originalInPool } from './layout.ts'
import type { Report } from './site-files.ts'
import type { Sums } from './sums.ts'

/** Pictures that are copied at a time: a disk answers several sooner than one after the other. */
const atATime = 8

interface Copying {
  readonly live: Database
  readonly snapshot: Database
  readonly from: string
  readonly to: string
  readonly sums: Sums
  readonly report: Report
}

/** What became of the pictures that a snapshot names. */
export interface CopiedPictures {
  readonly pictures: number
  readonly copied: number
  readonly lost: readonly string[]
}

/** Copies the pictures that a snapshot of the database names, and takes those out of it that were deleted meanwhile. */
export async function copyPictures({
  live,
  snapshot,
  from,
  to,
  sums,
  report,
}: Copying): Promise<CopiedPictures> {
  const total = await countStoredPictures(snapshot)
  const limit = pLimit(atATime)
  const lost: string[] = []
  let [done, pictures, copied] = [0, 0, 0]
  for await (const batch of storedPictures(snapshot)) {
    const results = await Promise.all(batch.map((one) => limit(() => copyPicture(from, to, one, 'size'))))
    for (const [index, picture] of batch.entries()) {
      const result = results[index]
      if (result === 'there' || result === 'copied') {
        pictures += 1
        if (result === 'copied') copied += 1
        await sums.add(picture.sha256, originalInPool(picture.folder, originalFile))
      } else if (await hasImage(live, picture)) lost.push(picture.folder)
      else await forget(snapshot, picture)
    }
    done += batch.length
    report(done, total)
  }
  return { pictures, copied, lost }
}

/** As deleting the picture does. */
async function forget(snapshot: Database, { id }: StoredPicture): Promise<void> {
  await snapshot.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('posts').where('image_id', '=', id).execute()
    await transaction.deleteFrom('images').where('id', '=', id).execute()
  })
}

import pLimit from 'p-limit'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/pictures.ts'
import { isStorageFault } from '../errors/storage-fault.ts'
import { isWholeThumbnail, sha256, thumbnail } from '../images/picture.ts'
import { countStoredPictures, hasRow, storedPictures, type StoredPicture } from '../images/stored-pictures.ts'
import { unknownFolders } from '../images/sweep-pictures.ts'
import { makerOf } from '../provenance/picture-xmp.ts'
import type { CheckedSite, Fault } from './fault.ts'

/** Pictures that are read at a time. */
const atATime = 4

/**
 * Rows whose files are missing or damaged, and files without rows. A missing thumbnail is no fault: it is made when it is
 * asked for.
 *
 * @param report called with the number of pictures so far
 */
export async function* pictureFaults(
  site: CheckedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Fault> {
  const total = await countStoredPictures(site.db)
  const limit = pLimit(atATime)
  let done = 0
  for await (const batch of storedPictures(site.db)) {
    const faults = await Promise.all(batch.map((picture) => limit(() => faultsOf(site, picture))))
    yield* faults.flat()
    done += batch.length
    report(done, total)
  }
  for await (const folder of unknownFolders(site)) {
    yield { what: `No row knows the picture ${folder}`, mend: () => site.blobs.remove(folder) }
  }
}

async function faultsOf(site: CheckedSite, picture: StoredPicture): Promise<Fault[]> {
  const { id, folder } = picture
  const original = await read(site, folder, originalFile)
  if (original === null || sha256(original) !== picture.sha256) {
    // A picture that is deleted at this moment loses its row before its files.
    if (!(await hasRow(site.db, picture))) return []
    const fault = original ? 'damaged' : 'missing'
    return [{ what: `The picture ${folder} of the image ${id} is ${fault}`, mend: null }]
  }
  const faults: Fault[] = []
  for (const size of thumbnailSizes) {
    const file = thumbnailFile(size)
    const bytes = await read(site, folder, file)
    if (bytes === null || (await isWholeThumbnail(bytes, size))) continue
    faults.push({
      what: `The thumbnail ${file} of the picture ${folder} is damaged`,
      async mend() {
        const maker = await makerOfImage(site, id)
        await site.blobs.add(folder, file, await thumbnail(original, size, maker))
      },
    })
  }
  return faults
}

/** What can't be read is not the picture; one bad place on a disk must not hide all other faults. */
async function read({ blobs }: CheckedSite, folder: string, file: string): Promise<Uint8Array | null> {
  try {
    return await blobs.read(folder, file)
  } catch (error) {
    if (!isStorageFault(error)) throw error
    return new Uint8Array()
  }
}

async function makerOfImage({ db }: CheckedSite, id: string) {
  const image = await db
    .selectFrom('images')
    .select(['engine', 'model'])
    .where('id', '=', id)
    .executeTakeFirst()
  return image ? makerOf(image) : null
}

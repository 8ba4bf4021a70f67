import pLimit from 'p-limit'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../../shared/image-files.ts'
import { isStorageError } from '../../errors/app-error.ts'
import { hasContentCredentials, hasMetadata } from '../../formats/jpeg-metadata.ts'
import { isWholeThumbnail, imageFromEngine, sha256, thumbnail } from '../../images/processing.ts'
import {
  countStoredImages,
  hasRow,
  replaceStoredImage,
  storedImages,
  type StoredImage,
} from '../../images/stored-images.ts'
import { findOrphans, isMostlyUnknown } from '../../images/orphans.ts'
import { makerOf, type ImageProducer } from '../../provenance/image-xmp.ts'
import { xmpNamespace } from '../../provenance/xmp.ts'
import type { CheckedSite, Fault } from './issue.ts'

/** Images that are read at a time. */
const atATime = 4

/**
 * Rows whose files are missing or damaged or carry metadata of the engine, as versions before 0.2 stored it, and files
 * without rows. A missing thumbnail is no fault: it is made when it is asked for.
 *
 * @param report called with the number of images so far
 */
export async function* imageIssues(
  site: CheckedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Fault> {
  const total = await countStoredImages(site.db)
  const limit = pLimit(atATime)
  let done = 0
  for await (const batch of storedImages(site.db)) {
    const faults = await Promise.all(batch.map((image) => limit(() => issuesOf(site, image))))
    yield* faults.flat()
    done += batch.length
    report(done, total)
  }
  yield* orphanIssues(site)
}

/** Images that no row knows, each by itself; of more than crashes explain one fault, which asks before they are moved. */
async function* orphanIssues(site: CheckedSite): AsyncGenerator<Fault> {
  const { images, foreign, unfinished, known } = await findOrphans(site)
  for (const folder of unfinished) {
    yield { what: `The unfinished folder ${folder} is left over`, mend: () => site.blobs.remove(folder) }
  }
  yield* unknownImages(
    site,
    images,
    isMostlyUnknown(known, images.length),
    `of ${known + images.length} images`,
  )
  yield* unknownImages(site, foreign, isMostlyUnknown(0, foreign.length), 'images older than the database')
}

function* unknownImages(
  { blobs }: CheckedSite,
  folders: readonly string[],
  isSuspicious: boolean,
  which: string,
): Generator<Fault> {
  if (isSuspicious) {
    yield {
      what: `No row knows ${folders.length} ${which}`,
      mend: async () => {
        for (const folder of folders) await blobs.quarantine(folder)
      },
      question: `Move ${folders.length} ${which} to quarantine, as no row knows them?`,
    }
    return
  }
  for (const folder of folders) {
    yield { what: `No row knows the image ${folder}`, mend: () => blobs.quarantine(folder) }
  }
}

async function issuesOf(site: CheckedSite, image: StoredImage): Promise<Fault[]> {
  const { id, folder } = image
  const original = await read(site, folder, originalFile)
  if (original === null || sha256(original) !== image.sha256) {
    // An image that is deleted at this moment loses its row before its files.
    if (!(await hasRow(site.db, image))) return []
    const fault = original ? 'damaged' : 'missing'
    return [{ what: `The image ${folder} of the image ${id} is ${fault}`, mend: null }]
  }
  const maker = isMarkedByEngine(original) ? await makerOfImage(site, id) : null
  if (maker) {
    return [
      {
        what: `The image ${id} carries metadata of the engine, which may contain the prompt`,
        mend: () => removeMetadata(site, image, maker),
      },
    ]
  }
  const faults: Fault[] = []
  for (const size of thumbnailSizes) {
    const file = thumbnailFile(size)
    const bytes = await read(site, folder, file)
    if (bytes === null || (await isWholeThumbnail(bytes, size))) continue
    faults.push({
      what: `The thumbnail ${file} of the image ${folder} is damaged`,
      async mend() {
        const ofThumbnail = await makerOfImage(site, id)
        await site.blobs.add(folder, file, await thumbnail(original, size, ofThumbnail))
      },
    })
  }
  return faults
}

function isMarkedByEngine(original: Uint8Array): boolean {
  return !hasContentCredentials(original) && hasMetadata(original, xmpNamespace)
}

/** Stores the image anew, under another address: files never change, so that caches and backups can trust their names. */
async function removeMetadata(site: CheckedSite, stored: StoredImage, maker: ImageProducer): Promise<void> {
  const original = await site.blobs.read(stored.folder, originalFile)
  if (!original) return
  const image = await imageFromEngine(original, maker)
  const folder = await site.blobs.put(image.files)
  const isReplaced = await replaceStoredImage(site.db, stored, { folder, image })
  await site.blobs.remove(isReplaced ? stored.folder : folder)
}

/** What can't be read is not the image; one bad place on a disk must not hide all other faults. */
async function read({ blobs }: CheckedSite, folder: string, file: string): Promise<Uint8Array | null> {
  try {
    return await blobs.read(folder, file)
  } catch (error) {
    if (!isStorageError(error)) throw error
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

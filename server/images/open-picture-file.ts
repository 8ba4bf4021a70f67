import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { originalFile, thumbnailFile, thumbnailSizes, type ThumbnailSize } from '../../shared/pictures.ts'
import type { Database } from '../db/open-database.ts'
import { isStorageFault } from '../errors/storage-fault.ts'
import { makerOf } from '../provenance/picture-xmp.ts'
import type { BlobStore, StoredFile } from '../storage/blob-store.ts'
import { thumbnail } from './picture.ts'

/** Opens one file of a stored picture; null where there is none. */
export type OpenPictureFile = (folder: string, file: string) => Promise<StoredFile | null>

interface PictureFileServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
}

/**
 * Opens stored pictures. A thumbnail that is missing, because the picture is older than its size or was put back without
 * it, is made when it is first asked for, once, however many ask for it at the time.
 */
export function createOpenPictureFile(services: PictureFileServices): OpenPictureFile {
  const inTheMaking = new Map<string, Promise<Uint8Array | null>>()

  function makeOnce(folder: string, size: ThumbnailSize): Promise<Uint8Array | null> {
    const key = `${folder}/${size}`
    const making = inTheMaking.get(key) ?? make(services, folder, size).finally(() => inTheMaking.delete(key))
    inTheMaking.set(key, making)
    return making
  }

  return async (folder, file) => {
    const found = await services.blobs.open(folder, file)
    const size = thumbnailSizes.find((one) => thumbnailFile(one) === file)
    if (found || size === undefined) return found
    const bytes = await makeOnce(folder, size)
    return bytes && { size: bytes.byteLength, stream: () => Readable.from([bytes]) }
  }
}

async function make(
  { db, blobs, log }: PictureFileServices,
  folder: string,
  size: ThumbnailSize,
): Promise<Uint8Array | null> {
  const image = await db
    .selectFrom('images')
    .select(['engine', 'model'])
    .where('folder', '=', folder)
    .executeTakeFirst()
  const original = image && (await blobs.read(folder, originalFile))
  if (!original) return null
  const bytes = await thumbnail(original, size, makerOf(image))
  try {
    await blobs.add(folder, thumbnailFile(size), bytes)
  } catch (err) {
    // It can be shown without being kept.
    if (!isStorageFault(err)) throw err
    log.warn({ err, folder, size }, 'a thumbnail that was missing could not be kept')
  }
  return bytes
}

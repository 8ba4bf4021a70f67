import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { originalFile, thumbnailFile, thumbnailSizes, type ThumbnailSize } from '../../shared/image-files.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { isStorageError } from '../errors/app-error.ts'
import { producerOf } from '../formats/xmp.ts'
import type { BlobStore, StoredFile } from '../storage/blob-store.ts'
import { thumbnail } from './processing.ts'

/** One file of a stored image, opened for a viewer. */
export interface OpenedFile {
  readonly file: StoredFile
  /** Whether anyone may open it; otherwise only this viewer. */
  readonly isPublic: boolean
}

/**
 * Opens one file of a stored image; null if it does not exist, or if the viewer may not open it. Authenticates only for an
 * image that is not public.
 */
export type OpenImageFile = (
  folder: string,
  file: string,
  viewer: () => Promise<Viewer | null>,
) => Promise<OpenedFile | null>

interface ImageFileServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
}

/** Columns that decide who may open an image's files, and that its metadata names. */
interface ImageFacts {
  readonly owner_id: string
  readonly hidden_at: number | null
  readonly engine: string | null
  readonly model: string | null
}

/**
 * Creates the function that opens stored images. A hidden one can be opened by its owner and administrators only. A missing
 * thumbnail (the image is older than its size, or was restored without it) is created on the first request, once for
 * simultaneous requests.
 */
export function createOpenImageFile(services: ImageFileServices): OpenImageFile {
  const { blobs } = services
  const findImage = createFindImage(services.db)
  const pending = new Map<string, Promise<Uint8Array | null>>()

  function makeOnce(folder: string, image: ImageFacts, size: ThumbnailSize): Promise<Uint8Array | null> {
    const key = `${folder}/${size}`
    const making = pending.get(key) ?? make(services, folder, image, size).finally(() => pending.delete(key))
    pending.set(key, making)
    return making
  }

  async function openOrMake(folder: string, image: ImageFacts, file: string): Promise<StoredFile | null> {
    const found = await blobs.open(folder, file)
    const size = thumbnailSizes.find((one) => thumbnailFile(one) === file)
    if (found || size === undefined) return found
    const bytes = await makeOnce(folder, image, size)
    return bytes && { size: bytes.byteLength, stream: () => Readable.from([bytes]) }
  }

  return async (folder, file, viewer) => {
    const image = await findImage(folder)
    if (!image) return null
    const isPublic = image.hidden_at === null
    if (!isPublic && !mayOpen(await viewer(), image)) return null
    const opened = await openOrMake(folder, image, file)
    return opened && { file: opened, isPublic }
  }
}

/** Reports whether a viewer may open the files of an image that is not public. */
function mayOpen(viewer: Viewer | null, image: ImageFacts): boolean {
  return viewer !== null && (viewer.id === image.owner_id || viewer.role === 'administrator')
}

/** Finds an image by its folder, with a query that is compiled once, as every request for a file runs it. */
function createFindImage(db: Database): (folder: string) => Promise<ImageFacts | undefined> {
  const query = db
    .selectFrom('images')
    .select(['owner_id', 'hidden_at', 'engine', 'model'])
    .where('folder', '=', '')
    .compile()
  return async (folder) => {
    const { rows } = await db.executeQuery<ImageFacts>({ ...query, parameters: [folder] })
    return rows[0]
  }
}

async function make(
  { blobs, log }: ImageFileServices,
  folder: string,
  image: ImageFacts,
  size: ThumbnailSize,
): Promise<Uint8Array | null> {
  const original = await blobs.read(folder, originalFile)
  if (!original) return null
  const bytes = await thumbnail(original, size, producerOf(image))
  try {
    await blobs.add(folder, thumbnailFile(size), bytes)
  } catch (err) {
    // It can be served without being stored.
    if (!isStorageError(err)) throw err
    log.warn({ err, folder, size }, 'a missing thumbnail could not be stored')
  }
  return bytes
}

import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { ExpressionBuilder } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import type { EngineKind } from '../../shared/engines.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import { isStorageError } from '../errors/app-error.ts'
import type { BlobStore, StoredFile } from '../storage/blob-store.ts'
import { producerOf } from './images.ts'
import { createVariant, variants, type Variant, whenSlotIsFree } from './processing.ts'

/** File of a stored image. */
interface OpenedFile {
  /** Bytes. */
  readonly size: number
  /** Opens a stream of the file, which must be consumed or destroyed; null for `HEAD`. */
  readonly stream: StoredFile['stream'] | null
  /** False if only the owner, and administrators if it is hidden, may open it. */
  readonly isPublic: boolean
}

/**
 * Opens a file of a stored image, or only finds its size for `HEAD`. Returns null if it does not exist, or if the viewer may
 * not open it. Calls `viewer` only for images that are not public.
 */
export type OpenImageFile = (
  folder: string,
  file: string,
  method: 'GET' | 'HEAD',
  viewer: () => Promise<Viewer | null>,
) => Promise<OpenedFile | null>

interface ImageFileServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
}

/** Columns for access checks and metadata. */
interface FileRow {
  readonly owner_id: string
  readonly hidden_at: number | null
  /** 1 if only its owner may open it. */
  readonly is_private: number
  readonly engine: string | null
  readonly engine_kind: EngineKind | null
  readonly model: string | null
}

/**
 * Creates the function that opens stored images. Hidden images are accessible to their owner and to administrators only,
 * private ones to their owner only. Missing variants are created on the first request, once for simultaneous requests:
 * uncropped ones, and thumbnails of images from before the size existed or from a backup without them.
 */
export function createOpenImageFile(services: ImageFileServices): OpenImageFile {
  const { blobs } = services
  const findImage = createFindImage(services.db)
  const pending = new Map<string, Promise<Uint8Array | null>>()

  function createOnce(folder: string, image: FileRow, variant: Variant): Promise<Uint8Array | null> {
    const key = `${folder}/${variant.file}`
    const creation =
      pending.get(key) ?? storeVariant(services, folder, image, variant).finally(() => pending.delete(key))
    pending.set(key, creation)
    return creation
  }

  async function find(folder: string, file: string, method: 'GET' | 'HEAD') {
    if (method === 'GET') return blobs.open(folder, file)
    const size = await blobs.size(folder, file)
    return size === null ? null : { size, stream: null }
  }

  async function openOrCreate(folder: string, image: FileRow, file: string, method: 'GET' | 'HEAD') {
    const found = await find(folder, file, method)
    const variant = variants.find((one) => one.file === file)
    if (found || !variant) return found
    const bytes = await createOnce(folder, image, variant)
    return bytes && { size: bytes.byteLength, stream: () => Readable.from([bytes]) }
  }

  return async (folder, file, method, viewer) => {
    const image = await findImage(folder)
    if (!image) return null
    const isPublic = image.hidden_at === null && image.is_private === 0
    if (!isPublic && !mayOpen(await viewer(), image)) return null
    const opened = await openOrCreate(folder, image, file, method)
    return opened && { ...opened, isPublic }
  }
}

/** Checks whether a viewer may open the files of an image that is not public. */
function mayOpen(viewer: Viewer | null, image: FileRow): boolean {
  if (viewer === null) return false
  return viewer.id === image.owner_id || (viewer.role !== 'member' && image.hidden_at !== null)
}

/** Creates a function that finds an image by its folder. Compiles the query once, as every request for a file runs it. */
function createFindImage(db: Database): (folder: string) => Promise<FileRow | undefined> {
  const query = db
    .selectFrom('images')
    .select((eb) => [
      'owner_id',
      'hidden_at',
      eb.case().when(isPrivateImage(eb)).then(1).else(0).end().as('is_private'),
      'engine',
      'engine_kind',
      'model',
    ])
    .where('folder', '=', '')
    .compile()
  return async (folder) => {
    // The folder is the last parameter.
    const parameters = [...query.parameters.slice(0, -1), folder]
    const { rows } = await db.executeQuery<FileRow>({ ...query, parameters })
    return rows[0]
  }
}

async function storeVariant(
  { blobs, log }: ImageFileServices,
  folder: string,
  image: FileRow,
  variant: Variant,
): Promise<Uint8Array | null> {
  const { file } = variant
  const bytes = await createVariant(() => blobs.read(folder, originalFile), variant, producerOf(image))
  if (!bytes) return null
  try {
    await blobs.add(folder, file, bytes)
  } catch (err) {
    // It is served without being stored.
    if (!isStorageError(err)) throw err
    log.warn({ err, folder, file }, 'a missing variant of an image could not be stored')
  }
  return bytes
}

/** A copy of the files of an image, in a folder that no row refers to yet. */
export interface CopiedFiles {
  readonly from: string
  readonly to: string
}

/** Builds the condition that an image is private: it is in the trash, or it has posts, and all of them are private. */
export function isPrivateImage(eb: ExpressionBuilder<Schema, 'images'>) {
  const posts = eb.selectFrom('posts').select('posts.id').whereRef('posts.image_id', '=', 'images.id')
  return eb.or([
    eb('images.trashed_at', 'is not', null),
    eb.and([eb.exists(posts), eb.not(eb.exists(posts.where('posts.visibility', '<>', 'private')))]),
  ])
}

/**
 * Copies the original of an image, and its stored variants, durably to a new folder.
 *
 * @returns null if the original is lost
 * @throws AppError `storage_full`, `storage_unavailable`
 */
export function copyFiles(blobs: BlobStore, folder: string): Promise<CopiedFiles | null> {
  // Waiting copies hold no image in memory.
  return whenSlotIsFree(async () => {
    const files: Record<string, Uint8Array> = {}
    for (const file of [originalFile, ...variants.map((variant) => variant.file)]) {
      const bytes = await blobs.read(folder, file)
      if (bytes) files[file] = bytes
    }
    return originalFile in files ? { from: folder, to: await blobs.put(files) } : null
  })
}

/**
 * Moves an image to a copy of its files if it is private now, since others may know the address of the former ones. Call
 * it in the transaction that made its posts private.
 *
 * @returns the folder that no row refers to, to be removed after the transaction
 */
export async function moveIfPrivate(
  transaction: Database,
  blobs: BlobStore,
  imageId: string,
  { from, to }: CopiedFiles,
): Promise<string> {
  const { numUpdatedRows } = await transaction
    .updateTable('images')
    .set({ folder: to })
    .where('id', '=', imageId)
    .where('folder', '=', from)
    .where(isPrivateImage)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return to
  await blobs.link(transaction, to)
  await blobs.unlink(transaction, [from])
  return from
}

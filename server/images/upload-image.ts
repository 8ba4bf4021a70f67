import { randomUUID } from 'node:crypto'
import { credentialsFiles, originalFile } from '../../shared/image-files.ts'
import type { Image } from '../../shared/images.ts'
import { uploadMaxBytes } from '../../shared/limits.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { hasRows } from '../db/rows.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import { AppError, describedDetail, isStorageError } from '../errors/app-error.ts'
import { describeError } from '../errors/describe-error.ts'
import { sniffFormat } from '../formats/image-files.ts'
import { rejectModeratedImage } from './moderated-images.ts'
import { largeBodyBytes } from '../rate-limits/body-budget.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { originalOf } from './download.ts'
import { findOwnImage, toImage } from './images.ts'
import { imageFromUpload, inspectUpload, requireFormat, sha256, UnreadableImage } from './processing.ts'
import { recognize } from './recognize.ts'
import { consumeQuota, dailyQuotaError, refundQuota, requireStorage, userCounter, utcDay } from './quota.ts'
import { fold } from '../text/search-text.ts'
import type { Needs } from './services.ts'
import { discardFolder } from './stored-images.ts'

export type UploadServices = Needs<
  'db' | 'blobs' | 'log' | 'now' | 'uploadQueue' | 'dailyUploadLimit' | 'readOptions'
>

interface UploadHooks<Result> {
  readonly prompt: string
  readonly isForEdit?: boolean
  /** Called before the upload consumes quota, in the same transaction. */
  readonly check?: (transaction: Database, now: number) => Promise<void>
  /** Called if the user already has an image with the same bytes. */
  readonly useExisting: (imageId: string) => Promise<Result>
  /** Called after the new image is inserted, in the same transaction. */
  readonly useInserted: (transaction: Database, imageId: string) => Promise<Result>
}

/**
 * Stores an upload as an image of the user, or returns the one with the same bytes.
 * @param isForEdit true for one that is not listed
 * @throws AppError `too_large`; see `storeUpload`
 */
export function uploadImage(
  services: UploadServices,
  viewer: Viewer,
  bytes: Uint8Array,
  isForEdit: boolean,
): Promise<Image> {
  requireUploadSize(bytes)
  const read = async (db: Database, id: string) => toImage(await findOwnImage(db, viewer, id))
  return storeUpload(services, viewer, () => bytes, {
    prompt: '',
    isForEdit,
    async useExisting(imageId) {
      const image = await findOwnImage(services.db, viewer, imageId)
      if (image.for_edit === 0) return toImage(image)
      return inTransactionOf(services, viewer, async (transaction) => {
        // Listed from now on, or kept for another edit.
        await transaction
          .updateTable('images')
          .set({ for_edit: Number(isForEdit), restored_at: services.now() })
          .where('id', '=', imageId)
          .execute()
        return read(transaction, imageId)
      })
    },
    useInserted: read,
  })
}

/**
 * Re-encodes an upload without metadata and stores it, one of a user at a time. Consumes the upload quota before decoding,
 * which is expensive, and refunds it after server errors only. A small file that is no image is not counted.
 * @param read returns the bytes, in the turn of the user
 * @throws AppError `not_signed_in` once the account is deleted; `storage_limit`, `upload_limit`, `too_many_unfinished`;
 *   `bad_input` or `too_large` for the image, `forbidden` if a moderator has hidden or deleted it; `storage_full`,
 *   `storage_unavailable`, `busy`
 */
export async function storeUpload<Result>(
  services: UploadServices,
  viewer: Viewer,
  read: () => Uint8Array,
  hooks: UploadHooks<Result>,
): Promise<Result> {
  return services.uploadQueue.run(viewer.id, undefined, async () => {
    const bytes = read()
    if (sniffFormat(bytes) === null && bytes.length > largeBodyBytes)
      await countRejectedUpload(services, viewer)
    await withImageErrors(async () => requireFormat(bytes))
    const digests = await digestsOf(bytes)
    const stored = await findImageByBytes(services, viewer, digests)
    if (stored !== null) return hooks.useExisting(stored)
    const [imageId, now] = [randomUUID(), services.now()]
    await inTransactionOf(services, viewer, async (transaction) => {
      await hooks.check?.(transaction, now)
      await requireStorage(transaction, await services.readOptions(transaction), viewer.id)
      await consumeUploadQuota(transaction, services, viewer, now)
    })
    try {
      return await store(services, viewer, { bytes, digests, imageId }, hooks)
    } catch (error) {
      if (describeError(error).status >= 500) await refundUpload(services, viewer, imageId, utcDay(now))
      throw error
    }
  })
}

/**
 * Reads by what a file is recognized, and its marks. Nothing is stored.
 * @throws AppError `too_large`; `bad_input` or `too_large` for the image; `busy`
 */
export async function inspectFile(bytes: Uint8Array) {
  requireUploadSize(bytes)
  return { ...(await withImageErrors(() => inspectUpload(bytes))), digests: await digestsOf(bytes) }
}

function requireUploadSize({ byteLength }: Uint8Array): void {
  if (byteLength <= uploadMaxBytes) return
  const maxMegabytes = uploadMaxBytes / 1024 / 1024
  throw new AppError('too_large', describedDetail('image_too_large', { maxMegabytes }))
}

/** Finds the image that `uploadImage` returns for bytes without storing them; null if it stores them. */
export async function findUploaded(
  services: Needs<'db' | 'blobs'>,
  viewer: Viewer,
  bytes: Uint8Array,
): Promise<string | null> {
  return findImageByBytes(services, viewer, await digestsOf(bytes))
}

/**
 * Finds the viewer's stored image whose original, upload or file with credentials has one of these SHA-256, in the trash only if it is hidden. Null
 * if there is none, or if its file is lost and it is not hidden, so that another upload stores it again.
 * @throws AppError `forbidden` for a hidden one that its owner has deleted
 */
async function findImageByBytes(
  { db, blobs }: Needs<'db' | 'blobs'>,
  viewer: Viewer,
  digests: readonly string[],
): Promise<string | null> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'folder', 'hidden_at', 'trashed_at', 'withdrawn_at'])
    .where('owner_id', '=', viewer.id)
    .where((eb) =>
      eb.or([
        eb('sha256', 'in', digests),
        eb('upload_sha256', 'in', digests),
        eb('credentials', 'in', credentialsFiles(digests)),
      ]),
    )
    .where('state', '=', 'succeeded')
    .where((eb) => eb.or([eb('trashed_at', 'is', null), eb('hidden_at', 'is not', null)]))
    .orderBy('seq', 'desc')
    .execute()
  for (const { id, folder, hidden_at, trashed_at, withdrawn_at } of images) {
    if ((trashed_at ?? withdrawn_at) !== null)
      throw new AppError('forbidden', describedDetail('image_hidden'))
    if (hidden_at !== null || (folder !== null && (await blobs.size(folder, originalFile)) !== null))
      return id
  }
  return null
}

/** Returns the SHA-256 of an upload in hex, and of the stored file if it is a download of it. */
async function digestsOf(bytes: Uint8Array): Promise<[string, ...string[]]> {
  const original = originalOf(bytes)
  return [await sha256(bytes), ...(original ? [await sha256(original)] : [])]
}

/** Counts a large body that is rejected unread, since receiving it costs as much as an upload. @throws AppError `upload_limit` */
export async function countRejectedUpload(
  services: Needs<'db' | 'now' | 'dailyUploadLimit'>,
  viewer: Viewer,
): Promise<void> {
  const now = services.now()
  await inTransactionOf(services, viewer, (transaction) =>
    consumeUploadQuota(transaction, services, viewer, now),
  )
}

async function consumeUploadQuota(
  transaction: Database,
  { dailyUploadLimit }: Needs<'dailyUploadLimit'>,
  viewer: Viewer,
  now: number,
): Promise<void> {
  if (!(await consumeQuota(transaction, userCounter(viewer.id, 'upload', utcDay(now)), dailyUploadLimit)))
    throw dailyQuotaError('upload_limit', now)
}

async function store<Result>(
  services: UploadServices,
  viewer: Viewer,
  { bytes, digests, imageId }: { bytes: Uint8Array; digests: [string, ...string[]]; imageId: string },
  hooks: UploadHooks<Result>,
): Promise<Result> {
  const { blobs } = services
  const reservation = await blobs.reserve(bytes.byteLength)
  await reservation.release()
  const { files, marks, ...image } = await withImageErrors(() => imageFromUpload(bytes))
  const hashes = [...digests, image.sha256]
  const original = await recognize(services.db, viewer.id, { ...image, digests: hashes })
  const folder = await blobs.put(files)
  try {
    return await inTransactionOf(services, viewer, async (transaction) => {
      // The uploaded bytes may be the file of a generated image.
      for (const hash of hashes) await rejectModeratedImage(transaction, viewer.id, hash)
      await requireStorage(transaction, await services.readOptions(transaction), viewer.id, image.bytes)
      const now = services.now()
      await transaction
        .insertInto('images')
        .values({
          ...image,
          marks: marks && JSON.stringify(marks),
          original_id: original && original.id,
          id: imageId,
          owner_id: viewer.id,
          source: 'uploaded',
          prompt: hooks.prompt,
          search_text: fold(hooks.prompt),
          state: 'succeeded',
          folder,
          // Without the recipe of a download, so that a moderator's mark on the stored file holds for it.
          upload_sha256: digests[1] ?? digests[0],
          for_edit: Number(hooks.isForEdit ?? false),
          created_at: now,
          finished_at: now,
        })
        .execute()
      await blobs.link(transaction, folder)
      return hooks.useInserted(transaction, imageId)
    })
  } catch (error) {
    // After a disk error, the row may have been written. The sweep of orphaned images removes the files if it was not.
    const isUncertain = isStorageError(error) && error.code === 'storage_unavailable'
    if (!isUncertain) await discardFolder(services, folder)
    throw error
  }
}

/** Refunds the quota of an upload, unless its row was written despite an error of the commit. */
async function refundUpload(
  { db, log }: UploadServices,
  viewer: Viewer,
  imageId: string,
  day: string,
): Promise<void> {
  try {
    await inTransactionAbout(db, viewer.id, async (transaction) => {
      const images = transaction.selectFrom('images').select('id').where('id', '=', imageId)
      if (!(await hasRows(images))) await refundQuota(transaction, userCounter(viewer.id, 'upload', day))
    })
  } catch (err) {
    // The caller reports the first error.
    log.error({ err, userId: viewer.id, day }, 'refund of an upload failed')
  }
}

/** Describes an image that cannot be read to its sender. */
export async function withImageErrors<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    throw new AppError(error.tooLarge ? 'too_large' : 'bad_input', error.reason, { cause: error.cause })
  }
}

/** Decodes a base64 data URL of any media type. @throws AppError `bad_input`; `too_large` for more than `uploadMaxBytes` */
export function decodeDataUrl(url: string): Uint8Array {
  const head = /^data:[^,]*;base64,/i.exec(url.slice(0, 200))?.[0]
  if (head === undefined) throw new AppError('bad_input', 'The photo must be a data URL in base64.')
  const encoded = url.slice(head.length)
  const bytes = Buffer.from(encoded, 'base64')
  if (!isBase64(encoded, bytes.length)) throw new AppError('bad_input', 'The photo is not valid base64.')
  if (bytes.length <= uploadMaxBytes) return bytes
  const maxMegabytes = uploadMaxBytes / 1024 / 1024
  throw new AppError('too_large', describedDetail('photo_too_large', { maxMegabytes }))
}

/**
 * Validates base64 strictly: Node.js skips invalid characters, which makes the result shorter, and accepts those of base64url.
 * Padding may be missing but must not be wrong.
 */
function isBase64(encoded: string, decodedLength: number): boolean {
  const padding = encoded.endsWith('==') ? 2 : Number(encoded.endsWith('='))
  const length = encoded.length - padding
  return (
    length > 0 &&
    (padding > 0 ? encoded.length % 4 === 0 : length % 4 !== 1) &&
    decodedLength === Math.floor((length * 3) / 4) &&
    !encoded.includes('-') &&
    !encoded.includes('_')
  )
}

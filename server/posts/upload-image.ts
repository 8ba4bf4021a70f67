import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, isStorageError } from '../errors/app-error.ts'
import { describeError } from '../errors/describe-error.ts'
import { refundDailyQuota, consumeDailyQuota } from '../images/daily-usage.ts'
import { findImageByBytes } from '../images/own-image.ts'
import { imageFromUpload, requireFormat, UnreadableImage, type Image } from '../images/processing.ts'
import { utcDay } from '../images/utc-day.ts'
import { rejectModeratedImage } from '../moderation/moderated-images.ts'
import { requireOpenAccount } from '../users/closed-accounts.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { requirePostQuota, shareImage, shareOwnImage, type PostText } from './share-image.ts'
import type { UserQueue } from './user-queue.ts'

export interface UploadServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
  readonly now: () => number
  readonly uploadQueue: UserQueue
  readonly dailyUploadLimit: number
  readonly dailyPostLimit: number
}

interface UploadedBytes {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, in hex. */
  readonly digest: string
}

/** An upload that its user's quota was consumed for. */
interface Upload extends UploadedBytes {
  /** The id of the image that it becomes. */
  readonly imageId: string
  /** The day whose quota was consumed. */
  readonly day: string
}

/**
 * Shares a photo that was not made here: stored anew without its metadata, and labelled as an upload. It counts as an
 * upload and as a post. The upload is consumed before the costly decoding, and refunded only if the server fails: a file
 * that can't be read has cost as much as one that can. One upload per user is processed at a time; the same bytes that an
 * earlier one has stored, as a retry sends them, are that image.
 *
 * @throws AppError `not_signed_in` once the account is deleted, `forbidden` for an image that an administrator has hidden or
 *   deleted, `too_many_unfinished`, `upload_limit`, `post_limit`, `storage_full`, `storage_unavailable`, `busy`, `bad_input` or
 *   `too_large`
 */
export async function uploadImage(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  { bytes, digest }: UploadedBytes,
): Promise<Post> {
  await explained(async () => requireFormat(bytes))
  return services.uploadQueue.run(author.id, async () => {
    const earlier = await findImageByBytes(services, author, digest)
    if (earlier !== null) return shareOwnImage(services, author, text, earlier)
    const upload = { bytes, digest, imageId: randomUUID(), day: utcDay(services.now()) }
    await consumeUpload(services, author, upload)
    try {
      return await storeAndShare(services, author, text, upload)
    } catch (error) {
      const isOurs = describeError(error).status >= 500
      if (isOurs) await refundUpload(services, author, upload)
      throw error
    }
  })
}

function consumeUpload(services: UploadServices, author: Viewer, { day }: Upload): Promise<void> {
  return services.db.transaction().execute(async (transaction) => {
    const inTransaction = { ...services, db: transaction }
    await requireOpenAccount(inTransaction, author)
    await requirePostQuota(inTransaction, author)
    if (!(await consumeDailyQuota(transaction, author.id, 'upload', day, services.dailyUploadLimit))) {
      throw new AppError('upload_limit')
    }
  })
}

async function storeAndShare(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  upload: Upload,
): Promise<Post> {
  const { bytes } = upload
  const room = await services.blobs.reserve(bytes.byteLength)
  room.release()
  const image = await explained(() => imageFromUpload(bytes))
  const folder = await services.blobs.put(image.files)
  try {
    return await share(services, author, text, { ...upload, image, folder })
  } catch (error) {
    // After a fault of the disk nobody knows whether the row is there; the sweep finds out.
    const isUnclear = isStorageError(error) && error.code === 'storage_unavailable'
    if (!isUnclear) await services.blobs.remove(folder)
    throw error
  }
}

/** Tells the user what is wrong with their file. */
async function explained<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    throw new AppError(error.tooLarge ? 'too_large' : 'bad_input', error.message, { cause: error.cause })
  }
}

function share(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  { imageId, digest, image, folder }: Upload & { readonly image: Image; readonly folder: string },
): Promise<Post> {
  return services.db.transaction().execute(async (transaction) => {
    await requireOpenAccount({ ...services, db: transaction }, author)
    // As they were uploaded they may be the file of an image that was generated here.
    for (const hash of [digest, image.sha256]) await rejectModeratedImage(transaction, author.id, hash)
    const now = services.now()
    const { sha256, width, height, placeholder } = image
    await transaction
      .insertInto('images')
      .values({
        id: imageId,
        owner_id: author.id,
        source: 'uploaded',
        prompt: text.prompt,
        state: 'ready',
        folder,
        sha256,
        upload_sha256: digest,
        width,
        height,
        placeholder,
        created_at: now,
        finished_at: now,
      })
      .execute()
    return shareImage(transaction, services, author, text, imageId)
  })
}

/** Refunds an upload unless its image is stored: after a commit that failed only the row tells. */
async function refundUpload(
  { db, log }: UploadServices,
  author: Viewer,
  { imageId, day }: Upload,
): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('images')
        .select('id')
        .where('id', '=', imageId)
        .executeTakeFirst()
      if (!row) await refundDailyQuota(transaction, author.id, 'upload', day)
    })
  } catch (err) {
    // The caller is told what failed first.
    log.error({ err, userId: author.id, day }, 'an upload could not be refunded')
  }
}

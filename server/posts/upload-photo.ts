import { randomUUID } from 'node:crypto'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { isStorageFault } from '../errors/storage-fault.ts'
import { dailyUsage, takeDailyPlace } from '../images/daily-usage.ts'
import { pictureFromUpload, UnreadablePicture, type Picture } from '../images/picture.ts'
import { utcDay } from '../images/utc-day.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { insertPost, type PostText } from './insert-post.ts'

interface UploadServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly now: () => number
  readonly dailyUploadLimit: number
}

/**
 * Shares a photo that was not made here: stored anew without its metadata, and labelled as an upload. Its place of the
 * day is looked for before the costly decoding, and taken together with the post: both or neither, whatever fails.
 *
 * @throws AppError `upload_limit`, `storage_full`, `storage_unavailable`, `busy`, `bad_input` or `too_large`
 */
export async function uploadPhoto(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  bytes: Uint8Array,
): Promise<Post> {
  const day = utcDay(services.now())
  const used = await dailyUsage(services.db, author.id, 'upload', day)
  if (used >= services.dailyUploadLimit) throw limitReached()
  const room = await services.blobs.reserve(bytes.byteLength)
  room.release()
  const picture = await readPicture(bytes)
  const folder = await services.blobs.put(picture.files)
  try {
    return await share(services, author, text, { picture, folder, day })
  } catch (error) {
    // After a fault of the disk nobody knows whether the row is there; the sweep finds out.
    const isUnclear = isStorageFault(error) && error.code === 'storage_unavailable'
    if (!isUnclear) await services.blobs.remove(folder)
    throw error
  }
}

function limitReached(): AppError {
  return new AppError('upload_limit', 'You have reached your daily upload limit.')
}

async function readPicture(bytes: Uint8Array): Promise<Picture> {
  try {
    return await pictureFromUpload(bytes)
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error
    throw new AppError(error.tooLarge ? 'too_large' : 'bad_input', error.message, { cause: error.cause })
  }
}

function share(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  { picture, folder, day }: { picture: Picture; folder: string; day: string },
): Promise<Post> {
  return services.db.transaction().execute(async (transaction) => {
    if (!(await takeDailyPlace(transaction, author.id, 'upload', day, services.dailyUploadLimit))) {
      throw limitReached()
    }
    const imageId = randomUUID()
    const now = services.now()
    const { sha256, width, height, placeholder } = picture
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
        width,
        height,
        placeholder,
        created_at: now,
        finished_at: now,
      })
      .execute()
    return insertPost({ ...services, db: transaction }, author, text, imageId)
  })
}

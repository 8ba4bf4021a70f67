import { randomUUID } from 'node:crypto'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { returnDailyPlace, takeDailyPlace } from '../images/daily-usage.ts'
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
 * Shares a photo that was not made here: stored anew without its metadata, and labelled as an upload.
 * Its place of the day is taken before the costly decoding and returned if nothing comes of it.
 *
 * @throws AppError `upload_limit`, `bad_input` or `too_large`
 */
export async function uploadPhoto(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  bytes: Uint8Array,
): Promise<Post> {
  const day = utcDay(services.now())
  if (!(await takeDailyPlace(services.db, author.id, 'upload', day, services.dailyUploadLimit))) {
    throw new AppError('upload_limit', 'You have reached your daily upload limit.')
  }
  try {
    const picture = await readPicture(bytes)
    return await storeAndShare(services, author, text, picture)
  } catch (error) {
    await returnDailyPlace(services.db, author.id, 'upload', day)
    throw error
  }
}

async function readPicture(bytes: Uint8Array): Promise<Picture> {
  try {
    return await pictureFromUpload(bytes)
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error
    throw new AppError(error.tooLarge ? 'too_large' : 'bad_input', error.message, { cause: error.cause })
  }
}

async function storeAndShare(
  services: UploadServices,
  author: Viewer,
  text: PostText,
  picture: Picture,
): Promise<Post> {
  const folder = await services.blobs.put(picture.files)
  try {
    return await services.db.transaction().execute(async (transaction) => {
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
  } catch (error) {
    await services.blobs.remove(folder)
    throw error
  }
}

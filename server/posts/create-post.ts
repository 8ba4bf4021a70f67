import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { noSuchImage } from '../images/own-image.ts'
import { sha256 } from '../images/picture.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { decodeDataUrl } from './decode-data-url.ts'
import { insertPost, type PostText } from './insert-post.ts'
import { uploadPhoto } from './upload-photo.ts'

interface CreatePostServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly now: () => number
  readonly dailyUploadLimit: number
}

export interface NewPost extends PostText {
  /** One of the author's own images … */
  readonly imageId?: string | undefined
  /** … or a picture as a data URL. */
  readonly photo?: string | undefined
}

/**
 * Shares a picture to the gallery.
 *
 * @throws AppError `bad_input`, `forbidden` or `not_found` for the image; `bad_input`, `too_large` or
 *   `upload_limit` for a posted photo
 */
export async function createPost(
  services: CreatePostServices,
  author: Viewer,
  input: NewPost,
): Promise<Post> {
  if (input.imageId !== undefined) {
    await requireOwnReadyImage(services.db, author, input.imageId)
    return insertPost(services, author, input, input.imageId)
  }
  if (!input.photo) throw new AppError('bad_input', messages.shareIncomplete)
  const bytes = decodeDataUrl(input.photo)
  const own = await findOwnImage(services.db, author, bytes)
  return own ? insertPost(services, author, input, own) : uploadPhoto(services, author, input, bytes)
}

async function requireOwnReadyImage(db: Database, author: Viewer, imageId: string): Promise<void> {
  const image = await db
    .selectFrom('images')
    .select(['owner_id', 'state'])
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (!image) throw noSuchImage()
  if (image.owner_id !== author.id) throw new AppError('forbidden', 'This image belongs to somebody else.')
  if (image.state !== 'ready') throw new AppError('bad_input', 'This image is not ready to be shared.')
}

/** A photo that is, byte for byte, a picture made here for its poster is that picture and no upload. */
async function findOwnImage(db: Database, author: Viewer, bytes: Uint8Array): Promise<string | null> {
  const image = await db
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', author.id)
    .where('sha256', '=', sha256(bytes))
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return image?.id ?? null
}

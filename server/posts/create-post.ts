import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { AppError } from '../errors/app-error.ts'
import { findImageByBytes } from '../images/own-image.ts'
import { sha256 } from '../images/processing.ts'
import { decodeDataUrl } from './decode-data-url.ts'
import { shareOwnImage, type PostText } from './share-image.ts'
import { uploadImage, type UploadServices } from './upload-image.ts'

export interface NewPost extends PostText {
  /** One of the author's own images … */
  readonly imageId?: string | undefined
  /** … or an image as a data URL. */
  readonly photo?: string | undefined
}

/**
 * Shares an image to the gallery, or returns the author's post of the same image and prompt. So a call whose answer was
 * lost can be sent again.
 *
 * @throws AppError `not_signed_in` once the account is deleted; for an image `not_found`, `bad_input` or `forbidden` (also where
 *   an administrator has hidden or deleted it); for a photo what `uploadImage` throws; `post_limit`
 */
export async function createPost(services: UploadServices, author: Viewer, input: NewPost): Promise<Post> {
  if (input.imageId !== undefined) return shareOwnImage(services, author, input, input.imageId)
  if (!input.photo) throw new AppError('bad_input', messages.shareIncomplete)
  const bytes = decodeDataUrl(input.photo)
  const digest = sha256(bytes)
  const imageId = await findImageByBytes(services, author, digest)
  if (imageId !== null) return shareOwnImage(services, author, input, imageId)
  return uploadImage(services, author, input, { bytes, digest })
}

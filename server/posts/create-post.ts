import { randomUUID } from 'node:crypto'
import { messages } from '../../shared/errors.ts'
import type { Post } from '../../shared/posts.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { noSuchImage } from '../images/images.ts'
import { consumeQuota, dailyQuotaError, readUsage, userCounter, utcDay } from '../images/quota.ts'
import { decodeDataUrl, storeUpload, type UploadServices } from '../images/upload-image.ts'
import { isMarkedSensitive, rejectModeratedImage } from '../images/moderated-images.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { readSettings } from '../access/user-settings.ts'
import type { Call } from '../procedures/procedures.ts'
import { queuePostCreated } from '../webhooks/webhook-events.ts'
import type { NewPost } from './inputs.ts'
import { findPostOf, insertPost } from './post-queries.ts'
import type { PostsServices } from './services.ts'

/**
 * Shares an image to the gallery, or returns the author's post of the same image and prompt, so that a client can retry. A
 * photo whose bytes are one of the author's images is that image; any other is an upload. A moderator's mark as sensitive
 * holds whatever `isSensitive` asks for.
 * @throws AppError `not_signed_in` once the account is deleted; `not_found`, `bad_input` or `forbidden` for the image;
 *   `post_limit`; for an upload also see `storeUpload`
 */
export async function createPost({
  ctx: { services, viewer: author },
  input,
}: Call<UploadServices & Pick<PostsServices, 'dailyPostLimit'>, NewPost>): Promise<Post> {
  const { now, dailyPostLimit } = services
  const { imageId: ownImageId, photo, name, prompt, hidePrompt = false, isSensitive = false } = input

  function shareOwnImage(imageId: string): Promise<Post> {
    return inTransactionOf(services, author, async (transaction) => {
      const image = await transaction
        .selectFrom('images')
        .select(['owner_id', 'state', 'sha256'])
        .where('id', '=', imageId)
        // A hidden one is rejected with its reason.
        .where((eb) => eb.or([eb('trashed_at', 'is', null), eb('hidden_at', 'is not', null)]))
        .executeTakeFirstOrThrow(noSuchImage)
      if (image.owner_id !== author.id)
        throw new AppError('forbidden', describedDetail('image_of_other_user'))
      if (image.state !== 'succeeded' || image.sha256 === null) {
        throw new AppError('bad_input', describedDetail('image_not_ready'))
      }
      await rejectModeratedImage(transaction, author.id, image.sha256)
      return addPost(transaction, imageId)
    })
  }

  /**
   * Adds a post in the transaction that verified the image, or returns the one of the same image and prompt, uncounted.
   * @throws AppError `post_limit`; `bad_input` if that has other options
   */
  async function addPost(transaction: Database, imageId: string): Promise<Post> {
    const isMarked = await isMarkedSensitive(transaction, imageId)
    const existing = await findPostOf(transaction, author.id, imageId, prompt)
    if (existing) {
      if (hasOptions(existing, isMarked ? { ...input, isSensitive: undefined } : input)) return existing
      throw new AppError('bad_input', describedDetail('shared_with_other_options'))
    }
    const createdAt = now()
    const counter = userCounter(author.id, 'post', utcDay(createdAt))
    if (!(await consumeQuota(transaction, counter, dailyPostLimit)))
      throw dailyQuotaError('post_limit', createdAt)
    const visibility = input.visibility ?? (await readSettings(transaction, author)).defaultVisibility
    const post = {
      id: randomUUID(),
      name,
      prompt,
      visibility,
      hidePrompt,
      isSensitive: isMarked || isSensitive,
      authorId: author.id,
      imageId,
      createdAt,
    }
    await queuePostCreated(transaction, post)
    return insertPost(transaction, post)
  }

  if (ownImageId !== undefined) return shareOwnImage(ownImageId)
  if (!photo) throw new AppError('bad_input', messages.shareIncomplete)
  return storeUpload(services, author, () => decodeDataUrl(photo), {
    prompt,
    async check(transaction, startedAt) {
      // Checked before decoding; `addPost` consumes it.
      const posts = await readUsage(transaction, userCounter(author.id, 'post', utcDay(startedAt)))
      if (posts >= dailyPostLimit) throw dailyQuotaError('post_limit', startedAt)
    },
    useExisting: shareOwnImage,
    useInserted: addPost,
  })
}

function hasOptions(post: Post, { visibility, hidePrompt, isSensitive }: NewPost): boolean {
  return (
    (visibility ?? post.visibility) === post.visibility &&
    (hidePrompt ?? post.isPromptHidden) === post.isPromptHidden &&
    (isSensitive ?? post.isSensitive) === post.isSensitive
  )
}

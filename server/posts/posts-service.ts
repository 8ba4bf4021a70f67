import { randomUUID } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import type { z } from 'zod'
import { messages } from '../../shared/errors.ts'
import type { Post, PostDetails, PostLikes } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import type { PostsTable } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hasNoPosts, noSuchImage } from '../images/images.ts'
import type { Needs } from '../images/services.ts'
import { removeFolders } from '../images/stored-images.ts'
import { consumeQuota, readUsage, userCounter, utcDay } from '../images/quota.ts'
import { decodeDataUrl, storeUpload, type UploadServices } from '../images/upload-image.ts'
import { deleteModeratedImage, isMarkedSensitive, rejectModeratedImage } from '../images/moderated-images.ts'
import { inTransactionOf, requireUnblocked } from '../access/user-access.ts'
import { readSettings } from '../access/user-settings.ts'
import { queuePostCreated } from '../webhooks/webhook-events.ts'
import type { NewPost, PostChanges, reportInput } from './inputs.ts'
import { findPostOf, insertPost, lockAuthor, readPost } from './post-queries.ts'
import { postNotFound, requireVisiblePost, selectVisiblePost } from '../access/visible-post.ts'
import { mailModerators } from '../mail/notices.ts'
import type { PostsServices } from './services.ts'
import { searchText } from '../text/search-text.ts'

type CreateServices = UploadServices & Pick<PostsServices, 'dailyPostLimit'>
type DeleteServices = Pick<PostsServices, 'db' | 'blobs' | 'log' | 'now' | 'sendsMail'>

/** Everything about a new post but its image. */
type PostOptions = Omit<NewPost, 'imageId' | 'photo'>

/**
 * Shares an image to the gallery, or returns the author's post of the same image and prompt, so that a client can retry. A
 * photo whose bytes are one of the author's images is that image; any other is an upload. A moderator's mark as sensitive
 * holds whatever `isSensitive` asks for.
 * @throws AppError `not_signed_in` once the account is deleted; `not_found`, `bad_input` or `forbidden` for the image;
 *   `post_limit`; for an upload also see `storeUpload`
 */
export async function createPost(services: CreateServices, author: Viewer, input: NewPost): Promise<Post> {
  if (input.imageId !== undefined) return shareOwnImage(services, author, input, input.imageId)
  if (!input.photo) throw new AppError('bad_input', messages.shareIncomplete)
  const { photo } = input
  return storeUpload(services, author, () => decodeDataUrl(photo), {
    prompt: input.prompt,
    async check(transaction, day) {
      // Checked before decoding; `addPost` consumes it.
      const posts = await readUsage(transaction, userCounter(author.id, 'post', day))
      if (posts >= services.dailyPostLimit) throw new AppError('post_limit')
    },
    useExisting: (imageId) => shareOwnImage(services, author, input, imageId),
    useInserted: (transaction, imageId) => addPost(transaction, services, author, input, imageId),
  })
}

function shareOwnImage(
  services: CreateServices,
  author: Viewer,
  options: PostOptions,
  imageId: string,
): Promise<Post> {
  return inTransactionOf(services, author, async (transaction) => {
    const image = await transaction
      .selectFrom('images')
      .select(['owner_id', 'state', 'sha256'])
      .where('id', '=', imageId)
      // A hidden one is rejected with its reason.
      .where((eb) => eb.or([eb('trashed_at', 'is', null), eb('hidden_at', 'is not', null)]))
      .executeTakeFirst()
    if (!image) throw noSuchImage()
    if (image.owner_id !== author.id) throw new AppError('forbidden', describedDetail('image_of_other_user'))
    if (image.state !== 'succeeded' || image.sha256 === null) {
      throw new AppError('bad_input', describedDetail('image_not_ready'))
    }
    await rejectModeratedImage(transaction, author.id, image.sha256)
    return addPost(transaction, services, author, options, imageId)
  })
}

/**
 * Adds a post in the transaction that verified the image, or returns the one of the same image and prompt, uncounted.
 * @throws AppError `post_limit`; `bad_input` if that has other options
 */
async function addPost(
  transaction: Database,
  { now, dailyPostLimit }: CreateServices,
  author: Viewer,
  options: PostOptions,
  imageId: string,
): Promise<Post> {
  const isMarked = await isMarkedSensitive(transaction, imageId)
  const existing = await findPostOf(transaction, author.id, imageId, options.prompt)
  if (existing) {
    if (hasOptions(existing, isMarked ? { ...options, isSensitive: undefined } : options)) return existing
    throw new AppError('bad_input', describedDetail('shared_with_other_options'))
  }
  const counter = userCounter(author.id, 'post', utcDay(now()))
  if (!(await consumeQuota(transaction, counter, dailyPostLimit))) throw new AppError('post_limit')
  const { name, prompt, hidePrompt = false, isSensitive = false } = options
  const visibility = options.visibility ?? (await readSettings(transaction, author)).defaultVisibility
  const post = {
    id: randomUUID(),
    name,
    prompt,
    visibility,
    hidePrompt,
    isSensitive: isMarked || isSensitive,
    authorId: author.id,
    imageId,
    createdAt: now(),
  }
  await queuePostCreated(transaction, post)
  return insertPost(transaction, post)
}

/** Checks whether a post has all of the options that are asked for. */
function hasOptions(post: Post, { visibility, hidePrompt, isSensitive }: PostOptions): boolean {
  return (
    (visibility ?? post.visibility) === post.visibility &&
    (hidePrompt ?? post.isPromptHidden) === post.isPromptHidden &&
    (isSensitive ?? post.isSensitive) === post.isSensitive
  )
}

/**
 * Deletes a post, and an upload with its last one. A hidden post that its author deletes is kept until an administrator
 * decides. An administrator who deletes another user's post, or a hidden one, deletes its image with all of its posts.
 * @throws AppError `not_found`; `forbidden` unless the viewer is the author or an administrator
 */
export async function deletePost(
  services: DeleteServices,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  const { authorId } = await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    const post = await transaction.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirst()
    if (!post) throw postNotFound()
    await removeFolders(services, transaction, await removePost(services, transaction, viewer, post))
    return { authorId: post.author_id }
  })
  if (authorId !== viewer.id) {
    services.log.info({ postId: id, authorId, administratorId: viewer.id }, 'an administrator deleted a post')
  }
  return { id }
}

/** Removes the rows of a post, and returns the images whose rows it deleted. */
async function removePost(
  services: DeleteServices,
  transaction: Database,
  viewer: Viewer,
  post: Selectable<PostsTable>,
) {
  const now = services.now()
  const isOwn = post.author_id === viewer.id
  const isHidden = post.hidden_at !== null
  if (viewer.role === 'administrator' && (!isOwn || isHidden)) {
    await requireUnblocked(transaction, viewer)
    return deleteModeratedImage(services, transaction, viewer, {
      postId: post.id,
      imageId: post.image_id,
      now,
    })
  }
  if (!isOwn) {
    throw post.visibility === 'private'
      ? postNotFound()
      : new AppError('forbidden', describedDetail('delete_by_author_only'))
  }
  if (post.withdrawn_at !== null || post.trashed_visibility !== null) throw postNotFound()
  if (isHidden) {
    // Kept until an administrator decides.
    await transaction.updateTable('posts').set({ withdrawn_at: now }).where('id', '=', post.id).execute()
    return []
  }
  await transaction.deleteFrom('posts').where('id', '=', post.id).execute()
  return transaction
    .deleteFrom('images')
    .where('id', '=', post.image_id)
    .where('source', '=', 'uploaded')
    .where(hasNoPosts)
    .returning('folder')
    .execute()
}

/**
 * Changes a post of the viewer.
 * @throws AppError `not_found`; `forbidden` for a post of another user, while it is hidden, or to remove a moderator's
 *   mark; `rate_limited`
 */
export async function updatePost(
  { db, now, writeLimits }: Needs<'db' | 'now' | 'writeLimits'>,
  viewer: Viewer,
  changes: PostChanges,
): Promise<PostDetails> {
  const before = await findChangeablePost(db, viewer, changes.id)
  const { search_text, visibility } = changedColumns(before, changes, now())
  if (search_text !== undefined || visibility !== undefined) {
    await writeLimits.indexing.consume(viewer.id, (search_text ?? before.search_text).length)
  }
  await inTransaction(db, async (transaction) => {
    await lockAuthor(transaction, changes.id)
    const post = await findChangeablePost(transaction, viewer, changes.id)
    const isUnmarked = changes.isSensitive === false && post.sensitive === 1
    if (isUnmarked && (await isMarkedSensitive(transaction, post.image_id))) {
      throw new AppError('forbidden', describedDetail('marked_sensitive'))
    }
    await transaction
      .updateTable('posts')
      .set(changedColumns(post, changes, now()))
      .where('id', '=', post.id)
      .execute()
  })
  return (await readPost(db, changes.id, viewer)).post
}

/** Finds a post of the viewer that can be changed. @throws AppError `not_found`, `forbidden` */
async function findChangeablePost(db: Database, viewer: Viewer, id: string): Promise<Selectable<PostsTable>> {
  const post = await db.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!post || post.withdrawn_at !== null || post.trashed_visibility !== null) throw postNotFound()
  const isHidden = post.hidden_at !== null
  if (post.author_id !== viewer.id) {
    throw isHidden || post.visibility === 'private'
      ? postNotFound()
      : new AppError('forbidden', describedDetail('change_by_author_only'))
  }
  if (isHidden) {
    throw new AppError('forbidden', describedDetail('post_hidden'))
  }
  return post
}

/** Unchanged columns that triggers depend on are left out. */
function changedColumns(
  post: Selectable<PostsTable>,
  changes: PostChanges,
  now: number,
): Updateable<PostsTable> {
  const { name = post.name, prompt = post.prompt, visibility = post.visibility } = changes
  const { hidePrompt = post.hide_prompt === 1, isSensitive = post.sensitive === 1 } = changes
  const search_text = searchText(name, hidePrompt ? '' : prompt)
  return {
    name,
    prompt,
    hide_prompt: Number(hidePrompt),
    sensitive: Number(isSensitive),
    ...(search_text !== post.search_text && { search_text }),
    ...(visibility !== post.visibility && { visibility }),
    ...(prompt !== post.prompt && {
      shared_prompt: post.shared_prompt ?? post.prompt,
      prompt_edited_at: now,
    }),
  }
}

/**
 * Likes a post, once per user, or removes the like.
 * @throws AppError `not_found` unless the viewer sees it; `not_signed_in` once the account is deleted
 */
export function setLiked(
  services: Needs<'db' | 'now'>,
  viewer: Viewer,
  id: string,
  isLiked: boolean,
): Promise<PostLikes> {
  return inTransactionOf(services, viewer, async (transaction) => {
    const post = selectVisiblePost(transaction, id, viewer)
    // Deletions of the post wait, as the like refers to it.
    const locked = dialectOf(transaction) === 'postgres' ? post.forKeyShare() : post
    if (!(await locked.executeTakeFirst())) throw postNotFound()
    const like = { post_id: id, user_id: viewer.id }
    const change = isLiked
      ? transaction
          .insertInto('post_likes')
          .values({ ...like, created_at: services.now() })
          .onConflict((conflict) => conflict.doNothing())
      : transaction.deleteFrom('post_likes').where((eb) => eb.and(like))
    await change.execute()
    const { likes } = await transaction
      .selectFrom('posts')
      .innerJoin('post_stats', 'post_stats.seq', 'posts.seq')
      .select('post_stats.likes')
      .where('posts.id', '=', id)
      .executeTakeFirstOrThrow()
    return { likeCount: likes, isLiked }
  })
}

/** Reports a post to the administrators, without the reporter. @throws AppError `not_found`, also for a hidden or private post */
export async function reportPost(
  services: Pick<PostsServices, 'db' | 'log' | 'now' | 'sendsMail'>,
  { id, reason, comment }: z.output<typeof reportInput>,
): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    await requireVisiblePost(transaction, id, null)
    await transaction
      .insertInto('reports')
      .values({ post_id: id, reason, comment, created_at: services.now() })
      .execute()
    await mailModerators(services, transaction)
  })
  services.log.info({ postId: id, reason }, 'a post was reported')
  return { id }
}

import type { PostDetails } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hasNoPosts } from '../images/images.ts'
import type { Needs } from '../images/services.ts'
import { deleteModeratedImage, isMarkedSensitive } from '../images/moderated-images.ts'
import { removeFolders } from '../images/stored-images.ts'
import type { PostChanges } from './inputs.ts'
import { lockAuthor, readPost } from './post-queries.ts'
import { notifyOfRemix } from '../notifications/notify.ts'
import { requireUnblocked } from '../access/user-access.ts'
import { postNotFound } from '../access/visible-post.ts'
import type { Call } from '../procedures/procedures.ts'
import { searchText } from '../text/search-text.ts'
import type { PostsServices } from './services.ts'

/**
 * Changes a post of the viewer.
 * @throws AppError `not_found`; `forbidden` for a post of another user, while it is hidden, or to remove a moderator's
 *   mark; `rate_limited`
 */
export async function updatePost({
  ctx: { services, viewer },
  input: changes,
}: Call<Needs<'db' | 'now' | 'writeLimits'>, PostChanges>): Promise<PostDetails> {
  const { db, now, writeLimits } = services
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
    if (changes.visibility === 'public' && post.visibility !== 'public' && post.parent_id !== null) {
      const actor = { id: viewer.id, name: changes.name ?? post.name }
      await notifyOfRemix(transaction, { id: post.id, parentId: post.parent_id, actor, now: now() })
    }
  })
  return (await readPost(db, changes.id, viewer)).post
}

/** Finds a post of the viewer that can be changed. @throws AppError `not_found`, `forbidden` */
async function findChangeablePost(db: Database, viewer: Viewer, id: string): Promise<RowOf<'posts'>> {
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
function changedColumns(post: RowOf<'posts'>, changes: PostChanges, now: number) {
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

type DeleteServices = Pick<PostsServices, 'db' | 'blobs' | 'log' | 'now' | 'sendsMail'>

/**
 * Deletes a post, and an upload with its last one. A hidden post that its author deletes is kept until an administrator
 * decides. An administrator who deletes another user's post, or a hidden one, deletes its image with all of its posts.
 * @throws AppError `not_found`; `forbidden` unless the viewer is the author or an administrator
 */
export async function deletePost({
  ctx: { services, viewer },
  input: { id },
}: Call<DeleteServices, { readonly id: string }>): Promise<{ id: string }> {
  /** Removes the rows of a post, and returns the images whose rows it deleted. */
  async function removePost(transaction: Database, post: RowOf<'posts'>) {
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
      throw post.visibility === 'private' || (isHidden && viewer.role === 'member')
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

  const { authorId } = await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    const post = await transaction.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirst()
    if (!post) throw postNotFound()
    await removeFolders(services, transaction, await removePost(transaction, post))
    return { authorId: post.author_id }
  })
  if (authorId !== viewer.id) {
    services.log.info({ postId: id, authorId, administratorId: viewer.id }, 'an administrator deleted a post')
  }
  return { id }
}

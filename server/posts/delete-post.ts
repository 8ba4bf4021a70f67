import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hasNoPosts } from '../images/images.ts'
import { removeFolders } from '../images/stored-images.ts'
import { deleteModeratedImage } from '../images/moderated-images.ts'
import { requireUnblocked } from '../access/user-access.ts'
import { lockAuthor } from './post-queries.ts'
import { postNotFound } from '../access/visible-post.ts'
import type { Call } from '../procedures/procedures.ts'
import type { PostsServices } from './services.ts'

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

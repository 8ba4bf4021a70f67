import type { Selectable } from 'kysely'
import type { Logger } from 'pino'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { PostsTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'
import { deleteModeratedImage, withdrawPost } from '../moderation/moderated-images.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { noSuchPost } from './no-such-post.ts'

/**
 * Takes a post out of the gallery. An image that was made here stays among its owner's images; an upload is in its
 * posts only, and is deleted with the last of them. A hidden post is kept for the administrators until one decides.
 *
 * An administrator who deletes another user's post, or one that is hidden, deletes its image with every post that
 * shows it, and that is recorded.
 *
 * @throws AppError `not_found`, or `forbidden` to anybody but its author and administrators
 */
export async function deletePost(
  services: { db: Database; blobs: BlobStore; log: Logger; now: () => number },
  viewer: Viewer,
  input: { id: string },
): Promise<{ id: string }> {
  const { id } = input
  const { authorId, folders } = await services.db.transaction().execute(async (transaction) => {
    const post = await transaction
      .selectFrom('posts')
      .select(['id', 'author_id', 'image_id', 'hidden_at', 'withdrawn_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!post) throw noSuchPost()
    return {
      authorId: post.author_id,
      folders: await removePost(transaction, viewer, post, services.now()),
    }
  })
  if (authorId !== viewer.id) {
    services.log.info({ postId: id, authorId, administratorId: viewer.id }, 'an administrator deleted a post')
  }
  for (const folder of folders) await services.blobs.remove(folder)
  return { id }
}

/** Returns folders of images whose rows are gone. */
async function removePost(
  transaction: Database,
  viewer: Viewer,
  post: Pick<Selectable<PostsTable>, 'id' | 'author_id' | 'image_id' | 'hidden_at' | 'withdrawn_at'>,
  now: number,
): Promise<readonly string[]> {
  const isOwn = post.author_id === viewer.id
  const isHidden = post.hidden_at !== null
  if (viewer.role === 'administrator' && (!isOwn || isHidden)) {
    return deleteModeratedImage(transaction, viewer, post.image_id, now)
  }
  if (!isOwn) throw new AppError('forbidden', 'Only its author can delete a post.')
  if (post.withdrawn_at !== null) throw noSuchPost()
  if (isHidden) {
    await withdrawPost(transaction, post.id, now)
    return []
  }
  await transaction.deleteFrom('posts').where('id', '=', post.id).execute()
  return removeUnusedUpload(transaction, post.image_id)
}

/** Returns the folder of the upload whose row it deleted, if it did. */
async function removeUnusedUpload(transaction: Database, imageId: string): Promise<readonly string[]> {
  const deleted = await transaction
    .deleteFrom('images')
    .where('id', '=', imageId)
    .where('source', '=', 'uploaded')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('id').where('image_id', '=', imageId))),
    )
    .returning('folder')
    .execute()
  return deleted.flatMap(({ folder }) => folder ?? [])
}

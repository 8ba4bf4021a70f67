import type { Selectable, Updateable } from 'kysely'
import type { PostDetails, Visibility } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { PostsTable } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { copyFiles, isPrivateImage, moveIfPrivate, type CopiedFiles } from '../images/private-images.ts'
import { isMarkedSensitive } from '../moderation/set-sensitive.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { lockAuthor, postNotFound } from './post-queries.ts'
import { readPost } from './read-post.ts'
import { searchText } from './search/normalize.ts'

interface UpdatePostServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly writeLimits: Pick<WriteLimits, 'moves'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Changes of a post. Absent fields stay as they are. */
export interface PostChanges {
  readonly id: string
  readonly name?: string | undefined
  readonly prompt?: string | undefined
  readonly visibility?: Visibility | undefined
  readonly hidePrompt?: boolean | undefined
  readonly isSensitive?: boolean | undefined
}

/**
 * Changes a post of the viewer. The recipe keeps the prompt as it was first shared. An image whose posts are all private now
 * moves to a new address, as others may know the former one.
 *
 * @throws AppError `not_found`; `forbidden` for a post of another user, and while an administrator has hidden it,
 *   or to remove an administrator's mark as sensitive; `rate_limited`, `storage_full`, `storage_unavailable` if the image
 *   can't be moved
 */
export async function updatePost(
  services: UpdatePostServices,
  viewer: Viewer,
  changes: PostChanges,
): Promise<PostDetails> {
  const { db, blobs, now } = services
  // Before the transaction, as it takes long. Files left by a crash are orphaned, and removed by the next sweep.
  const copied = changes.visibility === 'private' ? await copyFilesOfPost(services, viewer, changes.id) : null
  let unused = copied?.to ?? null
  try {
    unused = await inTransaction(db, async (transaction) => {
      await lockAuthor(transaction, changes.id)
      const post = await findChangeablePost(transaction, viewer, changes.id)
      if (changes.isSensitive === false && (await isMarkedSensitive(transaction, post))) {
        throw new AppError('forbidden', describedDetail('marked_sensitive'))
      }
      await transaction
        .updateTable('posts')
        .set(changedColumns(post, changes, now()))
        .where('id', '=', post.id)
        .execute()
      return copied && moveIfPrivate(transaction, blobs, post.image_id, copied)
    })
  } finally {
    if (unused !== null) await blobs.remove(unused)
  }
  return (await readPost(db, changes.id, viewer)).post
}

/** Copies the files of a post's image, unless it is private already or its files are lost. */
async function copyFilesOfPost(
  { db, blobs, writeLimits }: UpdatePostServices,
  viewer: Viewer,
  postId: string,
): Promise<CopiedFiles | null> {
  const post = await findChangeablePost(db, viewer, postId)
  const image = await db
    .selectFrom('images')
    .select('folder')
    .where('id', '=', post.image_id)
    .where((eb) => eb.not(isPrivateImage(eb)))
    .executeTakeFirst()
  if (!image?.folder) return null
  await writeLimits.moves.consume(viewer.id)
  return copyFiles(blobs, image.folder)
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

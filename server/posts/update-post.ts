import type { Updateable } from 'kysely'
import type { PostDetails } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf, Schema } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { Needs } from '../images/services.ts'
import { isMarkedSensitive } from '../images/moderated-images.ts'
import type { PostChanges } from './inputs.ts'
import { lockAuthor, readPost } from './post-queries.ts'
import { notifyOfRemix } from '../notifications/notify.ts'
import { postNotFound } from '../access/visible-post.ts'
import type { Call } from '../procedures/procedures.ts'
import { searchText } from '../text/search-text.ts'

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
function changedColumns(
  post: RowOf<'posts'>,
  changes: PostChanges,
  now: number,
): Updateable<Schema['posts']> {
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

import type { ModerationAction } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { postNotFound } from '../posts/post-queries.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { hideImage, unhideImage } from './moderated-images.ts'
import { recordModeration } from './moderation-log.ts'

/** Actions on a post that stays. */
export type Judgement = Exclude<ModerationAction, 'delete'>

/**
 * Hides a post with its image and every other post of that image, shows them again, or dismisses the reports of the
 * post. Doing it twice does it, and records it, once.
 *
 * @throws AppError `not_found`
 */
export async function judgePost(
  services: { db: Database; blobs: BlobStore; now: () => number },
  administrator: Viewer,
  { id, action }: { readonly id: string; readonly action: Judgement },
): Promise<{ id: string }> {
  const now = services.now()
  const folders = await services.db.transaction().execute(async (transaction) => {
    const post = await transaction
      .selectFrom('posts')
      .select(['id', 'image_id', 'hidden_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!post) throw postNotFound()
    if (await isDone(transaction, post, action)) return []
    await recordModeration(transaction, administrator, { action, postIds: [id], now })
    return carryOut(transaction, post, action, now)
  })
  for (const folder of folders) await services.blobs.remove(folder)
  return { id }
}

interface JudgedPost {
  readonly id: string
  readonly image_id: string
  readonly hidden_at: number | null
}

async function isDone(transaction: Database, post: JudgedPost, action: Judgement): Promise<boolean> {
  switch (action) {
    case 'hide':
      return post.hidden_at !== null
    case 'unhide':
      return post.hidden_at === null
    case 'dismiss': {
      const reports = transaction.selectFrom('reports').select('seq').where('post_id', '=', post.id)
      return (await reports.executeTakeFirst()) === undefined
    }
  }
}

/** Returns folders of images whose rows are gone. */
async function carryOut(
  transaction: Database,
  post: JudgedPost,
  action: Judgement,
  now: number,
): Promise<readonly string[]> {
  switch (action) {
    case 'hide':
      await hideImage(transaction, post.image_id, now)
      return []
    case 'unhide':
      return unhideImage(transaction, post.image_id)
    case 'dismiss':
      await transaction.deleteFrom('reports').where('post_id', '=', post.id).execute()
      return []
  }
}

import { randomUUID } from 'node:crypto'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { nextPostSeq } from '../db/sqlite/post-index.ts'
import { AppError } from '../errors/app-error.ts'
import { dailyUsage, consumeDailyQuota } from '../images/daily-usage.ts'
import { noSuchImage } from '../images/own-image.ts'
import { utcDay } from '../images/utc-day.ts'
import { rejectModeratedImage } from '../moderation/moderated-images.ts'
import { requireOpenAccount } from '../users/closed-accounts.ts'
import { selectPosts, toPost } from './post-row.ts'
import { searchText } from './search/normalize.ts'

/** What its author wrote for a post. */
export interface PostText {
  readonly name: string
  readonly prompt: string
}

interface ShareImageServices {
  readonly now: () => number
  readonly dailyPostLimit: number
}

/**
 * Shares an image that its author names or has sent the bytes of.
 *
 * @throws AppError `not_signed_in` once the account is deleted, `not_found`, `forbidden`, also for a hidden image,
 *   `bad_input` for one that is not ready, `post_limit`
 */
export function shareOwnImage(
  services: ShareImageServices & { readonly db: Database },
  author: Viewer,
  text: PostText,
  imageId: string,
): Promise<Post> {
  return services.db.transaction().execute(async (transaction) => {
    await requireOpenAccount({ ...services, db: transaction }, author)
    await requireShareableImage(transaction, author, imageId)
    return shareImage(transaction, services, author, text, imageId)
  })
}

async function requireShareableImage(transaction: Database, author: Viewer, imageId: string): Promise<void> {
  const image = await transaction
    .selectFrom('images')
    .select(['owner_id', 'state', 'sha256'])
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (!image) throw noSuchImage()
  if (image.owner_id !== author.id) throw new AppError('forbidden', 'This image belongs to somebody else.')
  if (image.state !== 'ready' || image.sha256 === null) {
    throw new AppError('bad_input', 'This image is not ready to be shared.')
  }
  await rejectModeratedImage(transaction, author.id, image.sha256)
}

/**
 * Shares one of the author's images and reads the post back as visitors see it. One image and prompt make one post: to
 * share them again, as a retry does, returns the post that exists and leaves the day's quota alone. The name that it
 * was shared under first stays.
 *
 * @param transaction the one that also found that the image may be shared
 * @throws AppError `post_limit`
 */
export async function shareImage(
  transaction: Database,
  { now, dailyPostLimit }: ShareImageServices,
  author: Viewer,
  { name, prompt }: PostText,
  imageId: string,
): Promise<Post> {
  const existing = await selectPosts(transaction)
    .where('posts.image_id', '=', imageId)
    .where('posts.author_id', '=', author.id)
    .where('posts.prompt', '=', prompt)
    // Version 0.1 allowed several.
    .orderBy('posts.seq', 'desc')
    .executeTakeFirst()
  if (existing) return toPost(existing)

  const day = utcDay(now())
  if (!(await consumeDailyQuota(transaction, author.id, 'post', day, dailyPostLimit))) {
    throw postLimitReached(dailyPostLimit)
  }
  const id = randomUUID()
  const search_text = searchText(name, prompt)
  await transaction
    .insertInto('posts')
    .values({
      seq: nextPostSeq(search_text),
      id,
      author_id: author.id,
      image_id: imageId,
      name,
      prompt,
      search_text,
      created_at: now(),
    })
    .execute()
  return toPost(await selectPosts(transaction).where('posts.id', '=', id).executeTakeFirstOrThrow())
}

/**
 * Verifies that a new post still fits into the author's day, before costly work for it. `shareImage` has the last word.
 *
 * @throws AppError `post_limit`
 */
export async function requirePostQuota(
  { db, now, dailyPostLimit }: ShareImageServices & { readonly db: Database },
  author: Viewer,
): Promise<void> {
  const used = await dailyUsage(db, author.id, 'post', utcDay(now()))
  if (used >= dailyPostLimit) throw postLimitReached(dailyPostLimit)
}

function postLimitReached(limit: number): AppError {
  const posts = `${limit.toLocaleString('en')} ${limit === 1 ? 'post' : 'posts'}`
  return new AppError('post_limit', `You have reached your daily limit of ${posts}.`)
}

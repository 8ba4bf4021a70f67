import { sql, type Insertable, type RawBuilder } from 'kysely'
import { postNotFound } from '../access/visible-post.ts'
import type { HiddenNotice } from '../../shared/moderation.ts'
import { selectDecisions, toDecision } from '../audit/moderation-log.ts'
import type { Author, Post, PostDetails } from '../../shared/posts.ts'
import type { Recipe } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { isListed, postNumber } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { pageTextBytes, sizedRows, textBytes } from '../db/pagination.ts'
import { countRows, hasRows } from '../db/rows.ts'
import type { Schema } from '../db/schema.ts'
import { lockUser } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import {
  type ImageRow,
  credentialsPath,
  engineKindOf,
  isAiMade,
  marksOf,
  recipeOf,
} from '../images/images.ts'
import { photoPath } from '../../shared/image-files.ts'
import { notifyOfRemix } from '../notifications/notify.ts'
import { isoTime } from '../text/iso-time.ts'
import type { CreatedPost } from '../webhooks/webhook-events.ts'
import { searchText } from '../text/search-text.ts'

/** Columns of a post's image that `toPost` needs. Triggers count changes of them as changes of the gallery. */
const imageColumns = [
  'images.folder',
  'images.width',
  'images.height',
  'images.placeholder',
  'images.source',
  'images.engine',
  'images.engine_kind',
  'images.credentials',
  'images.prompt as image_prompt',
  'images.marks',
] as const

/** Selects posts with the columns of their images and their likes that `toPost` needs. */
export function selectPosts(db: Database) {
  return db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .leftJoin('post_stats', 'post_stats.seq', 'posts.seq')
    .select([
      'posts.seq',
      'posts.id',
      'posts.author_id',
      'posts.name',
      'posts.prompt',
      'posts.shared_prompt',
      'posts.created_at',
      'posts.visibility',
      'posts.hide_prompt',
      'posts.sensitive',
      'post_stats.likes',
      ...imageColumns,
    ])
}

export type PostRow = Awaited<ReturnType<ReturnType<typeof selectPosts>['executeTakeFirstOrThrow']>>

/** Checks whether visitors may read the prompt of the image, which the file of an engine may contain. */
function showsImagePrompt(row: Pick<PostRow, 'hide_prompt' | 'shared_prompt' | 'prompt' | 'image_prompt'>) {
  return row.hide_prompt === 0 && (row.shared_prompt ?? row.prompt) === row.image_prompt
}

/** Converts a row to the post that visitors see. */
export function toPost(row: Omit<PostRow, 'seq'>): Post {
  if (row.folder === null || row.width === null || row.height === null) {
    throw new Error(`The image of post ${row.id} has no files.`)
  }
  return {
    id: row.id,
    name: row.name,
    prompt: row.hide_prompt ? '' : row.prompt,
    isPromptHidden: row.hide_prompt === 1,
    photo: photoPath(row.folder),
    credentialsUrl: showsImagePrompt(row) ? credentialsPath(row) : null,
    isAiMade: isAiMade(row),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder ?? '',
    source: row.source,
    engine: row.engine,
    engineKind: engineKindOf(row),
    authorId: row.author_id,
    likeCount: row.likes ?? 0,
    visibility: row.visibility,
    isSensitive: row.sensitive === 1,
    createdAt: isoTime(row.created_at),
  }
}

/**
 * Reads at most `limit` posts, by their `seq` and what they are ranked by, highest first: at least one, and no more than the size of
 * their texts allows.
 *
 * @param places selects one more than the limit, if there are
 * @returns also the place of the last one if there are more
 */
export async function readPlaces(
  db: Database,
  places: RawBuilder<{ seq: number }>,
  rankedBy: 'likes' | 'position',
  limit: number,
) {
  const ranked = sql<{
    seq: number
    rank: number
  }>`(SELECT seq, ${sql.ref(rankedBy)} AS rank FROM (${places}) AS found)`
  const candidates = db
    .selectFrom(ranked.as('places'))
    .innerJoin('posts', 'posts.seq', 'places.seq')
    .select(['places.seq', 'places.rank', textBytes('posts.name', 'posts.prompt').as('bytes')])
  const sized = sizedRows(db, candidates, sql`rank DESC, seq DESC`).select(sql<number>`rank`.as('rank'))
  const rows = await selectPosts(db)
    .innerJoin(sized.as('sized'), 'sized.seq', 'posts.seq')
    .select(['sized.found', 'sized.rank'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy('sized.rank', 'desc')
    .orderBy('posts.seq', 'desc')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  return { posts: rows.map(toPost), last: last && last.found > rows.length ? last : null }
}

/** Serializes the write transactions about a post, its image and its author, see `lockUser`. @throws AppError `not_found` */
export async function lockAuthor(transaction: Database, postId: string): Promise<void> {
  const post = await transaction
    .selectFrom('posts')
    .select('author_id')
    .where('id', '=', postId)
    .executeTakeFirstOrThrow(postNotFound)
  await lockUser(transaction, post.author_id)
}

/** Finds the author's newest post of an image and prompt, now or before it was edited; version 0.1 allowed several. */
export async function findPostOf(
  db: Database,
  authorId: string,
  imageId: string,
  prompt: string,
): Promise<Post | null> {
  const row = await selectPosts(db)
    .where('posts.image_id', '=', imageId)
    .where('posts.author_id', '=', authorId)
    .where(({ eb, or }) => or([eb('posts.prompt', '=', prompt), eb('posts.shared_prompt', '=', prompt)]))
    .orderBy('posts.seq', 'desc')
    .executeTakeFirst()
  return row ? toPost(row) : null
}

/** Inserts a post as the last statement of its transaction, and returns it as visitors see it. */
export async function insertPost(db: Database, post: CreatedPost): Promise<Post> {
  const image = await db
    .selectFrom('images')
    .select([...imageColumns, 'images.remix_of'])
    .where('id', '=', post.imageId)
    .executeTakeFirstOrThrow()
  if (image.remix_of !== null && post.visibility === 'public') {
    const { id, authorId, name, createdAt: now } = post
    await notifyOfRemix(db, { id, parentId: image.remix_of, actor: { id: authorId, name }, now })
  }
  const columns = {
    id: post.id,
    author_id: post.authorId,
    name: post.name,
    prompt: post.prompt,
    created_at: post.createdAt,
    visibility: post.visibility,
    shared_prompt: null,
    hide_prompt: Number(post.hidePrompt),
    sensitive: Number(post.isSensitive),
  }
  const search_text = searchText(post.name, post.hidePrompt ? '' : post.prompt)
  await db
    .insertInto('posts')
    .values({
      ...columns,
      ...postNumber(db, search_text),
      image_id: post.imageId,
      search_text,
      parent_id: image.remix_of,
    })
    .execute()
  return toPost({ ...columns, ...image, likes: 0 })
}

/** Reads the author of listed posts. @throws AppError `not_found` for an author without any */
export async function readAuthor(db: Database, authorId: string): Promise<Author> {
  const author = await db
    .selectFrom('posts')
    .innerJoin('author_totals', 'author_totals.author_id', 'posts.author_id')
    .select(['posts.name', 'author_totals.posts'])
    .where('posts.author_id', '=', authorId)
    .where(isListed())
    .orderBy('posts.seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => new AppError('not_found', describedDetail('author_not_found')))
  return { authorId, ...author }
}

/**
 * Reads a post with its image's row, and a recipe with the prompt as it was first shared and no other images. Private posts
 * and hidden prompts are for the author, hidden posts for the author and moderators; without a viewer it is as every visitor
 * sees it.
 * @throws AppError `not_found`, also for a post that the viewer must not see
 */
export async function readPost(
  db: Database,
  id: string,
  viewer: Pick<Viewer, 'id' | 'role'> | null,
): Promise<{ readonly post: PostDetails; readonly image: ImageRow }> {
  const row = await selectPosts(db)
    .select(['posts.image_id', 'posts.prompt_edited_at', 'posts.parent_id'])
    .select(['posts.hidden_at', 'posts.withdrawn_at', 'images.hidden_at as image_hidden_at'])
    .where('posts.id', '=', id)
    .where('images.trashed_at', 'is', null)
    .executeTakeFirstOrThrow(postNotFound)
  const isOwn = row.author_id === viewer?.id
  const isHidden = row.hidden_at !== null || row.image_hidden_at !== null
  const isModerated = isHidden && viewer !== null && viewer.role !== 'member'
  if (isHidden && !isModerated && (!isOwn || row.withdrawn_at !== null)) throw postNotFound()
  if (row.visibility === 'private' && !isOwn && !isModerated) throw postNotFound()
  const images = db.selectFrom('images').selectAll()
  const image = await images.where('id', '=', row.image_id).executeTakeFirstOrThrow(postNotFound)
  // The link to an unlisted one is for those who have it.
  const listedPosts = db.selectFrom('posts').where(isListed())
  const hasParent =
    row.parent_id !== null && hasRows(listedPosts.select('id').where('id', '=', row.parent_id))
  const parent = (await hasParent) ? row.parent_id : null
  const likes = db.selectFrom('post_likes').select('post_id').where('post_id', '=', id)
  const post = toPost(isOwn ? { ...row, hide_prompt: 0 } : row)
  const recipe = recipeOf(image)
  return {
    post: {
      ...post,
      isPromptHidden: row.hide_prompt === 1,
      recipe:
        recipe &&
        toPublicRecipe(recipe, post.isPromptHidden ? null : (row.shared_prompt ?? row.prompt), parent),
      marks: marksOf(image),
      original: image.original_id && ((await findListedPost(db, image.original_id))?.id ?? null),
      parent,
      isRemix: row.parent_id !== null,
      remixCount: await countRows(listedPosts.where('parent_id', '=', id)),
      promptEditedAt: isoTime(row.prompt_edited_at),
      isLiked: viewer !== null && (await hasRows(likes.where('user_id', '=', viewer.id))),
      hidden: isHidden ? await readHiddenNotice(db, post) : null,
    },
    image,
  }
}

/** Finds the oldest listed post of an image; null if there is none. */
export async function findListedPost(db: Database, imageId: string): Promise<Post | null> {
  const posts = selectPosts(db).where('posts.image_id', '=', imageId).where(isListed())
  const row = await posts.orderBy('posts.seq').limit(1).executeTakeFirst()
  return row ? toPost(row) : null
}

/** Reads why a post is hidden, with the author's appeal. */
async function readHiddenNotice(db: Database, { id, authorId, createdAt }: Post): Promise<HiddenNotice> {
  const decision = await selectDecisions(db, authorId)
    .where('moderation_log.post_id', '=', id)
    .where('moderation_log.action', '=', 'hide')
    .limit(1)
    .executeTakeFirst()
  const unknown = { postId: id, reasons: [], note: '', createdAt, appeal: null }
  return { state: 'hidden', ...(decision ? toDecision(decision) : unknown) }
}

/** Removes from an owner's recipe what is not for others. @param prompt null if the author hides it */
function toPublicRecipe(own: Recipe, prompt: string | null, parent: string | null): Recipe {
  const { style, sourceImageId: _source, maskImageId: _mask, ...others } = own
  const { parameters = {}, parameterTypes = {}, ...recipe } = others
  const shared = Object.entries(parameters).filter(([name]) => {
    return parameterTypes[name] === undefined || (parameterTypes[name] === 'text' && prompt !== null)
  })
  return {
    ...recipe,
    prompt: prompt ?? '',
    negativePrompt: prompt === null ? '' : recipe.negativePrompt,
    ...(style && prompt !== null && { style }),
    // The words are those of the image's own prompt, which may not have been shared.
    drawnFrom: prompt === recipe.prompt ? recipe.drawnFrom : null,
    notDrawn: prompt === recipe.prompt ? recipe.notDrawn : null,
    referenceImageIds: [],
    ...(shared.length > 0 && { parameters: Object.fromEntries(shared) }),
    remixOf: parent,
  }
}

/** A visible post without a number. */
type NewPost = Pick<
  Insertable<Schema['posts']>,
  'id' | 'author_id' | 'image_id' | 'name' | 'prompt' | 'search_text' | 'created_at'
>

/** Memory in which PostgreSQL sorts the n-grams of a batch. */
const sortMemory = '128MB'

/**
 * Inserts thousands of visible posts in one transaction, the newest last. On PostgreSQL, their n-grams are collected in the
 * pending list of the index and merged at the end, which takes a tenth of the time of adding those of each post.
 */
export async function insertPosts(db: Database, posts: readonly NewPost[]): Promise<void> {
  if (dialectOf(db) === 'sqlite') {
    await db.insertInto('posts').values(posts).execute()
    return
  }
  await db.transaction().execute(async (transaction) => {
    await sql`
      SELECT set_config('gin_pending_list_limit', '1GB', true),
        set_config('maintenance_work_mem', ${sortMemory}, true),
        set_config('statement_timeout', '0', true)`.execute(transaction)
    await sql`ALTER INDEX posts_n_grams SET (fastupdate = on)`.execute(transaction)
    // Numbered here, as the trigger takes longer for each post of a transaction.
    const gallery = transaction.selectFrom('gallery').select('newest').forUpdate()
    const { newest } = await gallery.executeTakeFirstOrThrow()
    const numbered = posts.map((post, index) => Object.assign({ seq: newest + index + 1 }, post))
    await transaction.insertInto('posts').values(numbered).execute()
    await sql`SELECT gin_clean_pending_list('posts_n_grams')`.execute(transaction)
    await sql`ALTER INDEX posts_n_grams SET (fastupdate = off)`.execute(transaction)
  })
}

import type { Recipe } from '../../shared/images.ts'
import type { PostDetails } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageRow } from '../images/images.ts'
import { recipeOf } from '../images/recipe.ts'
import { isLikedBy } from './post-likes.ts'
import { postNotFound, selectPosts, toPost } from './post-queries.ts'

/**
 * Reads a post with the recipe of its image: with the prompt as the post was first shared, and without the author's other
 * images. Private posts, and prompts that are hidden from others, are for the author only.
 *
 * @param viewer null to read it as every visitor sees it, for responses that are shared
 * @returns also the row of the image
 * @throws AppError `not_found`, also if an administrator has hidden it, and for a private post of another user
 */
export async function readPost(
  db: Database,
  id: string,
  viewer: Pick<Viewer, 'id'> | null,
): Promise<{ readonly post: PostDetails; readonly image: ImageRow }> {
  const row = await selectPosts(db)
    .select(['posts.image_id', 'posts.shared_prompt', 'posts.prompt_edited_at', 'posts.parent_id'])
    .where('posts.id', '=', id)
    .where('posts.hidden_at', 'is', null)
    .where('images.hidden_at', 'is', null)
    .where('images.trashed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw postNotFound()
  const isOwn = row.author_id === viewer?.id
  if (row.visibility === 'private' && !isOwn) throw postNotFound()
  const image = await db.selectFrom('images').selectAll().where('id', '=', row.image_id).executeTakeFirst()
  if (!image) throw postNotFound()
  const parent = row.parent_id !== null && (await isListedPost(db, row.parent_id)) ? row.parent_id : null
  const post = toPost(isOwn ? { ...row, hide_prompt: 0 } : row)
  const recipe = recipeOf(image)
  return {
    post: {
      ...post,
      isPromptHidden: row.hide_prompt === 1,
      recipe:
        recipe &&
        toPublicRecipe(recipe, post.isPromptHidden ? null : (row.shared_prompt ?? row.prompt), parent),
      parent,
      isRemix: row.parent_id !== null,
      remixCount: await countRemixes(db, id),
      promptEditedAt: row.prompt_edited_at === null ? null : new Date(row.prompt_edited_at).toISOString(),
      isLiked: viewer !== null && (await isLikedBy(db, id, viewer.id)),
    },
    image,
  }
}

/** Removes from an owner's recipe what is not for others. @param prompt null if the author hides it */
function toPublicRecipe(recipe: Recipe, prompt: string | null, parent: string | null): Recipe {
  return {
    ...recipe,
    prompt: prompt ?? '',
    negativePrompt: prompt === null ? '' : recipe.negativePrompt,
    // The words are those of the image's own prompt, which may not have been shared.
    drawnFrom: prompt === recipe.prompt ? recipe.drawnFrom : null,
    referenceImageIds: [],
    remixOf: parent,
  }
}

/** Checks whether a post is listed: the link to an unlisted one is for those who have it. */
async function isListedPost(db: Database, id: string): Promise<boolean> {
  const post = await db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', id)
    .where(isListed())
    .executeTakeFirst()
  return post !== undefined
}

async function countRemixes(db: Database, id: string): Promise<number> {
  const { remixes } = await db
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number>().as('remixes'))
    .where('parent_id', '=', id)
    .where(isListed())
    .executeTakeFirstOrThrow()
  return remixes
}

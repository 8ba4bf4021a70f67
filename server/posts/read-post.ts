import type { PostDetails } from '../../shared/posts.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageRow } from '../images/images.ts'
import { recipeOf } from '../images/recipe.ts'
import { isVisiblePost, postNotFound, selectPosts, toPost } from './post-queries.ts'

/**
 * Reads a post as every visitor sees it, with the recipe of its image: with the prompt of the post, which may differ, and
 * without the author's other images.
 *
 * @returns also the row of the image
 * @throws AppError `not_found`, also if an administrator has hidden it
 */
export async function readPost(
  db: Database,
  id: string,
): Promise<{ readonly post: PostDetails; readonly image: ImageRow }> {
  const row = await selectPosts(db)
    .select('posts.image_id')
    .where('posts.id', '=', id)
    .where('posts.hidden_at', 'is', null)
    .where('images.hidden_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw postNotFound()
  const image = await db.selectFrom('images').selectAll().where('id', '=', row.image_id).executeTakeFirst()
  if (!image) throw postNotFound()
  const { remix_of: remixOf } = image
  const parent = remixOf !== null && (await isVisiblePost(db, remixOf)) ? remixOf : null
  const recipe = recipeOf(image)
  return {
    post: {
      ...toPost(row),
      recipe: recipe && { ...recipe, prompt: row.prompt, referenceImageIds: [], remixOf: parent },
      parent,
    },
    image,
  }
}

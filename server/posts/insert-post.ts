import { randomUUID } from 'node:crypto'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { selectPosts, toPost } from './post-row.ts'
import { searchText } from './search-text.ts'

/** What its author wrote for a post. */
export interface PostText {
  readonly name: string
  readonly prompt: string
}

/** Writes a post that shows an image of the author's, and reads it back as visitors see it. */
export async function insertPost(
  services: { db: Database; now: () => number },
  author: Viewer,
  { name, prompt }: PostText,
  imageId: string,
): Promise<Post> {
  const id = randomUUID()
  await services.db
    .insertInto('posts')
    .values({
      id,
      author_id: author.id,
      image_id: imageId,
      name,
      prompt,
      search_text: searchText(name, prompt),
      created_at: services.now(),
    })
    .execute()
  return toPost(await selectPosts(services.db).where('posts.id', '=', id).executeTakeFirstOrThrow())
}

import type { Database } from '../../db/open-database.ts'

/** How many posts the gallery shows. */
export async function countPosts(db: Database): Promise<number> {
  const { posts } = await db.selectFrom('gallery').select('posts').executeTakeFirstOrThrow()
  return posts
}

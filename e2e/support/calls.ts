import { createTestClient } from '../../test/support/trpc-client.ts'
import type { Post } from '../../shared/posts.ts'
import type { User } from './user.ts'

export { follow } from '../../test/support/trpc-client.ts'

/** Creates a client for a user who signed up before the server was restarted at another URL. */
export function callAs({ cookie }: User, url: string) {
  const headers = { cookie: `${cookie.name}=${cookie.value}`, origin: url }
  return createTestClient(url, () => headers)
}

/** Returns all posts of the gallery by id. */
export async function everyPost(url: string, user: User): Promise<Map<string, Post>> {
  const trpc = callAs(user, url)
  const found = new Map<string, Post>()
  let cursor: string | null = null
  do {
    const page = await trpc.posts.list.query({ limit: 1_000, ...(cursor !== null && { cursor }) })
    for (const post of page.posts) found.set(post.id, post)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

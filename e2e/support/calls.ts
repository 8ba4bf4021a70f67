import { createTRPCClient, httpBatchStreamLink } from '@trpc/client'
import type { AppRouter } from '../../server/trpc/router.ts'
import type { GenerationEvent } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import type { User } from './user.ts'

/** Calls a server as a user who signed up at an earlier server of its folder. */
export function callAs({ cookie }: User, url: string) {
  const headers = { cookie: `${cookie.name}=${cookie.value}`, origin: url }
  return createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: `${url}/trpc`, headers })] })
}

/** Reads what is told of an image in the making as it comes. */
export function follow(stream: Promise<AsyncIterable<GenerationEvent>>) {
  const events: GenerationEvent[] = []
  async function read(): Promise<void> {
    for await (const event of await stream) events.push(event)
  }
  const ended = read()
  // Whoever does not care how it ended need not look.
  ended.catch(() => {})
  return { ended, types: () => events.map(({ type }) => type) }
}

/** Every post of the gallery, by its id. */
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

import type { BrowserContext } from 'playwright-core'
import type { SucceededImage } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import { createTestClient, generateImage, type TestClient } from '../../test/support/trpc-client.ts'

export { follow } from '../../test/support/trpc-client.ts'

/** Password of every test user. */
export const password = 'correct horse'

/** A user with an account, who can also call the server without a browser. */
export interface TestUser {
  readonly name: string
  readonly email: string
  readonly trpc: TestClient
  generate(prompt: string): Promise<SucceededImage>
  /** Shares a post. All posts of a user share one image. */
  share(prompt: string, name?: string): Promise<Post>
  /** Signs the user in, in a browser. */
  enter(context: BrowserContext): Promise<void>
}

/** A user with a local account. */
export interface User extends TestUser {
  /** Cookie of the session that sign-up created. */
  readonly cookie: { readonly name: string; readonly value: string }
}

/** Four digits, so that emails sort as they were created. */
let users = 1_000

/**
 * Signs up from a unique address. Requires TRUST_PROXY=1.
 *
 * @param process where to sign up, past the load balancer at `url`, which would replace the address
 */
export async function signUp(url: string, name = 'Asha Rao', process = url): Promise<User> {
  users += 1
  const email = `user-${users}@example.org`
  const response = await fetch(`${process}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': `10.1.${users >> 8}.${users & 255}`,
    },
    body: JSON.stringify({ name, email, password }),
  })
  if (!response.ok) throw new Error(`Sign-up failed: ${response.status} ${await response.text()}`)
  const [, cookieName = '', value = ''] =
    /^([^=]+)=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? '') ?? []
  const headers = { cookie: `${cookieName}=${value}`, origin: url }
  const cookie = { name: cookieName, value }
  return {
    ...userWith({ name, email, url, headers: () => headers }),
    cookie,
    enter: (context) => context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }]),
  }
}

/** Creates the calls of a user, given the headers that authenticate them. */
export function userWith(facts: {
  readonly name: string
  readonly email: string
  readonly url: string
  readonly headers: () => Record<string, string>
}): Omit<TestUser, 'enter'> {
  const { name, email, url, headers } = facts
  const trpc = createTestClient(url, headers)
  let image: Promise<SucceededImage> | undefined

  const generate = (prompt: string) => generateImage(trpc, prompt)

  return {
    name,
    email,
    trpc,
    generate,
    async share(prompt, author = name) {
      image ??= generate(prompt)
      return trpc.posts.create.mutate({ name: author, prompt, imageId: (await image).id })
    },
  }
}

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

import type { BrowserContext } from 'playwright-core'
import type { SucceededImage } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import { createTestClient, generateImage, type TestClient } from '../../test/support/trpc-client.ts'

/** The password of everyone here. */
export const password = 'correct horse'

/** TestUser with an account, who also calls the server without a browser. */
export interface TestUser {
  readonly name: string
  readonly email: string
  readonly trpc: TestClient
  generate(prompt: string): Promise<SucceededImage>
  /** Shares a post; its image is the first one that this user shared, made once. */
  share(prompt: string, name?: string): Promise<Post>
  /** Signs them in, in a browser. */
  enter(context: BrowserContext): Promise<void>
  /** Ends all their sessions, and tells no page. */
  endSessions(): Promise<void>
}

/** TestUser whose account the server keeps itself. */
export interface User extends TestUser {
  /** The session that signing up began. */
  readonly cookie: { readonly name: string; readonly value: string }
}

let users = 0

/** Makes an account, from an address of its own; needs TRUST_PROXY=1. */
export async function signUp(url: string, name = 'Asha Rao'): Promise<User> {
  users += 1
  const email = `user-${users}@example.org`
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': `10.1.${users >> 8}.${users & 255}`,
    },
    body: JSON.stringify({ name, email, password }),
  })
  if (!answer.ok) throw new Error(`Sign-up failed: ${answer.status} ${await answer.text()}`)
  const [, cookieName = '', value = ''] =
    /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? []
  const headers = { cookie: `${cookieName}=${value}`, origin: url }
  const cookie = { name: cookieName, value }
  return {
    ...userWith({ name, email, url, headers: () => headers }),
    cookie,
    enter: (context) => context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }]),
    async endSessions() {
      const end = await fetch(`${url}/api/auth/revoke-sessions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })
      if (!end.ok) throw new Error(`The sessions were not ended: ${end.status}`)
    },
  }
}

/** What somebody does at a server, by what their calls carry to be known. */
export function userWith(facts: {
  readonly name: string
  readonly email: string
  readonly url: string
  readonly headers: () => Record<string, string>
}): Omit<TestUser, 'enter' | 'endSessions'> {
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

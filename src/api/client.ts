import { httpBatchStreamLink, httpLink, retryLink, splitLink } from '@trpc/client'
import { endWhenSilent } from './end-when-silent.ts'
import { describeFailure } from './failure.ts'
import { NoResponse } from './no-answer.ts'
import type { SessionTokens } from './session-tokens.ts'
import { trpc } from './trpc.ts'

/** Queries whose answer is the same for everyone; without credentials, so that caches may keep it. */
const publicQueries: ReadonlySet<string> = new Set(['posts.list'])

/** Calls whose answer comes bit by bit, for as long as an image takes. */
const longStreams: ReadonlySet<string> = new Set(['images.generate', 'images.watch'])

/** The server says something every ten seconds, in milliseconds; nothing for this long is a dead connection. */
const longestSilence = 35_000

let hasWritten = false

/**
 * From now on this page asks the server itself for its lists, not an HTTP cache, which may still hold the
 * list from before what this user just shared or deleted.
 */
export function bypassHttpCache(): void {
  hasWritten = true
}

async function reach(url: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    throw new NoResponse('The server did not answer', { cause })
  }
}

/** The tRPC client of this page; on the server it only has to exist, since rendering calls nothing. */
export function createApiClient(tokens: SessionTokens) {
  async function headers(): Promise<Record<string, string>> {
    const token = await tokens.read()
    return token === null ? {} : { authorization: `Bearer ${token}` }
  }

  return trpc.createClient({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'query' && publicQueries.has(operation.path),
        true: httpLink({
          url: '/trpc',
          fetch: (url, init) =>
            reach(url, {
              ...init,
              credentials: 'omit',
              cache: hasWritten ? 'no-cache' : 'default',
            } as RequestInit),
        }),
        false: [
          retryLink({
            // A token may expire on its way: the call is made once more, with another.
            retry: ({ attempts, error }) =>
              attempts === 1 && describeFailure(error).reason === 'not_signed_in' && tokens.replace(),
          }),
          splitLink({
            condition: (operation) => longStreams.has(operation.path),
            // A stream to itself: leaving it ends its request, and nothing waits for it.
            true: httpBatchStreamLink({
              url: '/trpc',
              maxItems: 1,
              headers,
              fetch: async (url, init) =>
                endWhenSilent(await reach(url, init as RequestInit), longestSilence),
            }),
            false: httpBatchStreamLink({
              url: '/trpc',
              headers,
              fetch: (url, init) => reach(url, init as RequestInit),
            }),
          }),
        ],
      }),
    ],
  })
}

import { httpBatchStreamLink, httpLink, httpSubscriptionLink, retryLink, splitLink } from '@trpc/client'
import { LazyEventSource, loadEventSource } from './event-source.ts'
import { describeFailure } from './failure.ts'
import { NoResponse } from './no-answer.ts'
import type { SessionTokens } from './session-tokens.ts'
import { trpc } from './trpc.ts'

/** Queries whose response is the same for everyone. They carry no credentials, so that caches may store it. */
const publicQueries: ReadonlySet<string> = new Set(['posts.list'])

let hasWritten = false

/**
 * Makes later requests for lists revalidate. The HTTP cache may still hold a list from before what this user just shared
 * or deleted.
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

/** Creates the tRPC client of this page. On the server it only has to exist, since rendering calls nothing. */
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
            // A token may expire on its way: the call is repeated once, with a fresh one.
            retry: ({ attempts, error }) =>
              attempts === 1 && describeFailure(error).reason === 'not_signed_in' && tokens.replace(),
          }),
          splitLink({
            condition: (operation) => operation.type === 'subscription',
            true: httpSubscriptionLink({
              url: '/trpc',
              EventSource: LazyEventSource,
              eventSourceOptions: async () => {
                await loadEventSource()
                return {
                  fetch: async (url, init) =>
                    reach(url, { ...init, headers: { ...init.headers, ...(await headers()) } }),
                }
              },
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

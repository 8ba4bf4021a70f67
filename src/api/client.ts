import { httpBatchStreamLink, httpLink, splitLink } from '@trpc/client'
import { NoAnswer } from './no-answer.ts'
import { trpc } from './trpc.ts'

/** Queries whose answer is the same for everyone; without credentials, so that caches may keep it. */
const publicQueries: ReadonlySet<string> = new Set(['posts.list'])

let hasWritten = false

/**
 * From now on this page asks the server itself for its lists, not an HTTP cache, which may still hold the
 * list from before what this person just shared or deleted.
 */
export function bypassHttpCache(): void {
  hasWritten = true
}

async function reach(url: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    throw new NoAnswer('The server did not answer', { cause })
  }
}

/** The tRPC client of this page; on the server it only has to exist, since rendering calls nothing. */
export function createApiClient() {
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
        false: httpBatchStreamLink({
          url: '/trpc',
          fetch: (url, init) => reach(url, init as RequestInit),
        }),
      }),
    ],
  })
}

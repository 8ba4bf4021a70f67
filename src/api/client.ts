import { httpBatchLink, httpLink, retryLink, splitLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/trpc/router.ts'
import { loadOtherMessages } from '../i18n/messages.ts'
import { describeFailure, NoResponse } from './failure.ts'
import type { SessionTokens } from './session-tokens.ts'
import { trpc } from './trpc.ts'

let hasWritten = false

/**
 * Makes later requests for lists revalidate. The HTTP cache may still hold a list that is older than the user's last
 * write.
 */
export function bypassHttpCache(): void {
  hasWritten = true
}

/** @param init options of `fetch`, as tRPC declares them */
async function fetchOrThrow(url: RequestInfo | URL, init?: object): Promise<Response> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new NoResponse('The server did not respond', { cause })
  })
  // Those of errors, with one for several calls if only some of them have failed. Without them, errors are in English.
  if (response.status !== 200) await loadOtherMessages().catch(() => {})
  return response
}

/** Creates the tRPC client of this page, and a function that sets the tokens of its calls. Rendering on the server makes no calls. */
export function createApiClient() {
  /** Null while the user is signed out, and if the session is a cookie. */
  let tokens: SessionTokens | null = null

  async function headers(): Promise<Record<string, string>> {
    const token = await tokens?.read()
    return token ? { authorization: `Bearer ${token}` } : {}
  }

  /** Loads the link of subscriptions before the first one, which few visitors open. */
  const subscriptions: TRPCLink<AppRouter> = (runtime) => (operation) =>
    observable((observer) => {
      const subscription = import('./subscription-link.ts')
        .then(({ subscriptionLink }) => {
          const link = subscriptionLink(async (url, init) =>
            fetchOrThrow(url, { ...init, headers: { ...init.headers, ...(await headers()) } }),
          )
          return link(runtime)(operation).subscribe(observer)
        })
        .catch((cause: unknown) => {
          observer.error(TRPCClientError.from(new NoResponse('Subscriptions could not be loaded', { cause })))
        })
      return () => void subscription.then((it) => it?.unsubscribe())
    })

  const client = trpc.createClient({
    links: [
      splitLink({
        // The same for everyone, but for the posts of a collection: without credentials, so that caches may store it.
        condition: ({ type, path, input }) =>
          type === 'query' &&
          path === 'posts.list' &&
          !(input as { collectionId?: string } | undefined)?.collectionId,
        true: httpLink({
          url: '/trpc',
          fetch: (url, init) =>
            fetchOrThrow(url, {
              ...init,
              credentials: 'omit',
              cache: hasWritten ? 'no-cache' : 'default',
            }),
        }),
        false: [
          retryLink({
            // A token may expire in transit: repeats the call once with a fresh one.
            retry({ attempts, error }) {
              if (attempts > 1 || describeFailure(error).reason !== 'not_signed_in') return false
              tokens?.invalidate()
              return tokens !== null
            },
          }),
          splitLink({
            condition: (operation) => operation.type === 'subscription',
            true: subscriptions,
            false: splitLink({
              condition: ({ input }) => input instanceof FormData,
              true: httpLink({ url: '/trpc', headers, fetch: fetchOrThrow }),
              false: httpBatchLink({ url: '/trpc', headers, fetch: fetchOrThrow }),
            }),
          }),
        ],
      }),
    ],
  })

  return {
    client,
    setTokens(next: SessionTokens | null) {
      tokens = next
    },
  }
}

export type SetTokens = ReturnType<typeof createApiClient>['setTokens']

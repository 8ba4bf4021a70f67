import {
  createTRPCClient,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
  TRPCClientError,
  type TRPCClient,
} from '@trpc/client'
import { EventSource } from 'eventsource'
import type { FailureData } from '../../shared/errors.ts'
import type { AppRouter } from '../trpc/router.ts'

/**
 * Typed client of a Rangoli site.
 *
 * @example
 * const { posts } = await client.posts.list.query({ search: 'lotus' })
 */
export type RangoliClient = TRPCClient<AppRouter>

export interface RangoliOptions {
  /** Address of the site, such as `https://images.example.org`. */
  readonly url: string | URL
  /** Bearer token, or a function that returns one for each request. Without a token, only public calls succeed. */
  readonly token?: string | (() => string | null | Promise<string | null>) | undefined
  /** Replacement for the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Error response of the site: `data.reason` is for programs, `message` for users. */
export type RangoliError = TRPCClientError<AppRouter> & { readonly data: FailureData }

/** Maximum number of calls in one request. */
const batchSizeMax = 100

/** Maximum length of the URL of several calls, in characters. Proxies accept less than the site. */
const urlLengthMax = 12_000

/** Calls with large responses, each sent in its own request, as the server limits the work of one request. */
const unbatched: ReadonlySet<string> = new Set(['account.export'])

/** Maximum `limit` of a list that may be batched. A batch of 100 such lists is within the server's limit. */
const batchedListLimitMax = 24

/** Maximum length of a search term that may be batched, in UTF-16 code units: each may take nine characters of a URL. */
const batchedSearchMax = 1_000

function isUnbatched(path: string, input: unknown): boolean {
  const { limit = 0, search } = (input ?? {}) as { limit?: number; search?: string | null }
  return unbatched.has(path) || limit > batchedListLimitMax || (search?.length ?? 0) > batchedSearchMax
}

/** Addresses of the sites of clients. A client itself has no property but its procedures. */
const siteUrls = new WeakMap<RangoliClient, URL>()

/**
 * Returns the address of a client's site.
 *
 * @throws TypeError if `createRangoliClient` has not created the client
 */
export function siteUrlOf(client: RangoliClient): URL {
  const url = siteUrls.get(client)
  if (!url) throw new TypeError('Create the client with createRangoliClient.')
  return url
}

/**
 * Creates a client of a Rangoli site, for Node, other servers and browsers of any origin.
 *
 * @throws TypeError if `url` is not a valid URL
 */
export function createRangoliClient({ url, token, fetch }: RangoliOptions): RangoliClient {
  const options = {
    url: new URL('/trpc', url).href,
    async headers(): Promise<Record<string, string>> {
      const bearer = typeof token === 'function' ? await token() : token
      return bearer ? { authorization: `Bearer ${bearer}` } : {}
    },
    ...(fetch && { fetch: (address: string | URL | Request, init?: object) => fetch(address, init) }),
  }
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: options.url,
          EventSource,
          // The platform's EventSource can't send headers.
          eventSourceOptions: {
            fetch: async (address, init) => {
              const send = fetch ?? globalThis.fetch
              return send(address, { ...init, headers: { ...init.headers, ...(await options.headers()) } })
            },
          },
        }),
        false: splitLink({
          // Uploads are binary.
          condition: ({ path, input }) => isNonJsonSerializable(input) || isUnbatched(path, input),
          true: httpLink(options),
          false: httpBatchStreamLink({ ...options, maxItems: batchSizeMax, maxURLLength: urlLengthMax }),
        }),
      }),
    ],
  })
  siteUrls.set(client, new URL(url))
  return client
}

/** Checks whether an error is a response of the site, and not for example a failed connection. */
export function isRangoliError(error: unknown): error is RangoliError {
  if (!(error instanceof TRPCClientError)) return false
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'reason' in data && 'httpStatus' in data
}

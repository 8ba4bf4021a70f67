import {
  createTRPCClient,
  httpBatchStreamLink,
  splitLink,
  TRPCClientError,
  type TRPCClient,
} from '@trpc/client'
import type { FailureData } from '../../shared/errors.ts'
import type { AppRouter } from '../trpc/router.ts'

export type { AccountData } from '../../shared/account.ts'
export type { ErrorCode, FailureData } from '../../shared/errors.ts'
export type { GenerationEvent, Image, ImagePage, Quota, ReadyImage } from '../../shared/images.ts'
export type { Post, PostPage } from '../../shared/posts.ts'
export type { Viewer } from '../../shared/viewer.ts'
export type { AppRouter }

/** Every call of a Rangoli site, typed: `client.posts.list.query({ search: 'lotus' })`. */
export type RangoliClient = TRPCClient<AppRouter>

export interface RangoliOptions {
  /** Where the site is, such as `https://pictures.example.org`. */
  readonly url: string | URL
  /** Who calls: a bearer token, or what gives one for each request. Without one only public calls succeed. */
  readonly token?: string | (() => string | null | Promise<string | null>) | undefined
  /** What sends requests; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** A call that the site answered with a failure: `data.reason` is for programs, `message` for users. */
export type RangoliError = TRPCClientError<AppRouter> & { readonly data: FailureData }

/** The most calls that one request may hold. */
const callsOfABatch = 100

/** The longest address of a request, in characters; Node's servers take 16 KB of address and headers. */
const longestAddress = 12_000

/**
 * Calls that get a request to themselves. Streams: leaving one ends its request, and nothing waits for it. And what
 * answers megabytes: a request may ask for so much only, with all its calls.
 */
const unbatched: ReadonlySet<string> = new Set([
  'images.generate',
  'images.watch',
  'images.photo',
  'account.export',
])

/** The longest list that may share a request with others; a hundred of them do. */
const longestBatchedList = 24

function isUnbatched({ path, input }: { path: string; input: unknown }): boolean {
  const { limit = 0 } = (input ?? {}) as { limit?: number }
  return unbatched.has(path) || limit > longestBatchedList
}

/**
 * Makes a client of one Rangoli site, for Node, other servers and browsers of any origin.
 *
 * @throws TypeError where `url` is no address
 */
export function createRangoliClient({ url, token, fetch }: RangoliOptions): RangoliClient {
  const options = {
    url: new URL('/trpc', url).href,
    maxURLLength: longestAddress,
    async headers(): Promise<Record<string, string>> {
      const bearer = typeof token === 'function' ? await token() : token
      return bearer ? { authorization: `Bearer ${bearer}` } : {}
    },
    ...(fetch && { fetch: (address: string | URL | Request, init?: object) => fetch(address, init) }),
  }
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: isUnbatched,
        true: httpBatchStreamLink({ ...options, maxItems: 1 }),
        false: httpBatchStreamLink({ ...options, maxItems: callsOfABatch }),
      }),
    ],
  })
}

/** Whether the site itself said what went wrong; false where it was not reached, and for any other error. */
export function isRangoliError(error: unknown): error is RangoliError {
  if (!(error instanceof TRPCClientError)) return false
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'reason' in data && 'httpStatus' in data
}

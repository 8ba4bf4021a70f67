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
import type { ImageEvent } from '../../shared/images.ts'
import type { AppRouter } from '../trpc/router.ts'

export type { AccountData } from '../../shared/account.ts'
export type { ErrorCode, FailureData } from '../../shared/errors.ts'
export type { Image, ImageEvent, ImagePage, ImageState, Quota, SucceededImage } from '../../shared/images.ts'
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

/** Calls that get a request of their own, as their response is large: the work of one request is limited. */
const unbatched: ReadonlySet<string> = new Set(['account.export'])

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
          condition: ({ input }) => isNonJsonSerializable(input),
          true: httpLink(options),
          false: splitLink({
            condition: isUnbatched,
            true: httpBatchStreamLink({ ...options, maxItems: 1 }),
            false: httpBatchStreamLink({ ...options, maxItems: callsOfABatch }),
          }),
        }),
      }),
    ],
  })
}

/**
 * Reports the current state of images and every change until all are finished. Reconnects by itself; breaking out of
 * the loop, or aborting `signal`, ends the subscription and leaves the generations running.
 *
 * @example
 * const { images } = await rangoli.images.generate.mutate({ prompt: 'A peacock in the monsoon' })
 * for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
 *   if (event.type === 'state') console.log(event.image.state)
 * }
 */
export async function* watchImages(
  client: Pick<RangoliClient, 'images'>,
  ids: readonly string[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ImageEvent, void> {
  const events: ImageEvent[] = []
  let wake = () => {}
  let end: { readonly error?: unknown } | null = null
  const finish = (how: { readonly error?: unknown }) => {
    end ??= how
    wake()
  }
  const onAbort = () => finish({ error: signal?.reason })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  const subscription = client.images.watch.subscribe(
    { ids: [...ids] },
    {
      onData({ data }) {
        events.push(data)
        wake()
      },
      onError: (error) => finish({ error }),
      onComplete: () => finish({}),
    },
  )
  try {
    for (;;) {
      for (let event = events.shift(); event; event = events.shift()) yield event
      const ended = end as { readonly error?: unknown } | null
      if (ended && 'error' in ended) throw ended.error
      if (ended) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    subscription.unsubscribe()
  }
}

/** Whether the site itself said what went wrong; false where it was not reached, and for any other error. */
export function isRangoliError(error: unknown): error is RangoliError {
  if (!(error instanceof TRPCClientError)) return false
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'reason' in data && 'httpStatus' in data
}

import type { Context, MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import type { ContentVersion } from '../../db/content-version.ts'
import { SharedTask } from '../../tasks/shared-task.ts'
import type { Services } from '../../trpc/context.ts'
import { markShared } from '../middleware/request-log.ts'
import { languageHeaders, languageOf, viewOf } from '../language.ts'
import { Representation } from './representation.ts'

/** A route whose response is the same for everyone. */
export interface PublicRoute {
  /** Path, possibly with parameters as in Hono. */
  readonly path: string
  /** Query parameters that the response depends on. All others are neither part of the cache key nor visible to the handler. */
  readonly parameters: readonly string[]
  /** True if the response depends on the language of the request. */
  readonly isTranslated?: boolean
}

/**
 * Proxies may reuse the response for 10 seconds; browsers revalidate each time. No `stale-while-revalidate`: browsers
 * apply it too, and a user's new post would be missing from the gallery for as long.
 */
const shared = 'public, max-age=0, s-maxage=10'

const unshared = 'private, no-cache'

/** `Cache-Control` of a page that one user sees at an address at which others see nothing. */
export const privatePage = 'private, no-store'

/** Headers of the handler's response that the new response sets itself. */
const replacedHeaders = new Set(['cache-control', 'content-length', 'etag', 'vary'])

/**
 * Caches public responses per version of the gallery, and sends all successful ones compressed, with an ETag and 304.
 * Streams and errors pass through.
 *
 * @see docs/contributing/decisions/0021-response-cache.md
 */
export function publicReads({ config, readContentVersion }: Pick<Services, 'config' | 'readContentVersion'>) {
  const cache = new ResponseCache()
  return (route: PublicRoute): MiddlewareHandler =>
    async (c, next) => {
      const key = cacheKey(config, c, route)
      const { raw } = c.req
      const handle = (signal: AbortSignal) => {
        if (key !== null) hideUndeclaredParameters(c, route, signal)
        return next()
      }
      const render = async (signal: AbortSignal) => {
        await handle(signal)
        return representationOf(c)
      }
      const disconnected = () => raw.signal
      const representation =
        key === null
          ? await render(disconnected())
          : await cache.get(await readContentVersion(), key, disconnected, render)
      if (representation) {
        if (key !== null) markShared(c)
        const isShared = key !== null && !dependsOnHost(config, c) && !isChosenPage(c, route)
        const response = await representation.respond(
          c,
          isShared ? shared : unshared,
          route.isTranslated ? languageHeaders : undefined,
        )
        // Assigning `c.res` would merge the headers of the handler's response into the new one.
        if (c.finalized) c.res = undefined
        c.res = response
        return
      }
      // The request waited for the rendering of another one, whose response must not be cached.
      if (!c.finalized) await handle(disconnected())
      if (!isForOneUser(c)) c.res.headers.set('Cache-Control', c.res.ok ? unshared : 'no-store')
    }
}

/** Checks whether the handler forbids every cache to keep its response. */
function isForOneUser(c: Context): boolean {
  return c.res.headers.get('Cache-Control') === privatePage
}

/** Returns what the handler responded; null for errors, streams, and responses that set a cookie or are for one user. */
async function representationOf(c: Context): Promise<Representation | null> {
  const { status, headers } = c.res
  if (status !== 200 || isForOneUser(c)) return null
  if (headers.has('transfer-encoding') || headers.has('set-cookie')) return null
  const contentHeaders = [...headers].filter(([name]) => !replacedHeaders.has(name))
  return new Representation(new Uint8Array(await c.res.arrayBuffer()), Object.fromEntries(contentHeaders))
}

/**
 * Everything that a public response depends on: the origin of its absolute URLs, language, path, declared parameters. Null if the
 * response is not the same for everyone: requests with credentials, and streams.
 */
function cacheKey(config: Config, c: Context, route: PublicRoute): string | null {
  const { path } = c.req
  const has = (header: string) => c.req.header(header) !== undefined
  if (has('authorization')) return null
  // Pages, one of which is below `/api`, depend on no cookies but those of the language and the view.
  const isCall = /^\/(?:trpc|api)\//.test(path) && !route.isTranslated
  if (isCall && (has('cookie') || has('trpc-accept'))) return null
  const language = route.isTranslated ? `${languageOf(c).language} ${viewOf(c)}` : ''
  return `${siteOrigin(config, c.req.raw.headers)} ${language} ${path}${canonicalQuery(c, route)}`
}

/** Checks whether the user chose the language or the view of a page. Proxies get it by Accept-Language only. */
function isChosenPage(c: Context, { isTranslated }: PublicRoute): boolean {
  return isTranslated === true && (languageOf(c).isChosen || viewOf(c) !== 'squares')
}

/** Checks whether absolute URLs in a response come from a Host header, so that proxies must not reuse it. */
function dependsOnHost({ publicOrigin }: Config, c: Context): boolean {
  return publicOrigin === null && !c.req.path.startsWith('/trpc/')
}

/**
 * Replaces the request by its canonical form, so that the handler can only read what the cache key contains. Undeclared
 * parameters, repeated values and other spellings cannot poison the response that others get.
 */
function hideUndeclaredParameters(c: Context, route: PublicRoute, signal: AbortSignal): void {
  const { url, method, headers } = c.req.raw
  const origin = url.slice(0, url.indexOf('/', 'https://'.length))
  c.req.raw = new Request(`${origin}${c.req.path}${canonicalQuery(c, route)}`, { method, headers, signal })
}

/** The first value of each declared parameter, in the order of declaration, with a leading `?` unless empty. */
function canonicalQuery(c: Context, { parameters }: PublicRoute): string {
  const { url } = c.req.raw
  const start = url.indexOf('?')
  if (start < 0) return ''
  const received = new URLSearchParams(url.slice(start))
  const canonical = new URLSearchParams()
  for (const name of parameters) {
    const value = received.get(name)
    if (value !== null) canonical.set(name, value)
  }
  return canonical.size === 0 ? '' : `?${canonical}`
}

/** Total of all entries before compression. */
const maxTotalBytes = 16 * 1_024 * 1_024

/**
 * Larger than any page of the gallery, smaller than a list of a thousand long prompts. `pageTextBytes` bounds the texts
 * of a page to 192 KB, but one character takes up to ten bytes as HTML and JSON.
 */
const maxEntryBytes = 1.5 * 1_024 * 1_024

/** Memory of an entry besides its body, so that many small ones count too. */
const entryOverheadBytes = 2 * 1_024

/** Responses of one version of the gallery. Concurrent requests for a missing one share its rendering. */
export class ResponseCache {
  #version: ContentVersion | null = null
  #rendering = new Map<string, SharedTask<Representation | null>>()
  readonly #responses = new LRUCache<string, Representation>({
    maxSize: maxTotalBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ body }, key) => entryOverheadBytes + key.length + body.byteLength,
  })

  /**
   * Returns the cached response, or renders it. Rendering is aborted when all clients that wait for it have disconnected.
   *
   * @param disconnected returns the signal of the client's disconnection; called only if there is something to wait for
   * @param render resolves to null for a response that must not be cached
   * @throws AppError `canceled` when the client has disconnected
   */
  async get(
    version: ContentVersion,
    key: string,
    disconnected: () => AbortSignal,
    render: (signal: AbortSignal) => Promise<Representation | null>,
  ): Promise<Representation | null> {
    if (version !== this.#version) {
      this.#version = version
      this.#responses.clear()
      this.#rendering = new Map()
    }
    const cached = this.#responses.get(key)
    if (cached) return cached
    const running = this.#rendering.get(key)
    if (running && !running.isAbandoned) return running.join(disconnected())

    const task = new SharedTask(render)
    void this.#store(this.#rendering.set(key, task), key, task)
    return task.join(disconnected())
  }

  /** Caches the result of a task unless the version has changed since. Failures reach the clients that wait. */
  async #store(
    rendering: Map<string, SharedTask<Representation | null>>,
    key: string,
    task: SharedTask<Representation | null>,
  ): Promise<void> {
    const rendered = await task.result.catch(() => null)
    if (rendering.get(key) === task) rendering.delete(key)
    if (rendered && rendering === this.#rendering) this.#responses.set(key, rendered)
  }
}

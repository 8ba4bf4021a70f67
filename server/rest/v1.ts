import { Hono, type Context } from 'hono'
import { pageSizeMax } from '../../shared/limits.ts'
import type { Post } from '../../shared/posts.ts'
import type { Caller } from '../trpc/caller.ts'
import { readJson } from './read-json.ts'
import type { ListResponse, ImageResponse, RestPost, ShareResponse } from './responses.ts'

const unreadable = 'The request is not readable JSON.'

/** Context of a REST request. */
export interface RestRequest {
  readonly caller: Caller
  /** Origin of absolute URLs. */
  readonly origin: string
  /** Waits for one of the caller's images, and returns its JPEG. */
  readonly waitForOriginal: (imageId: string) => Promise<Uint8Array>
}

/**
 * The endpoints of the specification, each a path, a procedure and a status. Procedures validate the input; errors are
 * rendered by the app.
 */
export function restRoutes(of: (c: Context) => RestRequest): Hono {
  const routes = new Hono()

  routes.get('/post', async (c) => {
    const { caller, origin } = of(c)
    const { search, limit, before } = c.req.query()
    const page = await caller.posts.list({
      search,
      cursor: before || undefined,
      limit: limit ? Number(limit) : pageSizeMax,
    })
    if (page.nextCursor) {
      const next = new URL(c.req.url)
      next.searchParams.set('before', page.nextCursor)
      c.header('Link', `<${origin}${next.pathname}${next.search}>; rel="next"`)
    }
    const data = page.posts.map((post) => toRestPost(post, origin)).toReversed()
    return c.json({ success: true, data } satisfies ListResponse)
  })

  routes.post('/post', async (c) => {
    const { caller, origin } = of(c)
    const post = await caller.posts.create(await readJson<Input<'posts', 'create'>>(c.req.raw, unreadable))
    return c.json({ success: true, data: toRestPost(post, origin) } satisfies ShareResponse, 201)
  })

  routes.post('/imgGenerate', async (c) => {
    const { caller, waitForOriginal } = of(c)
    const body = await readJson<Input<'images', 'generate'>>(c.req.raw, unreadable)
    const requestKey = c.req.header('idempotency-key')
    // The response has one image. Bodies that are no objects are left to the procedure.
    const one = body instanceof Object && 'count' in body ? { ...body, count: 1 } : body
    const { images } = await caller.images.generate(requestKey === undefined ? one : { ...one, requestKey })
    const jpegs = await Promise.all(images.map(({ id }) => waitForOriginal(id)))
    const photo = Buffer.from(jpegs[0] ?? []).toString('base64')
    return c.json({ success: true, photo } satisfies ImageResponse)
  })

  return routes
}

function toRestPost({ id, name, prompt, photo, isSensitive }: Post, origin: string): RestPost {
  return { _id: id, name, prompt, photo: origin + photo, ...(isSensitive && { sensitive: true }) }
}

/** Input type of a procedure. */
type Input<
  Router extends 'posts' | 'images',
  Procedure extends keyof Caller[Router],
> = Caller[Router][Procedure] extends (input: infer Value) => unknown ? Value : never

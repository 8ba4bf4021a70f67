import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { pageSizeMax } from '../../shared/limits.ts'
import type { Post } from '../../shared/posts.ts'
import { createCaller, type RouterInputs } from '../trpc/caller.ts'
import type { RequestContext } from '../trpc/context.ts'
import { AppError } from '../errors/app-error.ts'
import { readDecimal } from '../text/read-decimal.ts'

/*
 * Responses: the types for the endpoints, and the schemas for their OpenAPI description.
 */

const restPost = z
  .object({
    _id: z.string().describe('Id of the post.'),
    name: z.string().describe("The author's name, as shown in the gallery."),
    prompt: z.string().describe('Empty if the author hides it.'),
    photo: z.url().describe('Absolute URL of a JPEG.'),
    sensitive: z
      .literal(true)
      .optional()
      .describe('Only if the image is marked as sensitive: blur it until a user asks for it.'),
  })
  .describe('A shared image.')

const succeeded = z.literal(true)

export const listResponse = z.object({
  success: succeeded,
  data: z.array(restPost).describe('Oldest first.'),
})

export const shareResponse = z.object({ success: succeeded, data: restPost })

export const imageResponse = z.object({
  success: succeeded,
  photo: z
    .string()
    .meta({ description: 'A JPEG in base64.', contentEncoding: 'base64', contentMediaType: 'image/jpeg' }),
})

export const failureResponse = z.object({
  success: z.literal(false),
  error: z.string().describe('A sentence for users.'),
})
export type FailureResponse = z.infer<typeof failureResponse>

const unreadable = 'The request is not readable JSON.'

/**
 * The endpoints of the specification, each a path, a procedure and a status. Procedures validate the input; errors are
 * rendered by the app.
 */
export function restRoutes(contextOf: (c: Context) => RequestContext): Hono {
  const routes = new Hono()

  routes.get('/post', async (c) => {
    const context = contextOf(c)
    const origin = context.siteOrigin() ?? ''
    const { search, limit, before } = c.req.query()
    const page = await createCaller(context).posts.list({
      search,
      cursor: before || undefined,
      limit: limit ? readDecimal(limit) : pageSizeMax,
    })
    if (page.nextCursor) {
      const next = new URL(c.req.url)
      next.searchParams.set('before', page.nextCursor)
      c.header('Link', `<${origin}${next.pathname}${next.search}>; rel="next"`)
    }
    const data = page.posts.map((post) => toRestPost(post, origin)).toReversed()
    return c.json({ success: true, data } satisfies z.infer<typeof listResponse>)
  })

  routes.post('/post', async (c) => {
    const context = contextOf(c)
    const post = await createCaller(context).posts.create(await readJson(c.req.raw, unreadable))
    const response = { success: true, data: toRestPost(post, context.siteOrigin() ?? '') } as const
    return c.json(response satisfies z.infer<typeof shareResponse>, 201)
  })

  routes.post('/imgGenerate', async (c) => {
    const context = contextOf(c)
    const caller = createCaller(context)
    const body = await readJson<RouterInputs['images']['generate']>(c.req.raw, unreadable)
    const requestKey = c.req.header('idempotency-key')
    // The response has one image. Bodies that are no objects are left to the procedure.
    const isMore = body instanceof Object && ('count' in body || 'expand' in body)
    const one = isMore ? { ...body, count: 1, expand: false } : body
    const { images } = await caller.images.generate(requestKey === undefined ? one : { ...one, requestKey })
    const identity = await context.identity()
    const [image] = images
    if (!identity || !image) throw new AppError('internal')
    const { generations } = context.services
    const jpeg = await generations.waitForOriginal(identity.viewer, image.id, context.signal)
    const photo = Buffer.from(jpeg).toString('base64')
    return c.json({ success: true, photo } satisfies z.infer<typeof imageResponse>)
  })

  return routes
}

function toRestPost(
  { id, name, prompt, photo, isSensitive }: Post,
  origin: string,
): z.infer<typeof restPost> {
  return { _id: id, name, prompt, photo: origin + photo, ...(isSensitive && { sensitive: true }) }
}

/**
 * Parses a body without validation, which is left to the procedure.
 *
 * @param message for a body that is not JSON
 * @throws AppError `bad_input`
 */
export async function readJson<Value>(request: Request, message: string): Promise<Value> {
  try {
    return (await request.json()) as Value
  } catch (cause) {
    throw new AppError('bad_input', message, { cause })
  }
}

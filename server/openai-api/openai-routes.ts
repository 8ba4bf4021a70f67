import { Hono, type Context } from 'hono'
import type { Engine } from '../../shared/engines.ts'
import { readCredentials } from '../access/authenticator.ts'
import { readAppearance } from '../site/appearance.ts'
import { AppError } from '../errors/app-error.ts'
import { readJson } from '../rest/v1.ts'
import { createCaller } from '../trpc/caller.ts'
import type { RequestContext } from '../trpc/context.ts'
import type { ErrorDescription } from '../errors/describe-error.ts'
import { readEditBody, queueEdit } from './edit-images.ts'
import { openAiError, unreadableJson } from './openai-errors.ts'
import { generationSchema, parseParameters } from './parameters.ts'
import {
  queueImages,
  repeatOrQueue,
  requireEngine,
  requireSupported,
  respondWithImages,
  type ApiRequest,
} from './respond-with-images.ts'
import { serveLink } from './serve-link.ts'

/**
 * The endpoints of OpenAI's Images API, for programs that know it. Each calls the procedures of the site; errors are rendered
 * by the app, with `renderOpenAiError`.
 *
 * @param releaseBody drops the body of a request
 * @param logStreamError logs an error after a response has begun
 * @see docs/contributing/decisions/0096-openai-images-api.md
 */
export function openAiRoutes(
  contextOf: (c: Context) => RequestContext,
  releaseBody: (c: Context) => void,
  logStreamError: (error: Error, c: Context) => void,
): Hono {
  const routes = new Hono()

  /** @throws AppError `not_signed_in` without a bearer token that is an API key or the service token */
  async function authorized(c: Context): Promise<ApiRequest> {
    const context = contextOf(c)
    const identity = readCredentials(c.req.raw.headers).bearer === null ? null : await context.identity()
    if (!identity || identity.by === 'session') {
      throw new AppError('not_signed_in', 'Send an API key in the header: `Authorization: Bearer KEY`.')
    }
    return {
      caller: createCaller(context),
      context,
      viewer: identity.viewer,
      requestKey: c.req.header('idempotency-key'),
      signal: context.signal,
      logError: (error) => logStreamError(error, c),
    }
  }

  routes.get('/models/:model?', async (c) => {
    const { caller, context } = await authorized(c)
    const { engines } = await caller.engines.list()
    const { name } = await readAppearance(context.services)
    const id = c.req.param('model')
    if (id !== undefined) return c.json(toModel(requireEngine(engines, id), name))
    return c.json({ object: 'list', data: engines.map((engine) => toModel(engine, name)) })
  })
  routes.all('/models/:model?', rejectMethod('GET'))

  routes.post('/images/generations', async (c) => {
    const request = await authorized(c)
    const parameters = parseParameters(generationSchema, await readJson(c.req.raw, unreadableJson))
    const images = await repeatOrQueue(request, parameters, [], async (identified) => {
      const engine = await requireSupported(identified.caller, parameters)
      return queueImages(identified, parameters, engine)
    })
    return respondWithImages(request, 'image_generation', parameters, images)
  })
  routes.all('/images/generations', rejectMethod('POST'))

  routes.post('/images/edits', async (c) => {
    const request = await authorized(c)
    const { parameters, images } = await queueEdit(request, await readEditBody(c.req.raw))
    releaseBody(c)
    return respondWithImages(request, 'image_edit', parameters, images)
  })
  routes.all('/images/edits', rejectMethod('POST'))

  routes.get('/images/:file', serveLink(contextOf))

  routes.all('*', (c) => {
    throw new AppError('not_found', `Invalid URL (${c.req.method} ${c.req.path.slice(0, 200)})`)
  })
  return routes
}

/** Describes an engine as a model. Its `name`, for users, is no field of OpenAI's. */
function toModel({ id, label }: Engine, siteName: string) {
  // Seconds since 1970; unknown.
  const created = 0
  return { id, object: 'model', created, owned_by: siteName, name: label }
}

/** Responds to other methods of an endpoint. The errors of the site have no code for them. */
function rejectMethod(method: 'GET' | 'POST') {
  return (c: Context): Response => {
    const message = `Only ${method} requests are accepted.`
    const error = { message, type: 'invalid_request_error', param: null, code: 'method_not_supported' }
    return c.json({ error }, 405, { Allow: method, 'Cache-Control': 'no-store' })
  }
}

const openAiPaths = /^\/v1(?:\/|$)/

/** Responds to an error below `/v1`; null for other paths. */
export function renderOpenAiError(c: Context, error: Error, { status }: ErrorDescription): Response | null {
  if (!openAiPaths.test(c.req.path)) return null
  const { body, headers } = openAiError(error, c.req.header('idempotency-key') !== undefined)
  return c.json(body, status, headers)
}

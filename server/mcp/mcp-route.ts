import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import { apiKeyScopes, type ApiKeyScope } from '../../shared/account.ts'
import { readCredentials, type Identity } from '../access/authenticator.ts'
import { bearerChallenge } from '../programs/resource.ts'
import { AppError } from '../errors/app-error.ts'
import { describeError } from '../errors/describe-error.ts'
import type { OpenImageFile } from '../images/image-access.ts'
import { readAppearance } from '../site/appearance.ts'
import { createCaller } from '../trpc/caller.ts'
import type { RequestContext } from '../trpc/context.ts'
import { apiKeyMissing, callParameters, createMcpServer, scopesOfCall, writingTools } from './tools.ts'

/** Interval between comments in a stream, in milliseconds: proxies close idle streams, and a generation may take minutes. */
const keepAliveMs = 10_000

const message = z.object({
  method: z.string(),
  params: callParameters.optional().catch(undefined),
})

/**
 * Serves the Model Context Protocol over Streamable HTTP, without sessions: any process answers any request. Requests with a
 * bearer token are authenticated before anything else; without one, only tools that read what is public can be called, and only at
 * `/mcp`: `/mcp/account` is for assistants that sign in with the first request or never.
 *
 * @param contextOf creates the context of a request, whose user is identified by a bearer token only
 * @throws AppError `not_signed_in`, `forbidden`, `rate_limited`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function serveMcp(openImageFile: OpenImageFile, contextOf: (c: Context) => RequestContext): Handler {
  return async (c) => {
    const request = c.req.raw
    const { headers } = request
    const context = contextOf(c)
    const isAnonymous = readCredentials(headers).bearer === null
    if (isAnonymous) requireTrustedOrigin(context, headers)
    const identity = isAnonymous ? null : await authenticate(c, context)
    const body = await readBody(request)
    const { methods, tools, scopes } = contentsOf(body)
    if (isAnonymous && (c.req.path !== '/mcp' || scopes.size > 0)) {
      challenge(c, context)
      throw new AppError('not_signed_in', apiKeyMissing)
    }
    requireScopes(c, context, identity, scopes)
    // Every message is a POST, so that the method of HTTP does not show which calls write.
    for (const tool of tools)
      if (writingTools.has(tool))
        await context.services.writeLimits.perNetwork.consume(context.clientNetwork())
    const { engines } = methods.includes('tools/list')
      ? await createCaller(context).engines.list()
      : { engines: [] }

    const { log } = context.services
    const { name: siteName } = await readAppearance(context.services)
    const failures: Error[] = []
    const handler = createMcpHandler(
      ({ era }) =>
        createMcpServer({
          context,
          engines,
          openImageFile,
          siteName,
          origin: context.siteOrigin() ?? '',
          // Since 2026-07-28 a client cancels a call by disconnecting; before, disconnecting meant nothing.
          cancelsOnDisconnect: era === 'modern',
        }),
      {
        keepAliveMs,
        // Streams from the beginning, so that proxies do not time out.
        responseMode: tools.includes('generate_image') ? 'sse' : 'auto',
        onerror(err) {
          failures.push(err)
          log.debug({ ...context.requestFields(), err }, 'a message of an MCP client was rejected')
        },
      },
    )
    const response = await handler.fetch(request, { parsedBody: body })
    if (response.status >= 500)
      log.error({ ...context.requestFields(), err: failures.at(-1) }, 'an MCP request failed')
    // The library asks to keep connections open, even if the client asked to close them.
    response.headers.delete('connection')
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
    return response
  }
}

/**
 * Rejects requests of pages that are not certain to be this site's, since a page could reach a site on the visitor's network by
 * DNS rebinding. A bearer token exempts a request: no page knows it unless it was entered there.
 *
 * @throws AppError `forbidden`
 */
function requireTrustedOrigin({ trustedOrigin }: RequestContext, headers: Headers): void {
  const origin = headers.get('origin')
  if (origin !== null && origin !== trustedOrigin())
    throw new AppError('forbidden', 'Pages of other sites need an API key, sent as a bearer token.')
}

/** @throws AppError `not_signed_in`, with a challenge in the response */
async function authenticate(c: Context, context: RequestContext): Promise<Identity | null> {
  try {
    return await context.identity()
  } catch (error) {
    if (describeError(error).status === 401) challenge(c, context, 'invalid_token')
    throw error
  }
}

/**
 * Has a program ask its user for scopes that its token lacks. The challenge also names those of the token, as clients of older
 * versions request only what it names. API keys can't be extended: the results of their calls name the scope.
 *
 * @throws AppError `forbidden`, with a challenge in the response
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-challenge-handling
 */
function requireScopes(
  c: Context,
  context: RequestContext,
  identity: Identity | null,
  needed: ReadonlySet<ApiKeyScope>,
): void {
  if (identity?.by !== 'API key' || !identity.isProgram) return
  const missing = [...needed].filter((scope) => !identity.scopes.includes(scope))
  if (missing.length === 0) return
  const scopes = apiKeyScopes.filter((scope) => needed.has(scope) || identity.scopes.includes(scope))
  challenge(c, context, 'insufficient_scope', scopes)
  throw new AppError('forbidden', `The access token lacks: ${missing.join(', ')}.`)
}

/** Adds a challenge to a response with status 401 or 403. @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function challenge(
  c: Context,
  context: RequestContext,
  error?: 'invalid_token' | 'insufficient_scope',
  scopes?: readonly ApiKeyScope[],
): void {
  c.header('WWW-Authenticate', bearerChallenge(context.trustedOrigin(), c.req.path, error, scopes))
}

/** Parses the body without consuming it; undefined if it is not JSON, which the library rejects. */
async function readBody(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  const copy = request.clone()
  return copy.json().catch(() => undefined)
}

/** Maximum number of messages of a batch, of which the library has the same. It would read each of more first. */
const batchMax = 100

/**
 * Lists the methods of a message, or of a batch of an older client, the tools that are called, and the scopes that they need.
 *
 * @throws AppError `bad_input` for too many messages
 */
function contentsOf(body: unknown) {
  if (Array.isArray(body) && body.length > batchMax)
    throw new AppError('bad_input', `A batch has at most ${batchMax} messages.`)
  const messages = [body].flat().flatMap((one) => message.safeParse(one).data ?? [])
  const calls = messages.flatMap(({ method, params }) => (method === 'tools/call' && params ? params : []))
  return {
    methods: messages.map(({ method }) => method),
    tools: calls.map(({ name }) => name),
    scopes: new Set(calls.flatMap(scopesOfCall)),
  }
}

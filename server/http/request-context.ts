import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { hasScope, readCredentials } from '../access/authenticator.ts'
import type { RequestContext, Services } from '../trpc/context.ts'
import { siteOrigin, trustedOrigin } from '../config/site-origin.ts'
import { mcpPaths } from '../programs/resource.ts'
import { requestFieldsOf } from './middleware/request-log.ts'

export type RequestContextOf = ReturnType<typeof createRequestContext>

/** Authenticates at most once per request, and only if a procedure needs it. */
export function createRequestContext(services: Services, clientNetwork: (c: Context) => string) {
  return (c: Context): RequestContext => {
    let authenticated: ReturnType<RequestContext['identity']> | undefined
    const { outgoing } = c.env as HttpBindings
    const work = services.workInProgress.begin(clientNetwork(c))
    if (outgoing.closed) work.end()
    else outgoing.once('close', work.end)
    const { headers, signal } = c.req.raw
    const identity = () =>
      (authenticated ??= services.authenticator.authenticate(
        readCredentials(headers, mcpPaths.includes(c.req.path)),
      ))
    return {
      services,
      signal,
      work,
      requestFields: () => requestFieldsOf(c),
      clientNetwork: () => clientNetwork(c),
      siteOrigin: () => siteOrigin(services.config, headers),
      trustedOrigin: () => trustedOrigin(services.config, headers),
      identity,
      async viewer() {
        const found = await identity()
        return found && hasScope(found, 'read') ? found.viewer : null
      },
    }
  }
}

/** Returns the same request without its credentials, for responses that are the same for everyone. */
export function anonymous(context: RequestContext): RequestContext {
  return { ...context, identity: () => Promise.resolve(null), viewer: () => Promise.resolve(null) }
}

/** Creates the context of requests from other programs, whose user is identified by a bearer token only: cookies are ignored. */
export function bearerOnly(contextOf: RequestContextOf): RequestContextOf {
  return (c) => {
    const context = contextOf(c)
    return readCredentials(c.req.raw.headers).bearer === null ? anonymous(context) : context
  }
}

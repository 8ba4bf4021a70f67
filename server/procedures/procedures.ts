import type { Logger } from 'pino'
import { initTRPC, type TRPCProcedureType, type TRPCRouterBuilder } from '@trpc/server'
import { apiKeyScopes, type ApiKeyScope } from '../../shared/account.ts'
import { messages } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { hasScope, type Identity } from '../access/authenticator.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { describeError, isUnexpected, trpcErrorShape } from '../errors/describe-error.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import { costs, type RequestWork } from '../rate-limits/work-in-progress.ts'
import type { ProcedureMeta, PublicRoot } from './public-root.ts'

/** What procedures themselves need. */
interface ProcedureServices {
  readonly log: Logger
  readonly writeLimits: Pick<WriteLimits, 'perUser'>
}

/** Context of a call: the request, and the services that the procedures of a module take. */
export interface CallContext<ModuleServices> {
  readonly services: ModuleServices
  /** Returns the fields of the request's log lines. */
  readonly requestFields: () => { readonly requestId: string }
  /** Returns the network of the client, which keys the rate limits of calls without sign-in. */
  readonly clientNetwork: () => string
  /** Returns the origin of the site; null if it is not certain. */
  readonly trustedOrigin: () => string | null
  /**
   * Authenticates the request. Called only by procedures that need it, so that public responses are the same for everyone. An
   * API key without the scope `read` reads what visitors read.
   */
  readonly viewer: () => Promise<Viewer | null>
  /** Authenticates like `viewer`, and includes the kind of credential. */
  readonly identity: () => Promise<Identity | null>
  /** Digest of a request with a request key, for a transport that adds settings to those of `images.generate`. */
  readonly requestDigest?: string
  /** Work of the request; each call adds its cost before it starts. */
  readonly work: RequestWork
}

/** A signed-in user who calls, and the services of the module. */
export interface Caller<ModuleServices> {
  readonly services: ModuleServices
  readonly viewer: Viewer
  readonly by: Identity['by']
}

/** What a procedure passes to the use case of a signed-in user. */
export interface Call<ModuleServices, Input> {
  readonly ctx: Caller<ModuleServices>
  readonly input: Input
}

/** Interval between pings of a subscription, in milliseconds. */
const pingIntervalMs = 10_000

/** Time without an event or a ping after which a client of a subscription reconnects, in milliseconds. */
const reconnectAfterInactivityMs = 35_000

/**
 * Returns the router and the procedures of a module, whose context has the services that the module declares. A router of another
 * module may contain the module's own.
 */
export function proceduresWith<ModuleServices extends object>() {
  const t = initTRPC
    .context<CallContext<ModuleServices & ProcedureServices>>()
    .meta<ProcedureMeta>()
    .create({
      isDev: false,
      sse: {
        // Proxies close idle streams, and a generation may take minutes.
        ping: { enabled: true, intervalMs: pingIntervalMs },
        client: { reconnectAfterInactivityMs },
      },
      errorFormatter: ({ error }) => trpcErrorShape(describeError(error)),
    })

  /** Creates a router whose type contains only what clients can call. */
  const router = t.router as TRPCRouterBuilder<PublicRoot>

  /** Logs unexpected errors and replaces their message with the procedure's `failure` message. */
  const explainFailures = t.procedure.use(async ({ ctx, meta, path, next }) => {
    const result = await next()
    if (!result.ok && isUnexpected(result.error)) {
      const err = result.error.cause ?? result.error
      ctx.services.log.error({ ...ctx.requestFields(), err, path }, 'a procedure failed')
      throw new AppError('internal', meta?.failure ?? messages.generateFailed, { cause: result.error })
    }
    return result
  })

  /** Procedure that needs no session. */
  const publicProcedure = explainFailures.use(({ ctx, meta, next }) => {
    ctx.work.add(costs[meta?.cost ?? 'call'])
    return next()
  })

  /**
   * Creates a procedure that accepts only the given credentials, which limits the damage of a leaked API key. Authenticates, and
   * rate-limits mutations, before the input is parsed.
   *
   * @throws AppError `not_signed_in`, `forbidden` for other credentials or an API key without the scope, `rate_limited`
   */
  function signedInBy(...credentials: readonly Identity['by'][]) {
    return publicProcedure.use(async ({ ctx, type, meta, next }) => {
      const identity = await ctx.identity()
      if (!identity) throw new AppError('not_signed_in')
      const { viewer, by } = identity
      // Before the scope: no scope would make the key acceptable.
      if (!credentials.includes(by)) {
        throw new AppError('forbidden', 'This call does not accept API keys. Sign in on the site instead.')
      }
      requireScope(identity, type, meta?.scopes)
      if (type === 'mutation') await ctx.services.writeLimits.perUser.consume(viewer.id)
      const sessionId = identity.by === 'session' ? identity.sessionId : undefined
      return next({ ctx: { ...ctx, viewer, by, sessionId } })
    })
  }

  const signedInProcedure = signedInBy('session', 'API key', 'service token')

  const moderatorProcedure = signedInProcedure.use(({ ctx, next }) => {
    if (ctx.viewer.role === 'member') throw new AppError('forbidden', describedDetail('moderators_only'))
    return next()
  })

  const administratorProcedure = signedInBy('session').use(({ ctx, next }) => {
    if (ctx.viewer.role !== 'administrator')
      throw new AppError('forbidden', describedDetail('administrators_only'))
    return next()
  })

  return {
    router,
    publicProcedure,
    signedInProcedure,
    signedInBy,
    moderatorProcedure,
    administratorProcedure,
  }
}

/** A mutation that names no scopes accepts only keys with all of them. @throws AppError `forbidden` */
export function requireScope(
  identity: Identity,
  type: TRPCProcedureType,
  scopes: readonly ApiKeyScope[] = type === 'mutation' ? [] : ['read'],
): void {
  if (scopes.some((scope) => hasScope(identity, scope))) return
  const missing = scopes[0] ?? apiKeyScopes.find((scope) => !hasScope(identity, scope))
  if (missing) throw new AppError('forbidden', describedDetail('api_key_scope', { scope: missing }))
}

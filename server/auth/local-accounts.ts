import type { LocalAccountServices } from './call-context.ts'
import { betterAuth } from 'better-auth'
import type { Viewer } from '../../shared/viewer.ts'
import { siteOrigin } from '../config/site-origin.ts'
import { withStorageErrors } from '../db/database-errors.ts'
import { AppError } from '../errors/app-error.ts'
import { tooMany } from '../rate-limits/rate-limiter.ts'
import type { Authenticator } from '../access/authenticator.ts'
import { localAccountOptions } from './local-account-options.ts'
import { createLocalAdministration, createLocalDirectory } from './local-administration.ts'
import { providerId } from './oidc/provider-sign-in.ts'

/** Local accounts with email and password, stored in the site's database by better-auth. */
export function createLocalAccounts(services: LocalAccountServices): Authenticator {
  const { options, calls, attempts, providerSignIn } = localAccountOptions(services)
  const { localSignIn, provider } = services.config.auth
  const auth = betterAuth(options)
  return {
    async authenticate({ bearer, headers }) {
      if (bearer !== null) throw new AppError('not_signed_in', 'The bearer token is not valid.')
      if (!headers.has('cookie')) return null
      // Sessions are extended below /api/auth only, where their cookie can be extended too.
      const session = await withStorageErrors(() =>
        auth.api.getSession({ headers, query: { disableRefresh: true } }),
      )
      if (!session) return null
      const viewer = { ...publicProfile(session.user), role: 'member' as const }
      return { viewer, by: 'session', sessionId: session.session.id }
    },

    async recall({ id }) {
      const { internalAdapter } = await auth.$context
      const user = await withStorageErrors(() => internalAdapter.findUserById(id))
      return user && publicProfile(user)
    },

    async handle(request) {
      const path = new URL(request.url).pathname.slice('/api/auth'.length)
      if (!Object.hasOwn(calls, path)) throw new AppError('not_found')
      const call = (attempt: Request) => {
        const handle = () => auth.handler(attempt)
        return withStorageErrors(
          () => (providerSignIn ? providerSignIn.handle(attempt, handle) : handle()),
          ({ ok }) => !ok,
        )
      }
      try {
        const original = await (calls[path]?.wrap?.(request, call) ?? call(request))
        if (original.status === 429) throw tooMany('attempts', Number(original.headers.get('x-retry-after')))
        const isHttps = siteOrigin(services.config, request.headers)?.startsWith('https:') ?? false
        return withCookies(original, (cookie) => {
          // The user of an expired session may have signed in again meanwhile, and the deletion would hit the new cookie.
          if (path === '/get-session' && /;\s*max-age=0\b/i.test(cookie)) return []
          return isHttps && !/;\s*secure\b/i.test(cookie) ? `${cookie}; Secure` : cookie
        })
      } catch (cause) {
        await attempts.end(request, 'void')
        // better-auth throws for a body that is not JSON.
        if (cause instanceof SyntaxError) {
          throw new AppError('bad_input', 'The request is not readable JSON.', { cause })
        }
        throw cause
      }
    },

    async profileOf(userId) {
      const { internalAdapter } = await auth.$context
      const user = await internalAdapter.findUserById(userId)
      if (!user) return null
      const { name, email, createdAt } = user
      const sessions = await internalAdapter.listSessions(userId)
      const accounts = await internalAdapter.findAccounts(userId)
      return {
        name,
        email,
        createdAt: createdAt.toISOString(),
        connections: accounts
          .filter((account) => account.providerId === providerId)
          .map((account) => ({
            provider: account.providerId,
            userId: account.accountId,
            createdAt: account.createdAt.toISOString(),
          })),
        sessions: sessions
          .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
          .map((session) => ({
            createdAt: session.createdAt.toISOString(),
            expiresAt: session.expiresAt.toISOString(),
            ipAddress: session.ipAddress || null,
            userAgent: session.userAgent || null,
          })),
      }
    },

    administration: createLocalAdministration({ ...services, localSignIn, context: auth.$context }),
    directory: createLocalDirectory(provider?.adminGroup ? 'OIDC_ADMIN_GROUP' : null),
  }
}

function publicProfile(user: {
  id: string
  name: string
  image?: string | null | undefined
}): Omit<Viewer, 'role'> {
  const { id, name, image } = user
  return { id, firstName: name.split(/\s+/)[0] || name, imageUrl: image ?? null }
}

function withCookies(response: Response, change: (cookie: string) => string | []): Response {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const cookie of response.headers.getSetCookie().flatMap(change)) headers.append('set-cookie', cookie)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

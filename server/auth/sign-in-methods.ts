import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, sessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { SignInMethods } from '../../shared/provider-sign-in.ts'
import { confirmPassword } from './call-context.ts'
import type { AccountCallServices } from './account-services.ts'
import { isConfirmedByProvider, providerId, refreshRole } from './oidc/provider-sign-in.ts'

/** Adds `/sign-in-methods`, which lists how the user signs in, and `/disconnect-provider`. */
export function signInMethodsPlugin({ db, now, attempts, config }: AccountCallServices): BetterAuthPlugin {
  const { localSignIn, provider } = config.auth
  return {
    id: 'sign-in-methods',
    endpoints: {
      signInMethods: createAuthEndpoint(
        '/sign-in-methods',
        { method: 'GET', use: [sessionMiddleware] },
        async (ctx) => {
          const { session, user } = ctx.context.session
          const accounts = await ctx.context.internalAdapter.findAccounts(user.id)
          return ctx.json({
            hasPassword: accounts.some((account) => Boolean(account.password)),
            hasProvider: accounts.some((account) => account.providerId === providerId),
            isConfirmed: await isConfirmedByProvider({ db, now }, session.id),
          } satisfies SignInMethods)
        },
      ),
      disconnectProvider: createAuthEndpoint(
        '/disconnect-provider',
        {
          method: 'POST',
          use: [sessionMiddleware],
          body: z.strictObject({ password: z.string().min(1) }),
        },
        async (ctx) => {
          const { user } = ctx.context.session
          if (!localSignIn) {
            const message = 'This is the only way to sign in to this site.'
            throw new APIError('FORBIDDEN', { code: 'ONLY_SIGN_IN', message })
          }
          // It also shows that the provider is not the only way.
          await confirmPassword(ctx, attempts, ctx.context.session, ctx.body.password)
          const accounts = await ctx.context.internalAdapter.findAccounts(user.id)
          for (const account of accounts) {
            if (account.providerId === providerId) await ctx.context.internalAdapter.deleteAccount(account.id)
          }
          await refreshRole({ db, now, providerName: provider?.name ?? providerId }, user.id, false)
          return ctx.json({ success: true })
        },
      ),
    },
  }
}

import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, sessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { SignInMethods } from '../../shared/provider-sign-in.ts'
import type { Database } from '../db/open-database.ts'
import { providerId } from './oidc/provider-sign-in.ts'
import { refreshRole } from './oidc/provider-role.ts'
import { readAuthenticationTime } from './oidc/provider-sessions.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import { confirmPassword } from './password-confirmation.ts'

/** Time for which a sign-in at the provider confirms what otherwise requires the password. */
const confirmationMs = 10 * 60 * 1_000

interface SignInMethodServices {
  readonly db: Database
  readonly now: () => number
  readonly attempts: PasswordAttempts
  readonly providerName: string
  /** Whether users sign in with their passwords. */
  readonly localSignIn: boolean
}

/** Adds `/sign-in-methods`, which lists how the user signs in, and `/disconnect-provider`. */
export function signInMethodsPlugin(services: SignInMethodServices): BetterAuthPlugin {
  const { db, now, attempts, providerName, localSignIn } = services
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
          await refreshRole({ db, now, providerName }, user.id, false)
          return ctx.json({ success: true })
        },
      ),
    },
  }
}

/** Checks whether the user of a session proved their identity to the provider minutes ago. */
export async function isConfirmedByProvider(
  { db, now }: Pick<SignInMethodServices, 'db' | 'now'>,
  sessionId: string,
): Promise<boolean> {
  const time = await readAuthenticationTime(db, sessionId)
  return time !== null && now() - time < confirmationMs
}

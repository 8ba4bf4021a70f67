import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import { confirmPassword, parseInput, requireCaller, type CallContext } from '../account-calls.ts'
import type { PasswordAttempts } from '../password-attempts.ts'
import { providerId, type ProviderSignIn } from './provider-sign-in.ts'

const ownPath = z.string().regex(/^\/(?![/\\])[^\s\\]*$/)

/** Inputs by the names of better-auth. `callbackURL` is the page to which the user returns. */
function inputShapes(origin: string) {
  const provider = z.literal(providerId)
  const callbackURL = z
    .string()
    .max(2_000)
    .transform((url) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url))
    .pipe(ownPath)
    .default('/')
  return {
    signIn: z.strictObject({
      provider,
      callbackURL,
      /** Makes the provider ask for credentials even if it remembers the user. */
      confirm: z.literal(true).optional(),
      /** Token of an invitation, for a new account. */
      invitation: z.string().max(200).optional(),
    }),
    connection: z.strictObject({ provider, callbackURL, password: z.string().min(1) }),
  }
}

/** @see https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest */
const askAgain = { prompt: 'login', max_age: '0' }

/**
 * Adds the provider to better-auth, with the paths `/sign-in/social`, `/callback/oidc`, `/link-social` and, for
 * sessions that began at the provider, its logout to `/sign-out`.
 */
export function providerPlugin(signIn: ProviderSignIn, attempts: PasswordAttempts): BetterAuthPlugin {
  const { origin } = signIn
  const shapes = inputShapes(origin)
  return {
    id: 'oidc',
    init: ({ socialProviders }) => ({
      context: { socialProviders: [signIn.provider, ...socialProviders] },
      options: {
        databaseHooks: {
          session: {
            create: {
              before: (session) => signIn.beforeSession(session),
              after: (session) => signIn.afterSession(session),
            },
          },
        },
      },
    }),
    hooks: {
      before: [
        hook('/sign-in/social', async (ctx) => {
          const { confirm, invitation, ...data } = parse(shapes.signIn, ctx)
          return redirection(origin + data.callbackURL, {
            ...(confirm && { additionalParams: askAgain }),
            ...(invitation !== undefined && { additionalData: { invitation } }),
          })
        }),
        hook('/link-social', async (ctx) => {
          const caller = await requireCaller(ctx)
          const data = parse(shapes.connection, ctx)
          await confirmPassword(ctx, attempts, caller, data.password)
          return redirection(origin + data.callbackURL)
        }),
        hook('/callback/', async (ctx) => {
          const current = await getSessionFromCtx(ctx, { disableRefresh: true })
          signIn.beforeCallback(current?.user.id ?? null, ctx.query)
        }),
        hook('/sign-out', async (ctx) => {
          const current = await getSessionFromCtx(ctx, { disableRefresh: true })
          if (current) await signIn.beforeSignOut(current.session.id)
        }),
      ],
    },
  }
}

/** Creates a hook of the calls whose path begins with a text. */
function hook(start: string, handler: (ctx: CallContext) => Promise<unknown>) {
  return {
    matcher: ({ path }: { readonly path?: string | undefined }) => path?.startsWith(start) ?? false,
    handler: createAuthMiddleware(handler),
  }
}

function parse<Output>(schema: z.ZodType<Output>, { body }: CallContext): Output {
  return parseInput(schema, body, 'The request is not valid.')
}

/** Adds to the body of a request what better-auth builds the URL of the provider with. */
function redirection(page: string, others: object = {}) {
  return {
    context: { body: { callbackURL: page, errorCallbackURL: page, disableRedirect: true, ...others } },
  }
}

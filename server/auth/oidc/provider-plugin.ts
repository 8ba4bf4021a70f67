import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import type { PasswordAttempts } from '../password-attempts.ts'
import { requireCaller } from '../account-calls.ts'
import { confirmPassword } from '../password-confirmation.ts'
import { providerId, type ProviderSignIn } from './provider-sign-in.ts'

type CallContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

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
        {
          matcher: ({ path }) => path === '/sign-in/social',
          handler: createAuthMiddleware(async (ctx) => {
            const { confirm, invitation, ...data } = parse(shapes.signIn, ctx)
            return redirection(origin + data.callbackURL, {
              ...(confirm && { additionalParams: askAgain }),
              ...(invitation !== undefined && { additionalData: { invitation } }),
            })
          }),
        },
        {
          matcher: ({ path }) => path === '/link-social',
          handler: createAuthMiddleware(async (ctx) => {
            const caller = await requireCaller(ctx)
            const data = parse(shapes.connection, ctx)
            await confirmPassword(ctx, attempts, caller, data.password)
            return redirection(origin + data.callbackURL)
          }),
        },
        {
          matcher: ({ path }) => path?.startsWith('/callback/') ?? false,
          handler: createAuthMiddleware(async (ctx) => {
            const current = await getSessionFromCtx(ctx, { disableRefresh: true })
            signIn.beforeCallback(current?.user.id ?? null)
          }),
        },
        {
          matcher: ({ path }) => path === '/sign-out',
          handler: createAuthMiddleware(async (ctx) => {
            const current = await getSessionFromCtx(ctx, { disableRefresh: true })
            if (current) await signIn.beforeSignOut(current.session.id)
          }),
        },
      ],
    },
  }
}

function parse<T>(shape: z.ZodType<T>, { body }: CallContext): T {
  const { data } = shape.safeParse(body)
  if (data !== undefined) return data
  throw new APIError('BAD_REQUEST', { code: 'BAD_INPUT', message: 'The request is not valid.' })
}

/** Adds to the body of a request what better-auth builds the URL of the provider with. */
function redirection(page: string, others: object = {}) {
  return {
    context: { body: { callbackURL: page, errorCallbackURL: page, disableRedirect: true, ...others } },
  }
}

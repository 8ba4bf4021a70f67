import { getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import {
  confirmPassword,
  parseInput,
  requireCaller,
  type AccountCalls,
  type CallContext,
} from '../call-context.ts'
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

/** Calls of a site with a provider, among them `/sign-out`, which ends the session there if it began there. */
export function providerCalls(signIn: ProviderSignIn, attempts: PasswordAttempts): AccountCalls {
  const { origin } = signIn
  const shapes = inputShapes(origin)
  return {
    '/sign-in/social': {
      before(ctx) {
        const { confirm, invitation, ...data } = parse(shapes.signIn, ctx)
        return redirection(origin + data.callbackURL, {
          ...(confirm && { additionalParams: askAgain }),
          ...(invitation !== undefined && { additionalData: { invitation } }),
        })
      },
    },
    '/link-social': {
      async before(ctx) {
        const caller = await requireCaller(ctx)
        const data = parse(shapes.connection, ctx)
        await confirmPassword(ctx, attempts, caller, data.password)
        return redirection(origin + data.callbackURL)
      },
    },
    '/callback/oidc': {
      async before(ctx) {
        const current = await getSessionFromCtx(ctx, { disableRefresh: true })
        signIn.beforeCallback(current?.user.id ?? null)
      },
    },
    '/sign-out': {
      async before(ctx) {
        const current = await getSessionFromCtx(ctx, { disableRefresh: true })
        if (current) await signIn.beforeSignOut(current.session.id)
      },
    },
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

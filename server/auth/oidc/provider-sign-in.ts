import { AsyncLocalStorage } from 'node:async_hooks'
import { APIError, getOAuthState, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { OAuthProvider } from 'better-auth/oauth2'
import { z } from 'zod'
import { isEmailTooLong } from '../../../shared/account.ts'
import { nameLimit } from '../../../shared/limits.ts'
import { truncateText } from '../../../shared/text-length.ts'
import type { Role } from '../../../shared/viewer.ts'
import type { OidcConfig } from '../../config/auth-section.ts'
import type { Database } from '../../db/open-database.ts'
import { cleanText } from '../../text/clean-text.ts'
import { recordAdminAction } from '../../audit/admin-log.ts'
import { inTransaction } from '../../db/transaction.ts'
import { hasSession, readAccess, setRole, type UserServices } from '../../access/user-access.ts'
import {
  confirmPassword,
  parseInput,
  requireCaller,
  type AccountCalls,
  type LocalAccountServices,
} from '../call-context.ts'
import type { PasswordAttempts } from '../password-attempts.ts'
import { OidcClient, ProviderError, type UserClaims } from './oidc-client.ts'
import { reasonOf, withReason } from './return-reasons.ts'

/** Id of the provider in URLs and in better-auth's tables. */
export const providerId = 'oidc'

/** Facts about one request that better-auth does not pass on. */
interface Exchange {
  readonly query: URLSearchParams
  signedIn?: Awaited<ReturnType<OidcClient['signIn']>>
  /** Of the session that the request ends; null if it did not begin at the provider. */
  endedIdToken?: string | null
  /** Session with which the browser returns from the provider. */
  returningSessionId?: string | undefined
  /** OAuth error code with which the provider rejected the authorization code. */
  tokenError?: string | null
}

interface ProviderSignInServices extends Pick<LocalAccountServices, 'db' | 'log' | 'secret' | 'now'> {
  readonly origin: string
  readonly oidc: OidcConfig
  readonly requireVerifiedEmail: boolean
}

/** Sign-in with an OpenID Connect provider, for better-auth. */
export class ProviderSignIn {
  readonly #services: ProviderSignInServices
  readonly #client: OidcClient
  readonly #exchanges = new AsyncLocalStorage<Exchange>()

  constructor(services: ProviderSignInServices) {
    this.#services = services
    this.#client = new OidcClient(services.oidc, services.now, (err) =>
      services.log.warn({ err }, 'the metadata of the sign-in provider could not be read again'),
    )
  }

  /** Runs the handler of a request, during which the other methods may be called. */
  handle(request: Request, handler: () => Promise<Response>): Promise<Response> {
    const exchange: Exchange = { query: new URL(request.url).searchParams }
    return this.#exchanges.run(exchange, async () => {
      const response = await handler()
      this.#logCallbackError(response, exchange.query)
      return withReason(response, this.#services.origin, exchange.tokenError ?? null)
    })
  }

  /** The provider as better-auth calls it. Unlike its own plugin, it reads the discovery document on first use. */
  get provider(): OAuthProvider<UserClaims> {
    const { oidc, log, origin, requireVerifiedEmail } = this.#services
    const client = this.#client
    return {
      id: providerId,
      name: oidc.name,
      get issuer() {
        return client.issuer
      },
      requiresIdTokenNonce: true,
      options: { requireEmailVerification: requireVerifiedEmail },
      accountSubject: ({ profile }) => profile.sub,
      createAuthorizationURL: async ({
        state,
        idTokenNonce,
        codeVerifier,
        redirectURI,
        additionalParams,
      }) => {
        const parameters = { state, nonce: required(idTokenNonce), codeVerifier, redirect_uri: redirectURI }
        try {
          return await client.authorizationUrl(parameters, additionalParams)
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          log.error({ err: error }, 'the sign-in provider is not available')
          throw new APIError('SERVICE_UNAVAILABLE', {
            code: 'PROVIDER_UNAVAILABLE',
            message: `${oidc.name} is not available. Try again later.`,
          })
        }
      },
      validateAuthorizationCode: async ({ redirectURI }) => {
        const exchange = this.#exchange
        const { codeVerifier, idTokenNonce } = required(await getOAuthState<{ idTokenNonce?: string }>())
        const callback = new URL(`${redirectURI}?${exchange.query.toString()}`)
        try {
          exchange.signedIn = await client.signIn(callback, { codeVerifier, nonce: required(idTokenNonce) })
          // better-auth stores the tokens it knows of.
          return {}
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          exchange.tokenError = error.code
          log.error({ err: error, providerError: error.code }, tokenErrorMessage(error.code))
          return null
        }
      },
      getUserInfo: async () => {
        const { signedIn, returningSessionId } = this.#exchange
        const { claims } = required(signedIn)
        const user = userOf(claims)
        const link = (await getOAuthState())?.link
        // An account that is connected with its password is not found by an address. Its session must not have ended since.
        const emailVerified = link
          ? await hasSession(this.#services.db, link.userId, returningSessionId)
          : user.emailVerified
        return { user: { ...user, emailVerified }, data: claims }
      },
      createEndSessionURL: async () => {
        const { endedIdToken } = this.#exchange
        return endedIdToken ? client.endSessionUrl(endedIdToken, `${origin}/`) : null
      },
    }
  }

  /** Calls of a site with a provider, among them `/sign-out`, which ends the session there if it began there. */
  calls(attempts: PasswordAttempts): AccountCalls {
    const { origin } = this.#services
    const shapes = inputShapes(origin)
    return {
      '/sign-in/social': {
        before(ctx) {
          const { confirm, invitation, ...data } = parseInput(shapes.signIn, ctx.body, invalidRequest)
          return redirection(origin + data.callbackURL, {
            ...(confirm && { additionalParams: askAgain }),
            ...(invitation !== undefined && { additionalData: { invitation } }),
          })
        },
      },
      '/link-social': {
        async before(ctx) {
          const caller = await requireCaller(ctx)
          const data = parseInput(shapes.connection, ctx.body, invalidRequest)
          await confirmPassword(ctx, attempts, caller, data.password)
          return redirection(origin + data.callbackURL)
        },
      },
      '/callback/oidc': {
        before: async (ctx) => {
          const current = await getSessionFromCtx(ctx, { disableRefresh: true })
          this.#exchange.returningSessionId = current?.session.id
        },
      },
      '/sign-out': {
        before: async (ctx) => {
          const current = await getSessionFromCtx(ctx, { disableRefresh: true })
          if (current) await this.#beforeSignOut(current.session.id)
        },
      },
    }
  }

  /** Refreshes the role of the user before a session at which they could use it. */
  async beforeSession({ userId }: { readonly userId: string }): Promise<void> {
    const { db, now, oidc } = this.#services
    const { signedIn } = this.#exchange
    if (!signedIn) return
    const isInGroup = oidc.adminGroup !== null && signedIn.claims.groups.includes(oidc.adminGroup)
    await inTransaction(db, (transaction) =>
      applyProviderRole({ db: transaction, now, providerName: oidc.name }, userId, isInGroup),
    )
  }

  /** Stores what the end of the session requires, which is deleted with it. */
  async afterSession({ id }: { readonly id: string }): Promise<void> {
    const { db, secret, now } = this.#services
    const { signedIn } = this.#exchange
    if (!signedIn) return
    const { claims, idToken } = signedIn
    await db
      .insertInto('provider_sessions')
      .values({
        session_id: id,
        id_token: await symmetricEncrypt({ key: secret, data: idToken }),
        authenticated_at: Math.min(now(), claims.authenticatedAt ?? now()),
      })
      .execute()
  }

  /** Logs the error of the provider, unless better-auth rejects the callback for another reason, such as a forged state. */
  #logCallbackError(response: Response, query: URLSearchParams): void {
    const error = query.get('error')
    const location = response.headers.get('location')
    const { origin, log } = this.#services
    if (error === null || location === null || !URL.canParse(location, origin)) return
    if (new URL(location, origin).searchParams.get('error') !== error) return
    const providerError = cleanText(error).slice(0, 100)
    const description = cleanText(query.get('error_description') ?? '').slice(0, 500)
    const level = reasonOf(error) === 'canceled' ? 'info' : 'warn'
    log[level]({ providerError, description }, 'the sign-in provider returned an error')
  }

  /** Remembers the session that a request is about to end, unless the secret has changed since it began. */
  async #beforeSignOut(sessionId: string): Promise<void> {
    const { db, secret } = this.#services
    const row = await findProviderSession(db, sessionId)
    if (!row) return
    const idToken = symmetricDecrypt({ key: secret, data: row.id_token })
    this.#exchange.endedIdToken = await idToken.catch(() => null)
  }

  get #exchange(): Exchange {
    // Calls of the server itself are of no request.
    return this.#exchanges.getStore() ?? { query: new URLSearchParams() }
  }
}

const invalidRequest = 'The request is not valid.'

const ownPath = z.string().regex(/^\/(?![/\\])[^\s\\]*$/)

/** Inputs by the names of better-auth. `callbackURL` is the page to which the user returns. */
function inputShapes(origin: string) {
  const target = z.strictObject({
    provider: z.literal(providerId),
    callbackURL: z
      .string()
      // The page of consent has a long address.
      .max(8_200)
      .transform((url) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url))
      .pipe(ownPath)
      .default('/'),
  })
  return {
    signIn: target.extend({
      /** Makes the provider ask for credentials even if it remembers the user. */
      confirm: z.literal(true).optional(),
      /** Token of an invitation, for a new account. */
      invitation: z.string().max(200).optional(),
    }),
    connection: target.extend({ password: z.string().min(1) }),
  }
}

/** @see https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest */
const askAgain = { prompt: 'login', max_age: '0' }

/** Adds to the body of a request what better-auth builds the URL of the provider with. */
function redirection(page: string, others: object = {}) {
  return {
    context: { body: { callbackURL: page, errorCallbackURL: page, disableRedirect: true, ...others } },
  }
}

function tokenErrorMessage(code: string | null): string {
  switch (code) {
    case 'invalid_client':
    case 'unauthorized_client':
      return 'the sign-in provider rejects this site: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and its registration'
    case 'invalid_grant':
      return 'the sign-in provider rejects an authorization code: it was used or has expired'
    default:
      return 'the sign-in provider sent no valid user'
  }
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new Error('better-auth passes it to every provider with a nonce and PKCE.')
  }
  return value
}

function userOf({ email, isEmailVerified, name }: UserClaims) {
  const address = z.email().safeParse(email).data
  const isUsable = address !== undefined && !isEmailTooLong(address)
  const [mailbox = ''] = address?.split('@') ?? []
  return {
    email: isUsable ? address : null,
    emailVerified: isEmailVerified,
    name: truncateText(cleanText(name ?? '') || mailbox, nameLimit),
  }
}

/**
 * Makes a user an administrator as the provider says, or takes that role away, and records the change. A role that was given on
 * this site is not taken away, and applies again after the provider's. Call it in a transaction.
 *
 * @param services `providerName` is for the audit log
 * @param isInGroup whether the user is in the group of administrators
 */
export async function applyProviderRole(
  { db, now, providerName }: UserServices & { readonly providerName: string },
  userId: string,
  isInGroup: boolean,
): Promise<void> {
  const { role: from, isRoleFromProvider } = await readAccess(db, userId)
  const to: Role = isInGroup ? 'administrator' : isRoleFromProvider ? await formerRole(db, userId) : from
  if (to === from) return
  await setRole(db, userId, to, isInGroup)
  const provider = { id: null, firstName: providerName }
  await recordAdminAction(db, provider, { action: 'change_role', userId, details: { from, to }, now: now() })
}

/** Reads the role that a user had before the provider's, which nothing but the provider changes, from the latest change in the log. */
async function formerRole(db: Database, userId: string): Promise<Role> {
  const change = await db
    .selectFrom('admin_log')
    .select('details')
    .where('user_id', '=', userId)
    .where('action', '=', 'change_role')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { from } = JSON.parse(change?.details ?? '{}') as { readonly from?: Role }
  return from === 'moderator' ? from : 'member'
}

/** Time for which a sign-in at the provider confirms what otherwise requires the password. */
const confirmationMs = 10 * 60 * 1_000

/** Checks whether the user of a session proved their identity to the provider minutes ago. */
export async function isConfirmedByProvider(
  { db, now }: Pick<ProviderSignInServices, 'db' | 'now'>,
  sessionId: string,
): Promise<boolean> {
  const row = await findProviderSession(db, sessionId)
  return row !== undefined && now() - row.authenticated_at < confirmationMs
}

function findProviderSession(db: Database, sessionId: string) {
  return db.selectFrom('provider_sessions').selectAll().where('session_id', '=', sessionId).executeTakeFirst()
}

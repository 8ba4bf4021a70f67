import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  skipStateCheck,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import { z } from 'zod'
import type { OidcConfig } from '../../config/auth-section.ts'
import { isLoopbackHost } from '../../network/addresses.ts'
import { definedOf } from '../../procedures/inputs.ts'
import type { Clock } from '../../time/clock.ts'

/** Time for one request to the provider. */
const timeoutSeconds = 10

const metadataMaxAgeMs = 60 * 60 * 1_000

/** The provider did not answer, or its answer cannot be used. The message contains no credentials. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  /** OAuth error code of the provider's answer; null if it has none. */
  readonly code: string | null

  constructor(message: string, cause?: unknown, code: string | null = null) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Requests something from the provider. Redirects are not followed, as they could lead to another host with the credentials.
 *
 * @throws ProviderError unless the answer is a success
 */
export async function fetchFromProvider(url: string, init: object = {}): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const response = await fetch(url, { signal, ...init, redirect: 'manual' }).catch((cause: unknown) => {
    throw new ProviderError(`${url} cannot be reached.`, cause)
  })
  if (response.ok) return response
  const [, code = null] = /"error"\s*:\s*"([a-z_]{1,60})"/.exec(await response.text()) ?? []
  const named = code === null ? '' : ` (${code})`
  throw new ProviderError(`${url} answered ${response.status}${named}.`, undefined, code)
}

/** Converts the errors of openid-client, whose causes are those of `fetchFromProvider` or contain tokens. */
async function reported<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ProviderError) throw error
    if (error.cause instanceof ProviderError) throw error.cause
    const details = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
    throw new ProviderError(`${what} is not valid (${details}).`)
  }
}

/**
 * Reads the provider's discovery document.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html
 * @throws ProviderError if it is of another issuer, or lacks an endpoint
 */
export async function discoverProvider({ issuer, ...client }: OidcConfig): Promise<Configuration> {
  const url = new URL(`${issuer}/.well-known/openid-configuration`)
  const metadata = { client_secret: client.clientSecret, [clockTolerance]: 60 }
  // Signatures are verified, too, although TLS has authenticated the token endpoint.
  const execute = [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])]
  const options = { execute, timeout: timeoutSeconds, [customFetch]: fetchFromProvider }
  const found = await reported(
    'The discovery document',
    discovery(url, client.clientId, metadata, clientAuthOf(client), options),
  )
  const server = found.serverMetadata()
  // The configured issuer has no trailing slash; that of the provider may have one.
  if (server.issuer.replace(/\/$/, '') !== issuer) {
    throw new ProviderError(`The discovery document is of the issuer ${server.issuer}, and not of ${issuer}.`)
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    requireSafe(name, server[name] ?? '')
  }
  for (const name of ['userinfo_endpoint', 'end_session_endpoint'] as const) {
    if (server[name] !== undefined) requireSafe(name, server[name])
  }
  return found
}

/** Requires https or, as in tests and on a developer's machine, http on a loopback address. */
function requireSafe(name: string, value: string): void {
  const { protocol, hostname } = new URL(URL.canParse(value) ? value : 'none:')
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return
  const issue = 'is neither an https URL nor one of this machine'
  throw new ProviderError(`The discovery document is invalid: ${name} ${issue}.`)
}

/** Sends the client's credentials in a header, unless the provider lists a form as the only way. */
function clientAuthOf({ clientSecret }: Pick<OidcConfig, 'clientSecret'>): ClientAuth {
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const isPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isPost ? ClientSecretPost : ClientSecretBasic)(clientSecret)(server, ...request)
  }
}

/** Claims about the user who signed in, of the ID token and, where it lacks some, of the userinfo endpoint. */
export type UserClaims = Awaited<ReturnType<OidcClient['signIn']>>['claims']

const text = z.string().optional().catch(undefined)
const claimsShape = z.object({
  email: text,
  // Some providers send it as text.
  email_verified: z
    .union([z.boolean(), z.literal(['true', 'false']).transform((value) => value === 'true')])
    .optional()
    .catch(undefined),
  name: text,
  given_name: text,
  family_name: text,
  preferred_username: text,
  groups: z
    .union([z.array(z.string()), z.string().transform((group) => [group])])
    .optional()
    .catch(undefined),
  auth_time: z.number().optional().catch(undefined),
})

/**
 * The site as a client of an OpenID Connect provider: authorization code flow with PKCE, state and nonce.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth
 */
export class OidcClient {
  readonly #config: OidcConfig
  /** Read on first use, so that the site starts without the provider. While it is down, the last metadata stay in use. */
  readonly #metadata: LRUCache<'provider', Configuration>

  /** @param onFailedRefresh called when metadata that are known could not be read again */
  constructor(config: OidcConfig, now: Clock, onFailedRefresh: (error: unknown) => void) {
    this.#config = config
    this.#metadata = new LRUCache<'provider', Configuration>({
      max: 1,
      ttl: metadataMaxAgeMs,
      perf: { now },
      allowStale: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: (_, known) =>
        discoverProvider(config).catch((error: unknown) => {
          if (known) onFailedRefresh(error)
          throw error
        }),
    })
  }

  /** The provider's issuer identifier; undefined before the first request to it. */
  get issuer(): string | undefined {
    return this.#metadata.peek('provider')?.serverMetadata().issuer
  }

  /** Returns the page of the provider where the user signs in. @throws ProviderError */
  async authorizationUrl(
    {
      codeVerifier,
      ...parameters
    }: Readonly<Record<'codeVerifier' | 'redirect_uri' | 'state' | 'nonce', string>>,
    others: Readonly<Record<string, string>> = {},
  ): Promise<URL> {
    return buildAuthorizationUrl(await this.#metadata.forceFetch('provider'), {
      ...others,
      ...parameters,
      scope: [...new Set(['openid', 'profile', 'email', ...this.#config.scopes])].join(' '),
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Exchanges an authorization code for tokens, and verifies the ID token.
   *
   * @param callback URL to which the provider sent the browser, of which the state was verified
   * @throws ProviderError
   */
  async signIn(
    callback: URL,
    { codeVerifier, nonce }: { readonly codeVerifier: string; readonly nonce: string },
  ) {
    const { clientId, adminGroup } = this.#config
    const provider = await this.#metadata.forceFetch('provider')
    const tokens = await reported(
      'The ID token',
      authorizationCodeGrant(provider, callback, {
        pkceCodeVerifier: codeVerifier,
        expectedNonce: nonce,
        expectedState: skipStateCheck,
      }),
    )
    const claims = tokens.claims()
    if (!claims?.sub || tokens.id_token === undefined) throw new ProviderError('The ID token has no subject.')
    if (claims['azp'] !== undefined && claims['azp'] !== clientId) {
      throw new ProviderError('The ID token was issued to another client.')
    }
    const own = claimsShape.parse(claims)
    const isComplete =
      own.email !== undefined &&
      displayName(own) !== null &&
      (adminGroup === null || own.groups !== undefined)
    const other =
      isComplete || provider.serverMetadata().userinfo_endpoint === undefined
        ? own
        : claimsShape.parse(
            await reported('The user info', fetchUserInfo(provider, tokens.access_token, claims.sub)),
          )
    // The address and its verification are of one source.
    const { email = null, email_verified: isEmailVerified = false } = own.email === undefined ? other : own
    const known = { ...other, ...definedOf(own) }
    return {
      idToken: tokens.id_token,
      claims: {
        sub: claims.sub,
        email,
        isEmailVerified,
        name: displayName(known),
        groups: known.groups ?? [],
        /** Time at which the user last proved their identity to the provider, in milliseconds since 1970; null if unknown. */
        authenticatedAt: known.auth_time === undefined ? null : known.auth_time * 1_000,
      },
    }
  }

  /**
   * Returns the page of the provider that ends its session; null if it has none.
   *
   * @see https://openid.net/specs/openid-connect-rpinitiated-1_0.html
   */
  async endSessionUrl(idToken: string, returnTo: string): Promise<URL | null> {
    const provider = await this.#metadata.forceFetch('provider')
    if (provider.serverMetadata().end_session_endpoint === undefined) return null
    return buildEndSessionUrl(provider, { id_token_hint: idToken, post_logout_redirect_uri: returnTo })
  }
}

function displayName(claims: z.output<typeof claimsShape>): string | null {
  const parts = [claims.given_name, claims.family_name].filter(Boolean).join(' ')
  return claims.name || parts || claims.preferred_username || null
}

import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { createAuthorizationURL } from 'better-auth/oauth2'
import { z } from 'zod'
import type { OidcConfig } from '../../config/auth-section.ts'
import {
  fetchJson,
  MetadataReader,
  ProviderError,
  providerTimeoutMs,
  signingAlgorithms,
  type ProviderMetadata,
} from './provider-metadata.ts'

/** Clocks of two servers differ. */
const clockToleranceSeconds = 60

/** Tokens of one sign-in. They are used at once and, but for the ID token, not stored. */
export interface ProviderTokens {
  readonly idToken: string
  readonly accessToken: string | null
}

/** Claims about the user who signed in, of the ID token and, where it lacks some, of the userinfo endpoint. */
export interface UserClaims {
  /** Identifies the user at the provider. */
  readonly sub: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  /** Null if the provider sends none. */
  readonly name: string | null
  readonly groups: readonly string[]
  /** Time at which the user last proved their identity to the provider, in milliseconds since 1970; null if unknown. */
  readonly authenticatedAt: number | null
}

const tokenResponse = z.object({ id_token: z.string(), access_token: z.string().optional() })

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

type Claims = z.infer<typeof claimsShape>

/**
 * The site as a client of an OpenID Connect provider: authorization code flow with PKCE, state and nonce.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth
 */
export class OidcClient {
  readonly #config: OidcConfig
  readonly #metadata: MetadataReader
  #keys: { readonly url: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null = null

  /** @param onFailedRefresh called when metadata that are known could not be read again */
  constructor(config: OidcConfig, onFailedRefresh: (error: unknown) => void) {
    this.#config = config
    this.#metadata = new MetadataReader(config.issuer, onFailedRefresh)
  }

  /** The provider's issuer identifier; undefined before the first request to it. */
  get issuer(): string | undefined {
    return this.#metadata.issuer
  }

  /**
   * Returns the page of the provider where the user signs in.
   *
   * @throws ProviderError
   */
  async authorizationUrl(request: {
    readonly state: string
    readonly nonce: string
    readonly codeVerifier: string
    readonly redirectURI: string
    readonly additionalParams?: Record<string, string> | undefined
  }): Promise<URL> {
    const { authorization_endpoint } = await this.#metadata.read()
    const { nonce, ...data } = request
    return createAuthorizationURL({
      ...data,
      id: 'oidc',
      options: { clientId: this.#config.clientId },
      authorizationEndpoint: authorization_endpoint,
      scopes: [...new Set(['openid', 'profile', 'email', ...this.#config.scopes])],
      nonce,
    })
  }

  /**
   * Exchanges an authorization code for tokens.
   *
   * @throws ProviderError
   */
  async exchange(request: {
    readonly code: string
    readonly codeVerifier: string
    readonly redirectURI: string
  }): Promise<ProviderTokens> {
    const metadata = await this.#metadata.read()
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: request.code,
      code_verifier: request.codeVerifier,
      redirect_uri: request.redirectURI,
    })
    const headers = this.#authenticate(metadata, body)
    const { data } = tokenResponse.safeParse(
      await fetchJson(metadata.token_endpoint, { method: 'POST', body, headers }),
    )
    if (!data) throw new ProviderError(`${metadata.token_endpoint} returned no ID token.`)
    return { idToken: data.id_token, accessToken: data.access_token ?? null }
  }

  /** Adds the client's credentials to a token request, as headers or in its body. */
  #authenticate(metadata: ProviderMetadata, body: URLSearchParams): Record<string, string> {
    const { clientId, clientSecret } = this.#config
    const methods = metadata.token_endpoint_auth_methods_supported
    if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
      body.set('client_id', clientId)
      body.set('client_secret', clientSecret)
      return {}
    }
    // Each part is form-encoded first. @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
    const credentials = `${formEncode(clientId)}:${formEncode(clientSecret)}`
    return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  }

  /**
   * Verifies the ID token and returns the claims about the user.
   *
   * @param nonce value sent with the authorization request
   * @throws ProviderError
   */
  async claimsOf({ idToken, accessToken }: ProviderTokens, nonce: string): Promise<UserClaims> {
    const metadata = await this.#metadata.read()
    const payload = await this.#verify(idToken, metadata, nonce)
    const { sub } = payload
    if (!sub) throw new ProviderError('The ID token has no subject.')
    const own = claimsShape.parse(payload)
    const isComplete =
      own.email !== undefined &&
      displayName(own) !== null &&
      (this.#config.adminGroup === null || own.groups !== undefined)
    const { userinfo_endpoint } = metadata
    if (isComplete || userinfo_endpoint === undefined || accessToken === null) return userClaims(sub, own)
    const other = await readUserInfo(userinfo_endpoint, accessToken, sub)
    // The address and its verification are of one source.
    const { email, email_verified } = own.email === undefined ? other : own
    return userClaims(sub, { ...other, ...definedOf(own), email, email_verified })
  }

  async #verify(idToken: string, metadata: ProviderMetadata, nonce: string): Promise<JWTPayload> {
    const { clientId } = this.#config
    let payload: JWTPayload
    try {
      const verified = await jwtVerify(idToken, this.#keysAt(metadata.jwks_uri), {
        issuer: metadata.issuer,
        audience: clientId,
        algorithms: signingAlgorithms(metadata),
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'iat'],
      })
      payload = verified.payload
    } catch (cause) {
      const reason = cause instanceof errors.JOSEError ? ` (${cause.code})` : ''
      throw new ProviderError(`The ID token is not valid${reason}.`, { cause })
    }
    if (payload['nonce'] !== nonce) throw new ProviderError('The ID token is of another sign-in.')
    // @see https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((isForSeveral || payload['azp'] !== undefined) && payload['azp'] !== clientId) {
      throw new ProviderError('The ID token was issued to another client.')
    }
    return payload
  }

  #keysAt(url: string): ReturnType<typeof createRemoteJWKSet> {
    if (this.#keys?.url !== url) {
      const set = createRemoteJWKSet(new URL(url), { timeoutDuration: providerTimeoutMs })
      this.#keys = { url, set }
    }
    return this.#keys.set
  }

  /**
   * Returns the page of the provider that ends its session; null if it has none.
   *
   * @see https://openid.net/specs/openid-connect-rpinitiated-1_0.html
   */
  async endSessionUrl(idToken: string, returnTo: string): Promise<URL | null> {
    const { end_session_endpoint } = await this.#metadata.read()
    if (end_session_endpoint === undefined) return null
    const url = new URL(end_session_endpoint)
    url.searchParams.set('id_token_hint', idToken)
    url.searchParams.set('client_id', this.#config.clientId)
    url.searchParams.set('post_logout_redirect_uri', returnTo)
    return url
  }
}

async function readUserInfo(url: string, accessToken: string, sub: string): Promise<Claims> {
  const answer = await fetchJson(url, { headers: { authorization: `Bearer ${accessToken}` } })
  // Without this check, claims of one user could be used for another.
  // @see https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse
  if (z.object({ sub: z.literal(sub) }).safeParse(answer).success) return claimsShape.parse(answer)
  throw new ProviderError(`${url} answered for another user.`)
}

function userClaims(sub: string, claims: Claims): UserClaims {
  return {
    sub,
    email: claims.email ?? null,
    isEmailVerified: claims.email_verified ?? false,
    name: displayName(claims),
    groups: claims.groups ?? [],
    authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * 1_000,
  }
}

function displayName(claims: Claims): string | null {
  const parts = [claims.given_name, claims.family_name].filter(Boolean).join(' ')
  return claims.name || parts || claims.preferred_username || null
}

function definedOf(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1)
}

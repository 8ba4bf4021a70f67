import { z } from 'zod'

/** Time for one request to the provider. */
export const providerTimeoutMs = 10_000

/** Age at which the metadata is read again. */
const metadataMaxAgeMs = 60 * 60 * 1_000

/** https or, as in tests and on a developer's machine, http on a loopback address. */
const endpoint = z.string().refine(isSafeEndpoint, 'is neither an https URL nor one of this machine')

const metadataShape = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional(),
  // The defaults are those of the specification.
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  scopes_supported: z.array(z.string()).optional(),
})

/**
 * Parts of a provider's discovery document that sign-in uses.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata
 */
export type ProviderMetadata = z.infer<typeof metadataShape>

/** The provider did not answer, or its answer cannot be used. The message contains no credentials. */
export class ProviderError extends Error {
  /** OAuth error code of the provider's answer; null if it has none. */
  readonly code: string | null

  constructor(
    message: string,
    { code = null, ...options }: ErrorOptions & { readonly code?: string | null } = {},
  ) {
    super(message, options)
    this.name = 'ProviderError'
    this.code = code
  }
}

/** Returns the URL of an issuer's discovery document. */
export function discoveryUrl(issuer: string): string {
  return `${withoutSlash(issuer)}/.well-known/openid-configuration`
}

/**
 * Parses a discovery document.
 *
 * @throws ProviderError if it is of another issuer, or lacks an endpoint
 */
export function parseMetadata(document: unknown, issuer: string): ProviderMetadata {
  const { data, error } = metadataShape.safeParse(document)
  if (!data) {
    const [issue] = error.issues
    throw new ProviderError(
      `The discovery document is invalid: ${issue?.path.join('.') || 'it'} ${issue?.message}.`,
    )
  }
  if (withoutSlash(data.issuer) !== withoutSlash(issuer)) {
    throw new ProviderError(`The discovery document is of the issuer ${data.issuer}, and not of ${issuer}.`)
  }
  return data
}

/** The configured issuer has no trailing slash; that of the provider may have one. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '')
}

/** Algorithms of ID tokens that are signed by a key pair, whose public key the provider publishes. */
export function signingAlgorithms({ id_token_signing_alg_values_supported }: ProviderMetadata): string[] {
  return id_token_signing_alg_values_supported.filter((name) =>
    /^(?:RS|PS|ES)\d+$|^EdDSA$|^Ed25519$/.test(name),
  )
}

/** Reads a provider's metadata when it is first needed, so that the site starts without the provider. */
export class MetadataReader {
  readonly #issuer: string
  readonly #onFailedRefresh: (error: unknown) => void
  #known: { readonly metadata: ProviderMetadata; readonly readAt: number } | null = null
  #running: Promise<ProviderMetadata> | null = null

  /** @param onFailedRefresh called when metadata that are known could not be read again */
  constructor(issuer: string, onFailedRefresh: (error: unknown) => void) {
    this.#issuer = issuer
    this.#onFailedRefresh = onFailedRefresh
  }

  /** The issuer as it names itself; undefined before the first reading. */
  get issuer(): string | undefined {
    return this.#known?.metadata.issuer
  }

  /** @throws ProviderError */
  async read(): Promise<ProviderMetadata> {
    if (!this.#known) return this.#refresh()
    // Endpoints rarely change, so that no user has to wait for the new metadata, or be kept out for lack of it.
    if (!this.#running && performance.now() - this.#known.readAt >= metadataMaxAgeMs)
      this.#refresh().catch(this.#onFailedRefresh)
    return this.#known.metadata
  }

  #refresh(): Promise<ProviderMetadata> {
    this.#running ??= this.#fetch().finally(() => (this.#running = null))
    return this.#running
  }

  async #fetch(): Promise<ProviderMetadata> {
    const metadata = parseMetadata(await fetchJson(discoveryUrl(this.#issuer)), this.#issuer)
    this.#known = { metadata, readAt: performance.now() }
    return metadata
  }
}

/**
 * Requests JSON from the provider. Redirects are not followed, as they could lead to another host with the credentials.
 *
 * @throws ProviderError
 */
export async function fetchJson(
  url: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(providerTimeoutMs),
    })
    text = await response.text()
  } catch (cause) {
    throw new ProviderError(`${url} cannot be reached.`, { cause })
  }
  if (!response.ok) {
    const code = errorCodeIn(text)
    throw new ProviderError(`${url} answered ${response.status}${code === null ? '' : ` (${code})`}.`, {
      code,
    })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProviderError(`${url} did not answer with JSON.`, { cause })
  }
}

/** The error code of an OAuth error response, which names the setting to change. */
function errorCodeIn(text: string): string | null {
  return /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1] ?? null
}

function isSafeEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

import { z } from 'zod'
import { nameLimit } from '../../shared/limits.ts'
import { truncateText } from '../../shared/text-length.ts'
import type { UserServices } from '../access/user-access.ts'
import { isLoopbackHost } from '../network/addresses.ts'
import { msPerDay } from '../db/gallery.ts'
import { parseJson, readBytes } from '../engines/engine-http.ts'
import { AppError } from '../errors/app-error.ts'
import { openRequest } from '../network/open-request.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { cleanText } from '../text/clean-text.ts'
import { Signer } from '../text/signer.ts'
import type { Clock } from '../time/clock.ts'
import type { PinUrl } from '../network/pin-url.ts'

/** Services that the procedures take. Not in the router's file, whose types the client package contains. */
export interface ProgramServices extends UserServices {
  readonly oauthClients: OAuthClients
}

interface OAuthClientServices {
  readonly pinUrl: PinUrl
  readonly secret: string
  readonly now: Clock
  /** Limits documents that are fetched, by user id. */
  readonly fetches: RateLimiter
  readonly isRegistrationOpen: boolean
}

/** Length of client ids and redirect URIs, which come in addresses. */
export const clientIdMaxLength = 2_000

const documentMaxBytes = 64 * 1_024
const documentTimeoutMs = 5_000
const registrationMs = 90 * msPerDay

/** What a program says about itself. Nothing of it is verified. */
const metadata = z.object({
  client_name: z
    .string()
    .default('')
    .transform((name) => truncateText(cleanText(name), nameLimit) || 'MCP'),
  redirect_uris: z.array(z.string().refine(isRedirectUri)).min(1).max(50),
})

type OAuthClient = z.output<typeof metadata>

/**
 * Finds programs by their ids: the URL of a metadata document, or a registration. A registration is not stored: its id contains
 * it, signed by the site.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export class OAuthClients {
  readonly #services: OAuthClientServices
  readonly #signer: Signer

  constructor(services: OAuthClientServices) {
    this.#services = services
    this.#signer = new Signer(services.secret, 'OAuth clients')
  }

  /** Finds the program that asks a user. @throws AppError `not_found` if there is none, `rate_limited` */
  async find(clientId: string, userId: string): Promise<OAuthClient> {
    if (!hasDocument(clientId)) return this.#read(clientId) ?? unknownProgram()
    await this.#services.fetches.consume(userId)
    return this.#fetch(clientId).catch(unknownProgram)
  }

  /** Registers a program, whose id expires. @returns null for metadata that are not valid, or too long */
  register(body: unknown): (OAuthClient & { readonly client_id: string }) | null {
    const { data } = metadata.safeParse(body)
    const content = JSON.stringify({ ...data, expiresAt: this.#services.now() + registrationMs })
    const encoded = Buffer.from(content).toString('base64url')
    const client_id = `${encoded}.${this.#signer.sign(encoded)}`
    return data && client_id.length <= clientIdMaxLength ? { ...data, client_id } : null
  }

  /** Checks an id, without requesting its document. */
  mayBeKnown(clientId: string): boolean {
    return hasDocument(clientId) || this.#read(clientId) !== null
  }

  /** Signs a text that is no id. */
  sign(text: string): string {
    return this.#signer.sign(text)
  }

  #read(clientId: string): OAuthClient | null {
    const { isRegistrationOpen, now } = this.#services
    const [encoded = '', signature = ''] = clientId.split('.')
    if (!isRegistrationOpen || !this.#signer.isSigned(encoded, signature)) return null
    const client = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as OAuthClient & {
      readonly expiresAt: number
    }
    return client.expiresAt > now() ? client : null
  }

  /** Reads a metadata document, from an address that a webhook could have. Redirects are not followed. */
  async #fetch(clientId: string): Promise<OAuthClient> {
    const { pinUrl } = this.#services
    const url = new URL(clientId)
    const signal = AbortSignal.timeout(documentTimeoutMs)
    const headers = { accept: 'application/json', 'user-agent': 'Rangoli' }
    const response = await openRequest({ url, method: 'GET', headers, signal, pin: pinUrl })
    if (response.statusCode !== 200) throw new Error(`The status is ${response.statusCode}.`)
    const text = (await readBytes(response, documentMaxBytes)).toString()
    return metadata.extend({ client_id: z.literal(clientId) }).parse(parseJson(text))
  }
}

function hasDocument(clientId: string): boolean {
  return /^https?:/.test(clientId)
}

/** @throws AppError `not_found` */
export function unknownProgram(cause?: unknown): never {
  // Without a detail, whose translations every page would load.
  throw new AppError('not_found', 'Unknown program or address.', { cause })
}

/** Schemes that run code or open content in the browser itself or another one, or settings of the system. */
const browserSchemes =
  /^(?:about|blob|brave.*|(?:google)?chrome.*|data|devtools|(?:microsoft-)?edge.*|file|filesystem|firefox.*|ftp|intent|jar|javascript|mailto|moz-.*|ms-.*|opera.*|res.*|search-ms|sms|tel|vbscript|view-source|wss?|x-javascript|x-safari-.*):$/

/** Checks a redirect URI: https, http on the user's own machine, or the scheme of an application. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return false
  if (protocol === 'http:') return isLoopbackHost(hostname)
  return /^[a-z][a-z\d+.-]*:\//i.test(text) && !browserSchemes.test(protocol)
}

/**
 * Checks whether a redirect URI is one of a program: exactly, except for the port of a program on the user's own machine, which
 * the system chooses.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
export function isRedirectUriOf(client: OAuthClient, text: string): boolean {
  return isRedirectUri(text) && client.redirect_uris.some((uri) => withoutPort(uri) === withoutPort(text))
}

/** Returns a redirect URI on the user's own machine without its port; any other unchanged. */
function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return url.protocol === 'http:' ? url.href : text
}

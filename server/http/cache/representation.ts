import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'

/** `Cache-Control` of what an address never shows otherwise. */
export const immutable = 'public, max-age=31536000, immutable'

/** Smaller bodies are sent uncompressed: they fit into one packet either way. */
const minCompressedBytes = 1_024

/** `trpc-accept` selects a stream at the same URL. */
const commonVary = 'Accept-Encoding, trpc-accept'

/** Supported content encodings, best first. */
const encodings = ['br', 'gzip'] as const

type Encoding = (typeof encodings)[number]

/** A type that `Response` accepts as body. */
type Body = Uint8Array<ArrayBuffer>

const compressors = {
  // Quality 5 takes as long as gzip, and its output is smaller.
  br: (body: Body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Body) => promisify(gzip)(body),
} satisfies Record<Encoding, (body: Body) => Promise<Buffer>>

/** A successful response that can be sent to any number of clients, compressed once per encoding. */
export class Representation {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** Weak, as all encodings of the same content share it. */
  readonly etag: string
  readonly #compressed = new Map<Encoding, Promise<Body>>()

  /** @param headers those of the content; caching headers are added per response */
  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
    this.etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  }

  /**
   * Creates the response to a request: 304 if the client has this content, else 200 in its best encoding.
   *
   * @param varyBy request headers that the content depends on
   */
  async respond(c: Context, cacheControl: string, varyBy?: string): Promise<Response> {
    const { body, etag } = this
    const vary = varyBy === undefined ? commonVary : `${commonVary}, ${varyBy}`
    const headers = { ...this.headers, etag, vary, 'cache-control': cacheControl }
    if (matchesEtag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers })
    const encoding =
      body.byteLength < minCompressedBytes ? null : bestEncoding(c.req.header('accept-encoding'))
    const sent = encoding ? await this.#compress(encoding) : body
    return new Response(sent, {
      headers: {
        ...headers,
        'content-length': String(sent.byteLength),
        ...(encoding && { 'content-encoding': encoding }),
      },
    })
  }

  #compress(encoding: Encoding): Promise<Body> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const compressing = compressors[encoding](this.body).then((bytes) => new Uint8Array(bytes))
    this.#compressed.set(encoding, compressing)
    return compressing
  }
}

/** Returns the best encoding that `Accept-Encoding` allows, or null for none. */
export function bestEncoding(header: string | undefined): Encoding | null {
  if (!header) return null
  const accepted = parseAccept(header)
  const quality = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q
  const wildcard = quality('*') ?? 0
  return encodings.find((encoding) => (quality(encoding) ?? wildcard) > 0) ?? null
}

/** Compares weakly. @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === opaque)
}

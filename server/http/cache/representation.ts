import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accepted-encoding.ts'

/** Bytes that a Response can be made of. */
type Body = Uint8Array<ArrayBuffer>

const compressors = {
  // A quality as fast as gzip, and smaller.
  br: (body: Body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Body) => promisify(gzip)(body),
} satisfies Record<Encoding, (body: Body) => Promise<Buffer>>

/** What an answer says, ready to be sent to any number of readers, as it is or compressed. */
export class Representation {
  readonly body: Body
  /** Those that belong to the content. */
  readonly headers: Readonly<Record<string, string>>
  /** Weak, as it is the same for all encodings of the same content. */
  readonly etag: string
  readonly #compressed = new Map<Encoding, Promise<Body>>()

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
    this.etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  }

  /** The body compressed; once for all who ask. */
  compressed(encoding: Encoding): Promise<Body> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const compressing = compressors[encoding](this.body).then((bytes) => new Uint8Array(bytes))
    this.#compressed.set(encoding, compressing)
    return compressing
  }
}

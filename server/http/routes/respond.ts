import type { Context } from 'hono'
import { acceptedEncoding } from '../cache/accepted-encoding.ts'
import { matchesEtag } from '../cache/matches-etag.ts'
import type { Representation } from '../cache/representation.ts'

/** Below this many bytes an answer fits into one packet either way. */
const compressedFrom = 1_024

/** The header in which a client says that it wants a stream, which has an answer of its own. */
const vary = 'Accept-Encoding, trpc-accept'

/**
 * Answers with what a reader does not have yet: nothing where its ETag shows that it is unchanged, else the whole,
 * compressed where the reader can take that.
 */
export async function respond(
  c: Context,
  representation: Representation,
  cacheControl: string,
): Promise<Response> {
  const { etag, body } = representation
  const headers = { ...representation.headers, etag, vary, 'cache-control': cacheControl }
  if (matchesEtag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const encoding = body.byteLength < compressedFrom ? null : acceptedEncoding(c.req.header('accept-encoding'))
  const sent = encoding ? await representation.compressed(encoding) : body
  const length = String(sent.byteLength)
  return new Response(sent, {
    headers: encoding
      ? { ...headers, 'content-length': length, 'content-encoding': encoding }
      : { ...headers, 'content-length': length },
  })
}

import type { IncomingMessage } from 'node:http'
import { readErrorBody } from './error-body.ts'
import { openRequest } from './open-request.ts'
import { readBytes } from './read-bytes.ts'

/** What of an error answer is read at all. */
const errorMaxBytes = 1_000_000

/** Statuses whose answers have no body, and must not be given one. */
const withoutBody = new Set([204, 205, 304])

/**
 * The `fetch` that the SDK is given: bounded by the request's signal alone, and with error answers put into OpenAI's
 * shape, as the SDK forgets all that is not under `error`.
 */
export async function endpointFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { body, method } = init
  const isRead = method === 'GET' && !body
  if (input instanceof Request || !(isRead || typeof body === 'string')) {
    throw new TypeError('only JSON is sent from here')
  }
  const incoming = await openRequest({
    url: new URL(input),
    method: isRead ? 'GET' : 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof body === 'string' && { body }),
    signal: init.signal ?? new AbortController().signal,
  })
  const status = incoming.statusCode ?? 0
  const headers = copyHeaders(incoming)
  if (withoutBody.has(status)) {
    incoming.destroy()
    return new Response(null, { status, headers })
  }
  if (status >= 200 && status < 300) return new Response(ReadableStream.from(incoming), { status, headers })
  // Of an error that is too long or cut off, the status is still known.
  const text = await readBytes(incoming, errorMaxBytes).catch(() => '')
  return Response.json({ error: readErrorBody(text.toString()) }, { status, headers })
}

function copyHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}

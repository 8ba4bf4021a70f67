import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { Readable } from 'node:stream'

type FetchInit = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/** Like `fetch`, but does not decompress the body. */
export type Fetch = (url: string | URL | Request, init?: FetchInit) => Promise<Response>

/**
 * Creates a `fetch` that trusts a certificate and sends requests from a loopback address.
 *
 * @param certificate path of a PEM file
 * @param from local address, any of 127.0.0.0/8
 */
export function createHttpsFetch(certificate: string, from: string): Fetch {
  const ca = readFileSync(certificate)
  return async (url, init = {}) => {
    const outgoing = new Request(url, { ...init, signal: init.signal ?? null })
    const body = Buffer.from(await outgoing.arrayBuffer())
    const { method, signal } = outgoing
    const headers = Object.fromEntries(outgoing.headers)
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      request(outgoing.url, { method, headers, signal, ca, localAddress: from, agent: false }, resolve)
        .on('error', reject)
        .end(body)
    })
    return toResponse(incoming)
  }
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value)
  const status = incoming.statusCode ?? 0
  const isEmpty = status === 204 || status === 304
  if (isEmpty) incoming.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), {
    status,
    headers,
  })
}

import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { Readable } from 'node:stream'

type Ask = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/** Asks, and answers with the body as it came, compressed or not. */
export type Fetch = (url: string | URL | Request, ask?: Ask) => Promise<Response>

/**
 * `fetch` for a server with a certificate of ours, from one of this machine's own addresses, which are many:
 * 127.0.0.1 and everything after it.
 */
export function createHttpsFetch(certificate: string, from: string): Fetch {
  const ca = readFileSync(certificate)
  return async (url, ask = {}) => {
    const sent = new Request(url, { ...ask, signal: ask.signal ?? null })
    const body = Buffer.from(await sent.arrayBuffer())
    const { method, signal } = sent
    const headers = Object.fromEntries(sent.headers)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(sent.url, { method, headers, signal, ca, localAddress: from, agent: false }, resolve)
        .on('error', reject)
        .end(body)
    })
    return asResponse(answer)
  }
}

function asResponse(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(name, value)
  const status = answer.statusCode ?? 0
  const isEmpty = status === 204 || status === 304
  if (isEmpty) answer.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), {
    status,
    headers,
  })
}

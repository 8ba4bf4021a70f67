import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** What a proxy does with an answer: hands it on as it comes, at its end, or at its end and compressed. */
export type ProxyManner = 'passes' | 'buffers' | 'compresses'

interface ProxyOptions {
  /** False: it does not say for whom it asks. */
  readonly forwards?: boolean
  /** Headers that it puts in place of those that came. */
  readonly replaces?: Record<string, string>
}

/** A proxy on loopback in front of a server, for one test; returns its address. */
export async function startProxy(
  target: string,
  manner: ProxyManner,
  { forwards = true, replaces = {} }: ProxyOptions = {},
): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const { 'x-forwarded-for': before } = incoming.headers
    const client = incoming.socket.remoteAddress ?? ''
    const headers = {
      ...incoming.headers,
      ...(forwards && { 'x-forwarded-for': before ? `${String(before)}, ${client}` : client }),
      ...replaces,
    }
    const onward = request(target + (incoming.url ?? ''), {
      method: incoming.method ?? 'GET',
      headers,
      agent: false,
    })
    onward.on('response', (answer) => void handOn(answer, response, manner))
    onward.on('error', () => response.writeHead(502).end())
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(async () => {
    proxy.close()
    proxy.closeAllConnections()
    if (proxy.listening) await once(proxy, 'close')
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function handOn(answer: IncomingMessage, response: ServerResponse, manner: ProxyManner): Promise<void> {
  const { statusCode = 0, headers } = answer
  if (manner === 'passes') {
    response.writeHead(statusCode, headers)
    answer.pipe(response)
    return
  }
  if (manner === 'buffers') {
    const body = await buffer(answer)
    response.writeHead(statusCode, headers).end(body)
    return
  }
  const { 'content-length': _, ...others } = headers
  response.writeHead(statusCode, { ...others, 'content-encoding': 'gzip' })
  // The compressor sends the beginning of its format at once and keeps the rest until it has enough.
  answer.pipe(createGzip()).pipe(response)
}

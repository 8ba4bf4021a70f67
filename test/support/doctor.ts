import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { Line } from '../../server/ops/doctor/report.ts'

/** Formats lines to compare: level, text, and after an arrow the fix. */
export function linesOf(lines: readonly Line[]): string[] {
  return lines.map(({ level, text, fix }) => `${level}: ${text}${fix === undefined ? '' : ` → ${fix}`}`)
}

/** Handling of responses: streamed, buffered to their end, or compressed. */
export type ProxyMode = 'passes' | 'buffers' | 'compresses'

interface ProxyOptions {
  /** False to omit X-Forwarded-For. */
  readonly forwards?: boolean
  /** Request headers to replace. */
  readonly replaces?: Record<string, string>
}

/** Starts a proxy on loopback for the current test, and returns its address. */
export async function startProxy(
  target: string,
  mode: ProxyMode,
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
    const upstream = request(target + (incoming.url ?? ''), {
      method: incoming.method ?? 'GET',
      headers,
      agent: false,
    })
    upstream.on('response', (reply) => void forward(reply, response, mode))
    upstream.on('error', () => response.writeHead(502).end())
    incoming.pipe(upstream)
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

async function forward(reply: IncomingMessage, response: ServerResponse, mode: ProxyMode): Promise<void> {
  const { statusCode = 0, headers } = reply
  if (mode === 'passes') {
    response.writeHead(statusCode, headers)
    reply.pipe(response)
    return
  }
  if (mode === 'buffers') {
    const body = await buffer(reply)
    response.writeHead(statusCode, headers).end(body)
    return
  }
  const { 'content-length': _, ...others } = headers
  response.writeHead(statusCode, { ...others, 'content-encoding': 'gzip' })
  // Gzip sends its header immediately and buffers the rest.
  reply.pipe(createGzip()).pipe(response)
}

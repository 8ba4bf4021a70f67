import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { startLoopbackServer } from './loopback-server.ts'
import type { Line } from '../../server/ops/doctor/report.ts'

/** Formats the lines of a check to compare: level, text, and after an arrow the fix. */
export async function linesOf(lines: AsyncIterable<Line> | Iterable<Line>): Promise<string[]> {
  const formatted: string[] = []
  for await (const { level, text, fix } of lines)
    formatted.push(`${level}: ${text}${fix === undefined ? '' : ` → ${fix}`}`)
  return formatted
}

interface ProxyOptions {
  /** True to hold streamed responses back to their end. */
  readonly buffers?: boolean
  /** False to omit X-Forwarded-For. */
  readonly forwards?: boolean
  /** Request headers to replace. */
  readonly replaces?: Record<string, string>
}

/** Starts a proxy on loopback for the current test, and returns its address. */
export async function startProxy(
  target: string,
  { buffers = false, forwards = true, replaces = {} }: ProxyOptions = {},
): Promise<string> {
  const { origin, stop } = await startLoopbackServer(async (incoming, response) => {
    const { 'x-forwarded-for': before } = incoming.headers
    const client = incoming.socket.remoteAddress ?? ''
    const headers = {
      ...incoming.headers,
      ...(forwards && { 'x-forwarded-for': before ? `${String(before)}, ${client}` : client }),
      ...replaces,
    }
    const method = incoming.method ?? 'GET'
    const upstream = request(target + (incoming.url ?? ''), { method, headers, agent: false })
    upstream.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers)
      if (buffers) void buffer(reply).then((body) => response.end(body))
      else reply.pipe(response)
    })
    upstream.on('error', () => response.writeHead(502).end())
    incoming.pipe(upstream)
  })
  onTestFinished(stop)
  return origin
}

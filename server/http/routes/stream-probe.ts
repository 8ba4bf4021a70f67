import { ReadableStream } from 'node:stream/web'
import { setTimeout } from 'node:timers/promises'
import type { Context, Handler } from 'hono'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { createRateLimiter } from '../../rate-limits/rate-limiter.ts'

/** Headers of tRPC responses, in addition to those that tRPC sets. */
export const callHeaders = { 'Cache-Control': 'private, no-cache' } as const

/**
 * Headers of streams. `X-Accel-Buffering` makes nginx forward each chunk at once; on other responses it would disable
 * nginx's cache.
 */
export const streamHeaders = { ...callHeaders, 'X-Accel-Buffering': 'no' } as const

/** Headers of subscriptions, in addition to those that tRPC sets. */
export const eventStreamHeaders = { 'Cache-Control': 'private, no-cache, no-transform' } as const

const probesPerMinute = 30

/**
 * Streams a few lines with pauses between them, with the headers of tRPC streams. The times at which they arrive show
 * whether a proxy buffers streams.
 *
 * @throws AppError `rate_limited`
 */
export function serveStreamProbe(clientNetwork: (c: Context) => string): Handler {
  const limiter = createRateLimiter(probesPerMinute, 60)
  return async (c) => {
    await limiter.consume(clientNetwork(c))
    const proxies = c.req.header('x-forwarded-for')?.split(',').length ?? 0
    return new Response(ReadableStream.from(slowLines()) as BodyInit, {
      headers: {
        ...streamHeaders,
        'Content-Type': 'application/json',
        [streamProbe.proxiesHeader]: String(proxies),
      },
    })
  }
}

/** Produces a line only when the previous one has been read, so that nothing runs after a disconnection. */
async function* slowLines(): AsyncGenerator<Uint8Array> {
  for (let line = 1; line <= streamProbe.lines; line += 1) {
    if (line > 1) await setTimeout(streamProbe.intervalMs)
    yield Buffer.from(`${JSON.stringify({ line, of: streamProbe.lines })}\n`)
  }
}

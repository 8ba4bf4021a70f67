import { setTimeout } from 'node:timers/promises'
import type { Context, Handler } from 'hono'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { createRateLimiter } from '../../rate-limits/rate-limiter.ts'
import { streamHeaders } from '../stream-headers.ts'

/** How often a network may ask for the stream, in times a minute: it costs little, and nobody needs it often. */
const timesAMinute = 30

/**
 * Streams a few lines with pauses between them, under the headers that the streams of procedures have. By when they
 * arrive anyone can tell whether a proxy on the way holds a stream back.
 *
 * @throws AppError `rate_limited`
 */
export function serveStreamProbe(clientNetwork: (c: Context) => string): Handler {
  const limiter = createRateLimiter(timesAMinute, 60)
  return async (c) => {
    await limiter.take(clientNetwork(c))
    const proxies = c.req.header('x-forwarded-for')?.split(',').length ?? 0
    return new Response(slowLines(), {
      headers: { ...streamHeaders, [streamProbe.proxiesHeader]: String(proxies) },
    })
  }
}

/** Makes a line when the one before has been taken, so that nothing runs for who has left. */
function slowLines(): ReadableStream<Uint8Array> {
  let line = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (line > 0) await setTimeout(streamProbe.interval)
        line += 1
        controller.enqueue(Buffer.from(`${JSON.stringify({ line, of: streamProbe.lines })}\n`))
        if (line === streamProbe.lines) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

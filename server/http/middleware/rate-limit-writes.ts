import type { Context, MiddlewareHandler } from 'hono'
import type { RateLimiter } from '../../rate-limits/rate-limiter.ts'
import { isReading } from '../safe-methods.ts'

/**
 * Limits how often one network writes, whoever calls from it.
 *
 * @throws AppError `rate_limited`
 */
export function limitWrites(
  ofAddress: RateLimiter,
  clientNetwork: (c: Context) => string,
): MiddlewareHandler {
  return async (c, next) => {
    if (!isReading(c.req.method)) await ofAddress.take(clientNetwork(c))
    await next()
  }
}

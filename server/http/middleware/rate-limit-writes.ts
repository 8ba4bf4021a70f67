import type { Context, MiddlewareHandler } from 'hono'
import type { RateLimiter } from '../../rate-limits/rate-limiter.ts'
import { isSafeMethod } from '../safe-methods.ts'

/**
 * Limits how often one network writes, whoever calls from it.
 *
 * @throws AppError `rate_limited`
 */
export function rateLimitWrites(
  ofAddress: RateLimiter,
  clientNetwork: (c: Context) => string,
): MiddlewareHandler {
  return async (c, next) => {
    if (!isSafeMethod(c.req.method)) await ofAddress.take(clientNetwork(c))
    await next()
  }
}

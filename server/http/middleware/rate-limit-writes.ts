import type { Context, MiddlewareHandler } from 'hono'
import type { RateLimiter } from '../../rate-limits/rate-limiter.ts'
import { isSafeMethod } from './csrf.ts'

/**
 * Limits the writes of each client network.
 *
 * @throws AppError `rate_limited`
 */
export function rateLimitWrites(
  limiter: RateLimiter,
  clientNetwork: (c: Context) => string,
): MiddlewareHandler {
  return async (c, next) => {
    if (!isSafeMethod(c.req.method)) await limiter.consume(clientNetwork(c))
    await next()
  }
}

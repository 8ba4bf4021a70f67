import type { MiddlewareHandler } from 'hono'
import { readCredentials } from '../../auth/authenticator.ts'
import type { Config } from '../../config/config.ts'
import { isOwnOrigin } from '../../config/site-origin.ts'
import { AppError } from '../../errors/app-error.ts'
import { isSafeMethod } from '../safe-methods.ts'

/**
 * A browser sends cookies along with what other sites make it post. So a write with a cookie must name this
 * site as its origin; one with a bearer token need not, as its cookie is ignored. Where cookies are given out
 * no other site may be named at all, or it could sign its visitors in to an account that it watches.
 *
 * @throws AppError `forbidden`
 */
export function csrfProtection(config: Config): MiddlewareHandler {
  return async (c, next) => {
    const { headers, method } = c.req.raw
    const usesCookie = headers.has('cookie') && readCredentials(headers).bearer === null
    const getsCookie = c.req.path.startsWith('/api/auth/') && headers.has('origin')
    if (
      !isSafeMethod(method) &&
      (usesCookie || getsCookie) &&
      !isOwnOrigin(config, headers, headers.get('origin') ?? '')
    ) {
      throw new AppError('forbidden', 'This request came from another site.')
    }
    await next()
  }
}

import type { MiddlewareHandler } from 'hono'
import { readCredentials } from '../../access/authenticator.ts'
import type { Config } from '../../config/config.ts'
import { isOwnOrigin } from '../../config/site-origin.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @see https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method)
}

/**
 * Rejects writes with a cookie whose `Origin` is not this site. A bearer token exempts a request, as its cookie is
 * ignored. Sign-in routes accept no other `Origin` even without a cookie, since their response sets one: another site
 * could sign its visitors in to an account that it controls.
 *
 * Unlike `hono/csrf`, covers all content types and rejects a missing `Origin`.
 *
 * @throws AppError `forbidden`
 */
export function csrfProtection(config: Config): MiddlewareHandler {
  return async (c, next) => {
    const { headers, method } = c.req.raw
    const usesCookie = headers.has('cookie') && readCredentials(headers).bearer === null
    const setsCookie = c.req.path.startsWith('/api/auth/') && headers.has('origin')
    if (
      !isSafeMethod(method) &&
      (usesCookie || setsCookie) &&
      !isOwnOrigin(config, headers, headers.get('origin') ?? '')
    ) {
      throw new AppError('forbidden', describedDetail('other_site'))
    }
    await next()
  }
}

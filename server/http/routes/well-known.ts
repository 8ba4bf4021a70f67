import type { Context } from 'hono'
import { pagePaths } from '../../../shared/routes.ts'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import { msPerDay } from '../../db/gallery.ts'
import { AppError } from '../../errors/app-error.ts'
import { readAppearance } from '../../site/appearance.ts'
import type { Services } from '../../trpc/context.ts'

export const securityPath = '/.well-known/security.txt'

/** Time for which the contact is valid, in days: less than a year, as the standard asks for. */
const validDays = 180

/**
 * Serves the address for reports of security issues.
 *
 * @throws AppError `not_found` without a contact, and for one by http, which the standard excludes
 * @see https://www.rfc-editor.org/rfc/rfc9116
 */
export function serveSecurityContact(services: Pick<Services, 'config' | 'db' | 'now'>) {
  const { config, now } = services
  return async (c: Context): Promise<Response> => {
    const { contact } = await readAppearance(services)
    if (contact === null || contact.startsWith('http:')) throw new AppError('not_found')
    const origin = siteOrigin(config, c.req.raw.headers)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(now() + validDays * msPerDay).toISOString()}`,
      ...(origin?.startsWith('https:') ? [`Canonical: ${origin}${securityPath}`] : []),
    ]
    return c.text(`${lines.join('\n')}\n`)
  }
}

/**
 * Leads password managers to the page on which a password is changed.
 *
 * @throws AppError `not_found` where the site has no passwords
 * @see https://w3c.github.io/webappsec-change-password-url/
 */
export function redirectToPassword({ auth }: Config) {
  return (c: Context): Response => {
    if (auth.kind !== 'local' || !auth.localSignIn) throw new AppError('not_found')
    return c.text('The password is changed on the account page.', 302, { Location: pagePaths.account })
  }
}

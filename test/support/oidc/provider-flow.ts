import { CookieJar } from '../cookie-jar.ts'
import type { IdentityProvider } from './identity-provider.ts'

interface Flow {
  /** Account of the login form; null to cancel. */
  readonly as: string | null
  readonly browser?: CookieJar
  /** Path of the account API that begins the flow, and fields of its body. */
  readonly path?: '/sign-in/social' | '/link-social'
  readonly body?: object
}

/**
 * Goes from the site to the provider, logs in there unless it remembers the user, and returns to the site.
 *
 * @returns the page to which the site then redirects, and its path with query and fragment
 */
export async function visitProvider(
  siteUrl: string,
  provider: Pick<IdentityProvider, 'issuer'>,
  { as, browser = new CookieJar(), path = '/sign-in/social', body = {} }: Flow,
) {
  const callback = await goToProvider(siteUrl, provider, { as, browser, path, body })
  const response = await browser.request(callback)
  const location = response.headers.get('location') ?? ''
  return {
    browser,
    response,
    page: location.replace(siteUrl, ''),
    cookie: browser.cookieFor(siteUrl),
  }
}

/** Goes to the provider and logs in there. @returns the URL to which the provider redirects */
export async function goToProvider(
  siteUrl: string,
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  { as, browser = new CookieJar(), path = '/sign-in/social', body = {} }: Flow,
): Promise<string> {
  const start = await browser.post(`${siteUrl}/api/auth${path}`, {
    provider: 'oidc',
    callbackURL: '/',
    ...body,
  })
  const { url } = (await start.json()) as { url?: string }
  if (url === undefined) throw new Error(`The site did not redirect to the provider: ${start.status}`)
  let next = url
  // The provider redirects to its form, and from there to the site.
  while (next.startsWith(issuer)) {
    const isForm = new URL(next).pathname.startsWith('/interaction/')
    const response = await browser.request(
      next,
      isForm ? { method: 'POST', body: new URLSearchParams(as === null ? {} : { sub: as }) } : {},
    )
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status} to ${next}`)
    next = new URL(location, issuer).href
  }
  return next
}

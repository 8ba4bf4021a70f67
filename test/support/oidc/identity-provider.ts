import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider, type KoaContextWithOIDC } from 'oidc-provider'
import { startLoopbackServer } from '../loopback-server.ts'

/** An account at the provider. */
export interface ProviderAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[] | string
}

const clientId = 'rangoli'
const clientSecret = 'a secret: with % & characters'

/** An OpenID Connect provider whose login form asks for the `sub` of an account, and for no password. */
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/**
 * Starts a provider on a free port of the loopback address. It requires PKCE.
 *
 * @param site with its origin
 */
export async function startIdentityProvider({ siteUrl }: { readonly siteUrl: string }) {
  const accounts = new Map<string, ProviderAccount>()
  /** Queries of authorization requests, and of logout requests. */
  const authorizations: URLSearchParams[] = []
  const logouts: URLSearchParams[] = []
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const { origin: issuer, stop } = await startLoopbackServer(async (request, response) =>
    handle(request, response),
  )

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${siteUrl}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${siteUrl}/`],
      },
    ],
    jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), use: 'sig', kid: 'provider' }] },
    cookies: { keys: ['a secret of the provider'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'groups'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource: showLogoutForm },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const account = accounts.get(sub)
      return account && { accountId: sub, claims: () => ({ ...account }) }
    },
    loadExistingGrant: grantEverything,
    ttl: { Session: 3_600, Interaction: 3_600, Grant: 3_600, AccessToken: 3_600, IdToken: 3_600 },
  })
  const callback = provider.callback()
  handle = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/auth') authorizations.push(searchParams)
    if (pathname === '/session/end') logouts.push(searchParams)
    // Chromium asks for it, now and then before the page has gone, and logs a 404 as an error.
    if (pathname === '/favicon.ico') response.writeHead(204).end()
    else if (pathname.startsWith('/interaction/')) void interact(request, response)
    else void callback(request, response)
  }

  /** Grants all that a client asks for, so that there is no consent form. */
  async function grantEverything({ oidc }: KoaContextWithOIDC) {
    const grant = new oidc.provider.Grant({
      accountId: oidc.session?.accountId ?? '',
      clientId: oidc.client?.clientId ?? '',
    })
    grant.addOIDCScope('openid profile email groups')
    await grant.save()
    return grant
  }

  /** Shows the login form, and accepts what it sends. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html').end(loginForm)
      return
    }
    const sub = new URLSearchParams(await text(request)).get('sub') ?? ''
    const result = accounts.has(sub)
      ? { login: { accountId: sub } }
      : { error: 'access_denied', error_description: 'The user canceled.' }
    await provider.interactionFinished(request, response, result)
  }

  return {
    issuer,
    /** Variables of a site that signs users in with this provider. */
    env: {
      PUBLIC_URL: siteUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Campus',
    },
    accounts,
    authorizations,
    logouts,
    stop,
  }
}

const { privateKey: signingKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const loginForm = `<!doctype html><html lang="en"><title>Campus</title><h1>Campus</h1>
<form method="post"><label>Account <input name="sub" autofocus></label><button>Log in</button></form>
<form method="post"><button>Cancel</button></form></html>`

function showLogoutForm(context: KoaContextWithOIDC, form: string): void {
  context.body = `<!doctype html><html lang="en"><title>Campus</title>${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button></html>`
}

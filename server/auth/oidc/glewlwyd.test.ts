import { expect, onTestFinished, test } from 'vitest'
import { startGlewlwyd } from '../../../test/support/oidc/glewlwyd.ts'
import { CookieJar } from '../../../test/support/oidc/provider-flow.ts'
import { findFreePorts } from '../../../test/support/ports.ts'
import { describeUnlessMissing, missingPrograms } from '../../../test/support/programs.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

describeUnlessMissing('a provider that is not ours (Glewlwyd)', missingPrograms(['glewlwyd']), () => {
  async function startSite(env: Record<string, string> = {}) {
    const port = await findFreePorts(1)
    const url = `http://127.0.0.1:${port}`
    const provider = await startGlewlwyd(url)
    onTestFinished(provider.stop)
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const site = await startTestServer({ env: { ...provider.env, PORT: String(port), ...env }, logTo })

    /** Signs in at the provider. @returns the page of the site to which the user returns */
    async function signIn(browser: CookieJar): Promise<string | null> {
      const body = { provider: 'oidc', callbackURL: '/account' }
      const begun = await browser.post(`${url}/api/auth/sign-in/social`, body)
      const callback = await provider.logIn(browser, ((await begun.json()) as { url: string }).url)
      return (await browser.request(callback)).headers.get('location')
    }
    const viewer = (browser: CookieJar) =>
      site.client(site.headersOf({ cookie: browser.cookieFor(url) })).viewer.query()
    return { url, lines, signIn, viewer }
  }

  test('signs a user in with their name and the role of their group, and out of both', async () => {
    const { url, signIn, viewer } = await startSite()
    const browser = new CookieJar()
    expect(await signIn(browser)).toBe(`${url}/account`)
    const first = await viewer(browser)
    expect(first).toMatchObject({ firstName: 'Asha', role: 'administrator' })
    const another = new CookieJar()
    await signIn(another)
    expect((await viewer(another))?.id).toBe(first?.id)

    const signOut = await browser.post(`${url}/api/auth/sign-out`, {})
    const { url: logout } = (await signOut.json()) as { url: string }
    expect(await viewer(browser)).toBeNull()
    const page = new URL((await browser.request(logout)).headers.get('location') ?? '')
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      prompt: 'end_session',
      client_id: 'rangoli',
      callback_url: `${url}/`,
    })
  })

  test('rejects a wrong client secret, and logs why', async () => {
    const OIDC_CLIENT_SECRET = 'not-the-secret-of-the-site'
    const { url, lines, signIn, viewer } = await startSite({ OIDC_CLIENT_SECRET })
    const browser = new CookieJar()
    expect(await signIn(browser)).toBe(`${url}/account#sign-in-error=rejected`)
    expect(await viewer(browser)).toBeNull()
    expect(lines.join('')).toContain('check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET')
    expect(lines.join('')).not.toContain(OIDC_CLIENT_SECRET)
  })
})

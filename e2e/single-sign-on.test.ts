import { describe, expect, test } from 'vitest'
import { startIdentityProvider } from '../test/support/oidc/identity-provider.ts'
import { findFreePorts } from '../test/support/ports.ts'
import { eventually } from './support/browser.ts'
import { dialogOn, openDialog } from './support/page-parts.ts'
import { settled, type SignInService, useSite, type Visitor } from './support/site.ts'
import { password, signUp } from './support/user.ts'

async function startProvider() {
  const port = await findFreePorts(1)
  const provider = await startIdentityProvider({ siteUrl: `http://127.0.0.1:${port}` })
  return {
    ...provider,
    env: { ...provider.env, PORT: String(port) },
    origins: [provider.issuer],
    attach: () => Promise.resolve(),
    start: () => Promise.resolve(),
  } satisfies SignInService & typeof provider
}

/** Fills in the login form of the provider. */
async function logIn({ page }: Visitor, sub: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Account' }).fill(sub)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const header = ({ page }: Visitor) => page.getByRole('banner')

describe('beside local accounts', async () => {
  const provider = await startProvider()
  const site = useSite({}, provider)
  let accounts = 0

  function addAccount(name = 'Asha Rao'): string {
    const sub = `account-${(accounts += 1)}`
    provider.accounts.set(sub, { sub, name, email: `${sub}@example.org`, email_verified: true })
    return sub
  }

  test('a user signs in at the provider, returns to the page and signs out of both', async () => {
    const sub = addAccount()
    const visitor = await site.visit('/create-post')
    const { page } = visitor
    await openDialog(page)
    await page.getByRole('button', { name: 'Continue with Campus' }).click()
    await logIn(visitor, sub)
    await page.waitForURL(`${site.url}/create-post`)
    await settled(visitor)
    // The images of the user may be on their way when the session ends.
    visitor.expectedErrors.push(/status of 401.* \/trpc\/images\./)
    await header(visitor).getByRole('button', { name: /Asha/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${site.url}/`)
    await header(visitor).getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(provider.logouts.at(0)?.get('id_token_hint')).toMatch(/^eyJ/)
    // The provider has forgotten the user, too.
    await openDialog(page)
    await page.getByRole('button', { name: 'Continue with Campus' }).click()
    await page.getByRole('textbox', { name: 'Account' }).waitFor()
  })

  test('the dialog says that the user canceled, and the address keeps no trace of it', async () => {
    await (await signUp(site.url)).share('A lotus')
    const visitor = await site.visit('/?q=lotus')
    const { page } = visitor
    await openDialog(page)
    await page.getByRole('button', { name: 'Continue with Campus' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // A page that is not used starts 15 s after it has been painted.
    await page.waitForURL(`${site.url}/?q=lotus`, { timeout: 15_000 })
    const { failure, email } = dialogOn(page)
    await eventually(() => failure.textContent()).toMatch(/^You did not sign in with Campus/)
    await email.waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await openDialog(page)
    expect(await failure.count()).toBe(0)
  })

  test('a user with a password connects the provider and signs in with it', async () => {
    const user = await signUp(site.url, 'Meera Iyer')
    const sub = addAccount('Meera')
    const visitor = await site.visit('/account', { as: user })
    const { page } = visitor
    const section = page.getByRole('region', { name: 'Sign-in with Campus' })
    await section.getByLabel('Your password').fill(password)
    await section.getByRole('button', { name: 'Connect Campus' }).click()
    await logIn(visitor, sub)
    await page.waitForURL(`${site.url}/account`)
    await section.getByText('Your account is connected: you sign in with Campus or your password.').waitFor()
    await section.getByLabel('Your password').fill(password)
    await section.getByRole('button', { name: 'Disconnect Campus' }).click()
    await section.getByRole('button', { name: 'Connect Campus' }).waitFor()
  })
})

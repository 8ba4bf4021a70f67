import type { Page } from 'playwright-core'
import { eventually } from './browser.ts'
import { dialogOn } from './page-parts.ts'
import { password, type User } from './user.ts'

/** Elements of /account. */
export function accountOn(page: Page) {
  const main = page.getByRole('main')
  const section = (name: string) => main.getByRole('region', { name, exact: true })
  const name = section('Name and email')
  const email = section('Email')
  const secret = section('Password')
  const data = section('Your data')
  const apiKeys = section('API keys')
  const allowedActions = apiKeys.getByRole('group', { name: 'Allowed actions', exact: true })
  const passkeys = section('Passkeys')
  return {
    name,
    email,
    nameField: name.getByRole('textbox', { name: 'Name', exact: true }),
    saveName: name.getByRole('button', { name: 'Save name', exact: true }),
    secret,
    current: secret.getByLabel('Current password', { exact: true }),
    fresh: secret.getByLabel('New password', { exact: true }),
    changePassword: secret.getByRole('button', { name: 'Change password', exact: true }),
    signOutEverywhere: main.getByRole('button', { name: 'Sign out everywhere', exact: true }),
    passkeys,
    passkeyName: passkeys.getByLabel('Name of the new passkey', { exact: true }),
    addPasskey: passkeys.getByRole('button', { name: 'Add a passkey', exact: true }),
    apiKeys,
    apiKeyNames: apiKeys.getByRole('listitem').getByRole('paragraph'),
    apiKeyName: apiKeys.getByRole('textbox', { name: 'Name of the new key', exact: true }),
    lifetime: apiKeys.getByRole('combobox', { name: 'Expires', exact: true }),
    allowedActions,
    allow: (action: string) => allowedActions.getByRole('checkbox', { name: action, exact: true }),
    createApiKey: apiKeys.getByRole('button', { name: 'Create API key', exact: true }),
    newApiKey: apiKeys.getByRole('textbox', { name: 'Your new API key', exact: true }),
    // The addresses below have such buttons too.
    copyNewApiKey: apiKeys.getByRole('button', { name: 'Copy', exact: true }).first(),
    data,
    download: data.getByRole('button', { name: 'Download my data', exact: true }),
    openDeletion: main.getByRole('button', { name: 'Delete my account…', exact: true }),
  }
}

/** Elements of the dialog that deletes an account. */
export function deletionOn(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  return {
    dialog,
    keepPosts: dialog.getByRole('radio', { name: 'Keep my posts under the names they show' }),
    password: dialog.getByLabel('Your password', { exact: true }),
    confirm: dialog.getByRole('button', { name: 'Delete my account', exact: true }),
    failure: dialog.getByRole('alert').filter({ hasText: /\w/ }),
  }
}

/** Signs in with the open dialog. */
export async function signInAgain(page: Page, { email }: User, secret = password): Promise<void> {
  const parts = dialogOn(page)
  await parts.email.fill(email)
  await parts.password.fill(secret)
  await parts.signIn.click()
  await eventually(() => parts.signIn.count()).toBe(0)
}

/** Calls the account API, with a user's session if given, and returns the status. */
export async function callAccount(url: string, path: string, body: object, as?: User): Promise<number> {
  const answer = await fetch(`${url}/api/auth${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': `10.2.0.${(callers = (callers % 250) + 1)}`,
      ...(as && { cookie: `${as.cookie.name}=${as.cookie.value}` }),
    },
    body: JSON.stringify(body),
  })
  return answer.status
}

/** Each call has its own address, as sign-in is limited by address. */
let callers = 0

/** Makes a page check its session, as when the user returns to the tab. */
export async function returnToTab(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

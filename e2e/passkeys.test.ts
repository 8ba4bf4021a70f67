import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { accountOn, signInAgain } from './support/account.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { addAuthenticator } from './support/passkeys.ts'
import { focused, openDialog } from './support/sign-in-dialog.ts'
import { signUp, type User } from './support/user.ts'
import { useSite, type Visitor } from './support/site.ts'

// Passkeys belong to a name, not to an IP address.
const site = useSite({ HOST: 'localhost' })

/** Opens the account page with an authenticator, which does not suggest its passkeys unless asked to. */
async function openAccount(user: User, { suggests = false } = {}) {
  const visitor = await site.visit('/', { as: user, isNew: true })
  const { page } = visitor
  const authenticator = await addAuthenticator(page)
  if (!suggests) {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
  }
  await page.goto(`${site.url}/account`)
  const account = accountOn(page)
  await account.addPasskey.waitFor()
  return { visitor, page, authenticator, account }
}

/** Adds a passkey with the form. */
async function addPasskey(
  { passkeyName, addPasskey: add, passkeys }: ReturnType<typeof accountOn>,
  name: string,
) {
  await passkeyName.fill(name)
  await add.click()
  await passkeys.getByRole('listitem').getByText(name, { exact: true }).waitFor()
}

/** Signs out and opens the sign-in dialog. */
async function openSignIn({ context, page }: Visitor) {
  await context.clearCookies()
  await page.goto(site.url)
  const parts = await openDialog(page)
  return { ...parts, usePasskey: parts.dialog.getByRole('button', { name: 'Sign in with a passkey' }) }
}

test('a passkey is added with a name, and signs its user in', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { visitor, page, authenticator, account } = await openAccount(asha)
  await account.passkeys.getByText('You have no passkeys.', { exact: true }).waitFor()
  await addPasskey(account, 'Laptop')
  await account.passkeys
    .getByRole('status')
    .getByText(/^The passkey is added\./)
    .waitFor()
  expect(await account.passkeyName.inputValue()).toBe('')
  expect(await authenticator.count()).toBe(1)
  await account.passkeys.getByText('Never', { exact: true }).waitFor()

  const { dialog, usePasskey } = await openSignIn(visitor)
  await usePasskey.click()
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  await eventually(() => dialog.count()).toBe(0)
  await page.goto(`${site.url}/account`)
  const dates = account.passkeys.getByRole('definition')
  await eventually(() => dates.allTextContents()).toEqual([
    expect.stringMatching(/^\w{3} \d+, \d{4}/),
    expect.stringMatching(/^\w{3} \d+, \d{4}/),
  ])
})

test('the browser suggests a passkey for the email, which signs its user in', async () => {
  const meera = await signUp(site.url, 'Meera Iyer')
  const { visitor, page, account } = await openAccount(meera, { suggests: true })
  await addPasskey(account, 'Phone')
  await visitor.context.clearCookies()
  await page.goto(site.url)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).click()
  // The authenticator confirms at once.
  await page.getByRole('banner').getByRole('button', { name: 'Meera' }).waitFor()
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
})

test('passkeys are renamed and deleted', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const { visitor, page, account } = await openAccount(ravi)
  await addPasskey(account, 'Laptop')
  const entry = account.passkeys.getByRole('listitem')
  await entry.getByRole('button', { name: 'Rename' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename the passkey' })
  const name = renaming.getByLabel('Name', { exact: true })
  expect(await name.inputValue()).toBe('Laptop')
  await name.fill('')
  await renaming.getByRole('button', { name: 'Save name' }).click()
  await renaming.getByText('Give the passkey a name.').waitFor()
  await name.fill('Old laptop')
  await renaming.getByRole('button', { name: 'Save name' }).click()
  await entry.getByText('Old laptop', { exact: true }).waitFor()
  await eventually(() => renaming.count()).toBe(0)
  await eventually(() => focused(page)).toBe('Rename')

  await entry.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete “Old laptop”?' })
  await question.getByRole('button', { name: 'Keep it' }).click()
  await eventually(() => question.count()).toBe(0)
  await entry.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await account.passkeys.getByText('You have no passkeys.').waitFor()
  await eventually(() => focused(page)).toBe('Name of the new passkey')

  const { usePasskey, failure } = await openSignIn(visitor)
  await usePasskey.click()
  await failure.getByText('This site does not know this passkey. Sign in another way.').waitFor()
  await expectPageErrors(visitor, /status of 401/)
})

test('adding a passkey to an older session requires signing in again, and keeps the name', async () => {
  const lata = await signUp(site.url, 'Lata')
  const { visitor, page, account } = await openAccount(lata)
  const database = new Database(path.join(site.folder, 'data/rangoli.db'))
  database
    .prepare('UPDATE session SET createdAt = ? WHERE userId = (SELECT id FROM user WHERE email = ?)')
    .run(new Date(Date.now() - 16 * 60_000).toISOString(), lata.email)
  database.close()
  await account.passkeyName.fill('Laptop')
  await account.addPasskey.click()
  const notice = account.passkeys.getByRole('alert').filter({ hasText: /^To confirm that it is you/ })
  await notice.getByRole('button', { name: 'Sign In' }).click()
  await expectPageErrors(visitor, /status of 403/)
  await signInAgain(page, lata)
  expect(await account.passkeyName.inputValue()).toBe('Laptop')
  await account.addPasskey.click()
  await account.passkeys.getByRole('listitem').getByText('Laptop', { exact: true }).waitFor()
})

test('explains that the authenticator refused, and can be tried again', async () => {
  const sita = await signUp(site.url, 'Sita')
  const { visitor, page, authenticator, account } = await openAccount(sita)
  await account.addPasskey.click()
  await account.passkeys.getByText('Give the passkey a name.').waitFor()
  await authenticator.setVerified(false)
  await account.passkeyName.fill('Laptop')
  await account.addPasskey.click()
  await account.passkeys
    .getByRole('alert')
    .getByText(/^No passkey was added\./)
    .waitFor()
  await authenticator.setVerified(true)
  await account.addPasskey.click()
  await account.passkeys.getByRole('listitem').getByText('Laptop', { exact: true }).waitFor()
  await account.passkeyName.fill('Laptop again')
  await account.addPasskey.click()
  await account.passkeys
    .getByRole('alert')
    .getByText(/already has a passkey for your account/)
    .waitFor()
  expect(await authenticator.count()).toBe(1)

  const { usePasskey, failure } = await openSignIn(visitor)
  await authenticator.setVerified(false)
  await usePasskey.click()
  await failure.getByText('No passkey was used. Try again, or sign in another way.').waitFor()
  await authenticator.setVerified(true)
  await usePasskey.click()
  await page.getByRole('banner').getByRole('button', { name: 'Sita' }).waitFor()
})

test('signs in while another tab has asked for a passkey', async () => {
  const uma = await signUp(site.url, 'Uma')
  const { visitor, page, account } = await openAccount(uma)
  await addPasskey(account, 'Laptop')
  const { usePasskey } = await openSignIn(visitor)
  const other = await visitor.openTab('/')
  const inOther = await openDialog(other.page)
  await inOther.dialog.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await usePasskey.click()
  await page.getByRole('banner').getByRole('button', { name: 'Uma' }).waitFor()
})

describe('at an IP address', () => {
  const elsewhere = useSite()

  test('passkeys are not offered', async () => {
    const { page } = await elsewhere.visit('/')
    const { dialog } = await openDialog(page)
    expect(await dialog.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    const user = await signUp(elsewhere.url, 'Asha Rao')
    const account = accountOn((await elsewhere.visit('/account', { as: user })).page)
    await account.apiKeys.waitFor()
    expect(await account.passkeys.count()).toBe(0)
  })
})

import { expect, test } from 'vitest'
import { accountOn } from './support/account.ts'
import { eventually, expectPageErrors } from './support/browser.ts'
import { addAuthenticator, focused, openDialog } from './support/page-parts.ts'
import { useSite, type Visitor } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

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

import { beforeAll, test } from 'vitest'
import { accountOn, deletionOn } from './support/account.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.generate('A lotus')
})

test.each([1280, 360])('the account page has no axe violations at %i pixels', async (width) => {
  const visitor = await site.visit('/account', { as: asha, viewport: { width, height: 800 } })
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page } = visitor
  const account = accountOn(page)
  await account.download.waitFor()
  await expectNoViolations(page)
  await account.nameField.fill(' ')
  await account.saveName.click()
  await account.changePassword.click()
  await account.secret.getByText('Choose a password.').waitFor()
  await expectNoViolations(page)
  await page.route('**/api/auth/revoke-sessions', (route) => route.abort())
  await account.signOutEverywhere.click()
  await page.getByText(/could not be reached/).waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.route('**/uploads/**', () => {})
  await account.download.click()
  await account.data.getByText('0 of 1 image', { exact: true }).waitFor()
  await expectNoViolations(page)
  await account.data.getByRole('button', { name: 'Cancel', exact: true }).click()
  await account.data.getByText('Canceled. Nothing was downloaded.').waitFor()
  await account.createApiKey.click()
  await account.apiKeys.getByText('Give the API key a name.').waitFor()
  await account.apiKeyName.fill('A robot')
  await account.createApiKey.click()
  await account.newApiKey.waitFor()
  await account.copyNewApiKey.click()
  await account.apiKeys
    .getByRole('status')
    .getByText(/clipboard/)
    .waitFor()
  await expectNoViolations(page)
  await account.apiKeys.getByRole('button', { name: 'Revoke', exact: true }).first().click()
  await page.getByRole('alertdialog').waitFor()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('alertdialog').count()).toBe(0)
  await account.openDeletion.click()
  const deletion = deletionOn(page)
  await deletion.confirm.click()
  await deletion.dialog.getByText('Enter your password.').waitFor()
  await expectNoViolations(page)
})

test('the signed-out account page and its dialog have no axe violations', async () => {
  const { page } = await site.visit('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await expectNoViolations(page)
  const { signIn } = await openDialog(page)
  await signIn.click()
  await expectNoViolations(page)
})

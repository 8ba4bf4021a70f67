import { beforeAll, describe, expect, test } from 'vitest'
import { accountOn, deletionOn } from './support/account.ts'
import { expectNoViolations, findViolations } from './support/axe.ts'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import { opacityOf } from './support/page-inspection.ts'
import { calls, holdBack } from './support/network.ts'
import { chooseInMenu, menuItemOf } from './support/post-card.ts'
import { signUp, type User } from './support/user.ts'
import { openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite({ DAILY_IMAGE_LIMIT: '1000' })
let asha: User
let meera: User

beforeAll(async () => {
  meera = await signUp(site.url, 'Meera Iyer')
  await meera.generate('A lotus')
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('दीपावली की रात', 'हेमंत कुमार')
  await asha.share(`Kites over Jaipur, ${'and one more, '.repeat(100)}`)
})

describe('axe finds no violations in any theme of', () => {
  test('the gallery: idle, hovered, focused and with an open menu', async () => {
    const { page } = await site.visit('/', { as: asha })
    await expectNoViolations(page)
    const first = page.getByRole('listitem').first()
    await first.hover()
    await eventually(() => opacityOf(first.getByText('Asha Rao'))).toBe(1)
    await expectNoViolations(page)
    await menuItemOf(first, 'Remix')
    await expectNoViolations(page)
    await page.getByRole('listitem').nth(1).getByRole('link').first().focus()
    await expectNoViolations(page)
  })

  test('the gallery on a touch screen', async () => {
    const touch = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }
    const { page } = await site.visit('/', { ...touch, as: asha })
    await expectNoViolations(page)
  })

  test('a search: loading, without results and with an error', async () => {
    const visitor = await site.visit('/')
    const { page } = visitor
    const release = await holdBack(page, calls.list)
    await page.getByLabel('Search Posts').fill('nowhere')
    await page.getByText('Loading…', { exact: true }).waitFor()
    await expectNoViolations(page)
    release()
    await page.getByRole('heading', { name: 'No Search Results Found' }).waitFor()
    await expectNoViolations(page)
    await page.route(calls.list, (route) => route.abort())
    await page.getByLabel('Search Posts').fill('lotus')
    await expectAlert(visitor, /\w/)
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    await expectNoViolations(page)
  })

  test('the sign-in dialog: sign-in, sign-up and validation errors', async () => {
    const { page } = await site.visit('/create-post')
    await expectNoViolations(page)
    const parts = await openDialog(page)
    await expectNoViolations(page)
    await parts.toSignUp.click()
    await parts.signUp.click()
    await parts.dialog.getByText('Enter your email.').waitFor()
    await expectNoViolations(page)
  })

  test('the create form: empty, generating, with an error and with an image', async () => {
    const visitor = await site.visit('/create-post', { as: asha })
    const { page } = visitor
    const form = formOn(page)
    await form.generate.click()
    await expectAlert(visitor, 'Please provide a prompt')
    await expectNoViolations(page)
    const release = await holdBack(page, calls.generate)
    await form.prompt.fill('A lotus')
    await form.generate.click()
    await form.spinner.waitFor()
    await expectNoViolations(page)
    release()
    await form.share.waitFor()
    await generate(page, 'A lotus')
    await form.prompt.fill('Another lotus')
    await expectNoViolations(page)
  })

  test('the profile menu and the confirmation of a deletion', async () => {
    const { page } = await site.visit('/', { as: asha })
    await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor()
    await expectNoViolations(page)
    await page.keyboard.press('Escape')
    await chooseInMenu(page.getByRole('listitem').first(), 'Delete post')
    await page.getByRole('alertdialog').waitFor()
    await expectNoViolations(page)
  })

  test('the Page not found page', async () => {
    const visitor = await site.visit('/nowhere')
    await expectPageErrors(visitor, /status of 404/)
    await expectNoViolations(visitor.page)
  })

  test('the account page with its dialogs and errors, on a phone', async () => {
    const visitor = await site.visit('/account', { as: meera, viewport: { width: 360, height: 800 } })
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

  test('the signed-out account page', async () => {
    const { page } = await site.visit('/account')
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await expectNoViolations(page)
    const { signIn } = await openDialog(page)
    await signIn.click()
    await expectNoViolations(page)
  })
})

test('axe reports missing alternative texts', async () => {
  const { page } = await site.visit('/')
  await page.evaluate(() => {
    for (const image of document.querySelectorAll('img')) image.removeAttribute('alt')
  })
  expect(await findViolations(page)).toEqual([1, 2, 3].map(() => expect.stringContaining('image-alt')))
})

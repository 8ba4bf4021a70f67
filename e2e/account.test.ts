import { beforeAll, describe, expect, test } from 'vitest'
import { accountOn, callAccount, returnToTab, signInAgain } from './support/account.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { formOn } from './support/form.ts'
import { password, signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

describe('the page', () => {
  test('tells visitors why to sign in, and opens the dialog in place', async () => {
    const { page } = await site.visit('/account')
    const main = page.getByRole('main')
    await main.getByText(/need to be signed in/).waitFor()
    await main.getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, asha)
    await accountOn(page).nameField.waitFor()
    expect(page.url()).toBe(`${site.url}/account`)
  })

  test('offers to try again if the account could not be loaded', async () => {
    const visitor = await site.visit('/', { as: asha })
    const { page } = visitor
    await page.route('**/api/auth/get-session', (route) => route.abort())
    await page.goto('/account')
    const failure = page
      .getByRole('main')
      .getByRole('alert')
      .filter({ hasText: /could not be loaded/ })
    await failure.waitFor()
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    await page.unroute('**/api/auth/get-session')
    await failure.getByRole('button', { name: 'Try again', exact: true }).click()
    await accountOn(page).nameField.waitFor()
  })

  test('opens from the menu with the keyboard', async () => {
    const { page } = await site.visit('/', { as: asha })
    await page.getByRole('banner').getByRole('button', { name: 'Asha' }).focus()
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toMatch(/^Your images/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('/account')
    await eventually(() => page.title()).toBe('Your account — Rangoli')
    await eventually(() => focused(page)).toBe('Your account')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.getByRole('menu').count()).toBe(0)
    await accountOn(page).nameField.waitFor()
  })
})

describe('the name', () => {
  test('is saved for new posts, and unchanged on existing ones', async () => {
    const meera = await signUp(site.url, 'Meera Iyer')
    await meera.share('A lamp of old', 'Meera')
    const { page } = await site.visit('/create-post', { as: meera })
    await eventually(() => formOn(page).name.inputValue()).toBe('Meera')
    await page.getByRole('banner').getByRole('button', { name: 'Meera' }).click()
    await page.getByRole('menuitem', { name: 'Your account', exact: true }).click()
    const account = accountOn(page)
    await account.nameField.waitFor()
    expect(await account.nameField.inputValue()).toBe('Meera Iyer')
    await account.name.getByText(meera.email, { exact: true }).waitFor()
    await account.nameField.fill('  मीरा अय्यर ')
    await account.saveName.click()
    await account.name.getByRole('status').getByText('Your name is saved.', { exact: true }).waitFor()
    expect(await account.nameField.inputValue()).toBe('मीरा अय्यर')
    await page.getByRole('banner').getByRole('button', { name: 'मीरा' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Create', exact: true }).click()
    await eventually(() => formOn(page).name.inputValue()).toBe('मीरा')
    const { posts } = await meera.trpc.posts.list.query({ search: 'A lamp of old' })
    expect(posts.map(({ name }) => name)).toEqual(['Meera'])
  })

  test('is reported at its field if it is empty or too long', async () => {
    const visitor = await site.visit('/account', { as: asha })
    const { page } = visitor
    visitor.expectedErrors.push(/status of 400/)
    const { name: section, nameField, saveName } = accountOn(page)
    for (const [name, sentence] of [
      ['\u200b\u200d', 'Enter your name.'],
      ['नि'.repeat(81), 'Use at most 80 characters.'],
    ] as const) {
      await nameField.fill(name)
      await saveName.click()
      await section.getByText(sentence, { exact: true }).waitFor()
      expect(await nameField.getAttribute('aria-invalid')).toBe('true')
      const described = await nameField.getAttribute('aria-describedby')
      expect(await page.locator(`[id="${described ?? ''}"]`).textContent()).toBe(sentence)
      await eventually(() => nameField.evaluate((it) => it === document.activeElement)).toBe(true)
      expect(await nameField.inputValue()).toBe(name)
    }
  })

  test('keeps the input while the server is unreachable', async () => {
    const visitor = await site.visit('/account', { as: asha })
    const account = accountOn(visitor.page)
    await account.nameField.fill('Asha of the hills')
    await visitor.page.route('**/api/auth/update-user', (route) => route.abort())
    await account.saveName.click()
    await account.name
      .getByRole('alert')
      .getByText(/could not be reached/)
      .waitFor()
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    expect(await account.nameField.inputValue()).toBe('Asha of the hills')
    await visitor.page.unroute('**/api/auth/update-user')
    await account.saveName.click()
    await account.name.getByText('Your name is saved.').waitFor()
    expect(await account.name.getByRole('alert').count()).toBe(0)
  })

  test('keeps the input if the session has ended', async () => {
    const lata = await signUp(site.url, 'Lata')
    const visitor = await site.visit('/account', { as: lata })
    const { page } = visitor
    const account = accountOn(page)
    await account.nameField.fill('Lata of the lake')
    await visitor.context.clearCookies()
    await account.saveName.click()
    await account.name
      .getByRole('alert')
      .getByText(/^You are signed out. Sign in again/)
      .waitFor()
    await expectPageErrors(visitor, /status of 401/)
    await account.name.getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, lata)
    await eventually(() => account.nameField.inputValue()).toBe('Lata of the lake')
    await account.saveName.click()
    await account.name.getByText('Your name is saved.').waitFor()
  })

  test('is not shown to the next user if typed and not saved', async () => {
    const lata = await signUp(site.url, 'Lata')
    const visitor = await site.visit('/account', { as: lata })
    await accountOn(visitor.page).nameField.fill('My secret')
    await visitor.context.clearCookies()
    await returnToTab(visitor.page)
    await visitor.page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(visitor.page, await signUp(site.url, 'Ravi Kumar'))
    await eventually(() => accountOn(visitor.page).nameField.inputValue()).toBe('Ravi Kumar')
  })
})

describe('the password', () => {
  test('is changed, which signs out other devices only', async () => {
    const meera = await signUp(site.url, 'Meera Iyer')
    const elsewhere = await site.visit('/', { as: meera })
    const { page } = await site.visit('/')
    await page.goto('/account')
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, meera)
    const account = accountOn(page)
    await account.current.fill(password)
    await account.fresh.fill('a marigold at noon')
    await account.changePassword.click()
    await account.secret
      .getByRole('status')
      .getByText(/Your password is changed/)
      .waitFor()
    expect(await account.current.inputValue()).toBe('')
    expect(await account.fresh.inputValue()).toBe('')
    await page.reload()
    await account.current.waitFor()
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    const { email } = meera
    expect(await callAccount(site.url, '/sign-in/email', { email, password })).toBe(401)
    expect(await callAccount(site.url, '/sign-in/email', { email, password: 'a marigold at noon' })).toBe(200)
  })

  test('is recognized by password managers, can be shown, and is reported at its field', async () => {
    const visitor = await site.visit('/account', { as: asha })
    visitor.expectedErrors.push(/status of 400/)
    const account = accountOn(visitor.page)
    for (const { current, fresh, field, sentence } of [
      { current: '', fresh: '', field: 'current', sentence: 'Enter your password.' },
      { current: password, fresh: 'short', field: 'fresh', sentence: 'Use at least 8 characters.' },
      { current: password, fresh: 'password', field: 'fresh', sentence: /too easy to guess/ },
      { current: 'a guess', fresh: 'a new lotus', field: 'current', sentence: 'This is not your password.' },
    ] as const) {
      await account.current.fill(current)
      await account.fresh.fill(fresh)
      await account.changePassword.click()
      await account.secret.getByText(sentence).waitFor()
      const faulty = account[field]
      expect(await faulty.getAttribute('aria-invalid')).toBe('true')
      await eventually(() => faulty.evaluate((it) => it === document.activeElement)).toBe(true)
      expect(await account.current.inputValue()).toBe(current)
      expect(await account.fresh.inputValue()).toBe(fresh)
    }
    expect(await account.current.getAttribute('autocomplete')).toBe('current-password')
    expect(await account.fresh.getAttribute('autocomplete')).toBe('new-password')
    expect(await account.secret.locator('[autocomplete=username]').inputValue()).toBe(asha.email)
    expect(await account.fresh.getAttribute('type')).toBe('password')
    await account.secret.getByRole('checkbox', { name: 'Show passwords' }).check()
    expect(await account.current.getAttribute('type')).toBe('text')
    expect(await account.fresh.getAttribute('type')).toBe('text')
  })
})

test('signing out everywhere ends every session, including this one', async () => {
  const meera = await signUp(site.url, 'Meera Iyer')
  const elsewhere = await site.visit('/', { as: meera })
  const visitor = await site.visit('/account')
  const { page } = visitor
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await signInAgain(page, meera)
  await accountOn(page).signOutEverywhere.click()
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await page.getByRole('status').getByText('You are signed out everywhere.', { exact: true }).waitFor()
  await eventually(() => focused(page)).not.toBe(null)
  expect(await visitor.context.cookies()).toEqual([])
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
})

test('saves who sees new posts', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const { page } = await site.visit('/account', { as: ravi })
  const section = page.getByRole('region', { name: 'Your posts', exact: true })
  await section.getByRole('radio', { name: 'Unlisted' }).check()
  await section.getByRole('status').getByText('Saved.').waitFor()
  await page.reload()
  await eventually(() => section.getByRole('radio', { name: 'Unlisted' }).isChecked()).toBe(true)
  expect(await ravi.share('A lotus for few')).toMatchObject({ visibility: 'unlisted' })
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accountOn } from './support/account.ts'
import { eventually, expectAlert, expectPageErrors } from './support/browser.ts'
import { clerkDialogOn, useClerkSite } from './support/clerk/clerk-site.ts'
import { formOn, generate } from './support/form.ts'
import { calls } from './support/network.ts'
import { layoutShift } from './support/page-parts.ts'
import { password, type TestUser } from './support/user.ts'

const { site, clerk, newUser } = useClerkSite()

const headerOf = (page: Page) => page.getByRole('banner')
const sentence = (page: Page) => headerOf(page).getByText('Sign-in is unavailable', { exact: true })

/** Signs in with the open dialog of Clerk. */
async function signIn(page: Page, { email }: TestUser): Promise<void> {
  const dialog = clerkDialogOn(page)
  await dialog.email.fill(email)
  await dialog.next.click()
  await dialog.password.fill(password)
  await dialog.next.click()
}

/** Rejects the tokens of the first calls to a path; returns the number of calls. */
async function rejectApiKeys(page: Page, address: string, times: number): Promise<() => number> {
  let made = 0
  await page.route(address, (route) => {
    made += 1
    if (made > times) return route.continue()
    return route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer a.b.c' } })
  })
  return () => made
}

test('signs in after a wrong password, and signs out in every tab', async () => {
  const asha = newUser('Asha Rao')
  const visitor = await site.visit('/create-post')
  const { page } = visitor
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  const dialog = clerkDialogOn(page)
  await dialog.email.fill(asha.email)
  await dialog.next.click()
  await dialog.password.fill('not the password')
  await dialog.next.click()
  await dialog.failure.getByText(/Password is incorrect/).waitFor()
  await expectPageErrors(visitor, /status of 422/)
  await dialog.password.fill(password)
  await dialog.next.click()
  await headerOf(page).getByRole('button', { name: 'Asha' }).locator('img').waitFor()
  await generate(page, 'A first boat')
  const other = await visitor.openTab('/create-post')
  // The image is for its owner: it may be loaded after the session has ended.
  other.expectedErrors.push(/status of 404/)
  await formOn(other.page).prompt.waitFor()
  await page.bringToFront()
  await headerOf(page).getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await other.page.bringToFront()
  await other.page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
})

test('signs up a new user', async () => {
  const visitor = await site.visit('/create-post')
  const { page } = visitor
  // Clerk looks up the email first; one without an account leads to sign-up.
  visitor.expectedErrors.push(/status of 422/)
  await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).click()
  const dialog = clerkDialogOn(page)
  await dialog.email.fill('meera@example.org')
  await dialog.next.click()
  await dialog.firstName.fill('Meera')
  await dialog.password.fill(password)
  await dialog.next.click()
  await headerOf(page).getByRole('button', { name: 'Meera' }).waitFor()
  expect(page.url()).toBe(`${site.url}/create-post`)
  await eventually(() => formOn(page).name.inputValue()).toBe('Meera')
})

test('reports a token that stays rejected, and continues after signing in again', async () => {
  const asha = newUser()
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A boat in the harbor')
  const made = await rejectApiKeys(page, calls.share, 2)
  await form.share.click()
  await expectAlert(visitor, 'The bearer token is not valid.')
  visitor.expectedErrors.push(/status of 401/)
  expect(made()).toBe(2)
  await form.failure.getByRole('button', { name: 'Sign In' }).click()
  await signIn(page, asha)
  await form.share.click()
  await page.waitForURL('/')
  await page.getByText('A boat in the harbor').first().waitFor({ state: 'attached' })
})

test('name, password and deletion are in the profile dialog of Clerk', async () => {
  const { page } = await site.visit('/account', { as: newUser() })
  const main = page.getByRole('main')
  const manage = main.getByRole('button', { name: 'Manage your account', exact: true })
  await manage.waitFor()
  await accountOn(page).apiKeyName.waitFor()
  expect(await main.getByRole('textbox').count()).toBe(1)
  expect(await accountOn(page).signOutEverywhere.count()).toBe(0)
  expect(await accountOn(page).openDeletion.count()).toBe(0)
  await manage.click()
  await page.getByRole('dialog').getByText('Profile details').first().waitFor()
})

test('the dialog of Clerk is in the language of the page, and its script waits for the first paint', async () => {
  const { page } = await site.visit('/')
  const askedAt = () =>
    page.evaluate(() => {
      const scripts = performance.getEntriesByType('resource')
      return scripts.filter(({ name }) => name.includes('/npm/@clerk/')).map(({ startTime }) => startTime)
    })
  await eventually(async () => (await askedAt()).length).toBeGreaterThan(0)
  const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
  expect(Math.min(...(await askedAt()))).toBeGreaterThan(await page.evaluate(painted))
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es')
  await page.locator('html[lang=es]').waitFor()
  await page.getByRole('button', { name: /^(Sign In|Iniciar sesión)$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar', exact: true }).waitFor()
})

test.each([
  { name: 'its script is blocked', part: 'scripts', manner: 'refuses' },
  { name: 'it never answers', part: 'api', manner: 'is silent' },
] as const)('where $name, the page says so and does the rest', async ({ part, manner }) => {
  clerk[part].become(manner)
  const visitor = await site.visit('/create-post', { settle: false, clock: true })
  visitor.expectedErrors.push(/ERR_FAILED|Clerk|network error/)
  const { page } = visitor
  if (manner === 'is silent') await eventually(() => clerk[part].waiting).toBeGreaterThan(0)
  else await expectPageErrors(visitor, /ERR_FAILED/)
  await page.clock.fastForward(8_000)
  await sentence(page).waitFor()
  const notice = page.getByRole('main').getByRole('alert')
  await notice.getByText(/^Sign-in is unavailable/).waitFor()
  expect(await layoutShift(page)).toBeLessThan(0.05)
  await headerOf(page).getByRole('link', { name: 'Rangoli' }).click()
  await page.getByText(/^Showing \d+ posts?$/).waitFor()
  await sentence(page).waitFor()
  await page.goBack()
  if (manner === 'refuses') clerk[part].become('answers')
  await notice.getByRole('button', { name: 'Try again' }).click()
  // What waits is answered, too, which removes the button.
  clerk[part].become('answers')
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await sentence(page).count()).toBe(0)
})

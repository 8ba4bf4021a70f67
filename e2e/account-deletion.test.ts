import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accountOn, callAccount, deletionOn, signInAgain } from './support/account.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { formOn, imageCount } from './support/form.ts'
import { password, signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()

async function openDeletion(page: Page) {
  await accountOn(page).openDeletion.click()
  const parts = deletionOn(page)
  await parts.password.waitFor()
  return parts
}

function signInAs({ email }: User): Promise<number> {
  return callAccount(site.url, '/sign-in/email', { email, password })
}

test('deletes the account and keeps the posts with the names they show', async () => {
  const lata = await signUp(site.url, 'Lata')
  await lata.share('A lamp of Lata', 'Lata of the lake')
  const unshared = await lata.generate('Nobody saw this')
  const visitor = await site.visit('/create-post', { as: lata })
  const { page } = visitor
  await formOn(page).prompt.fill('Half a thought')
  await eventually(() => imageCount(page)).toBe('2')
  const otherTab = await visitor.openTab('/create-post')
  await formOn(otherTab.page).prompt.fill('The other half')
  await page.bringToFront()
  const elsewhere = await site.visit('/', { as: lata })
  await page.getByRole('banner').getByRole('button', { name: 'Lata' }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  const parts = await openDeletion(page)
  expect(await parts.keepPosts.isChecked()).toBe(true)
  await parts.password.fill(password)
  await parts.confirm.click()
  await page.waitForURL('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await page.getByRole('status').getByText('Your account is deleted.', { exact: true }).waitFor()
  await eventually(() => parts.dialog.count()).toBe(0)
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  // The page scrolls again, unlike under the dialog.
  expect(await page.getByRole('searchbox').or(page.getByLabel('Search Posts')).isVisible()).toBe(true)
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.getItem('imageCount')])).toEqual([
    0,
    null,
  ])
  await eventually(() => otherTab.page.evaluate(() => sessionStorage.length)).toBe(0)
  await otherTab.page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await visitor.context.cookies()).toEqual([])
  const card = page.getByRole('listitem').filter({ hasText: 'A lamp of Lata' })
  await card.getByText('Lata of the lake', { exact: true }).waitFor({ state: 'attached' })
  expect((await fetch(site.url + unshared.photo)).status).toBe(404)
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await signInAs(lata)).toBe(401)
})

test('deletes the posts too if chosen', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const post = await ravi.share('A kite of Ravi')
  const { page } = await site.visit('/', { as: ravi })
  await page.getByRole('listitem').filter({ hasText: 'A kite of Ravi' }).waitFor()
  const { total } = await ravi.trpc.posts.list.query()
  await page.getByRole('banner').getByRole('button', { name: 'Ravi' }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  const parts = await openDeletion(page)
  await parts.removePosts.check()
  await parts.password.fill(password)
  await parts.password.press('Enter')
  await page.waitForURL('/')
  await page
    .getByText(total === 2 ? 'Showing 1 post' : `Showing ${total - 1} posts`, { exact: true })
    .waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'A kite of Ravi' }).count()).toBe(0)
  expect((await fetch(site.url + post.photo)).status).toBe(404)
})

test('reports a wrong or missing password at the field, and deletes nothing', async () => {
  const lata = await signUp(site.url, 'Lata')
  const visitor = await site.visit('/account', { as: lata })
  const { page } = visitor
  const parts = await openDeletion(page)
  await parts.removePosts.check()
  await parts.confirm.click()
  await parts.dialog.getByText('Enter your password.', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('Your password')
  for (const guess of ['a guess', 'long '.repeat(2_000)]) {
    await parts.password.fill(guess)
    await parts.confirm.click()
    await eventually(() => parts.confirm.isEnabled()).toBe(true)
    await parts.dialog.getByText(/This is not your password\.|too long/).waitFor()
    expect(await parts.password.getAttribute('aria-invalid')).toBe('true')
    expect(await parts.password.inputValue()).toBe(guess)
  }
  await expectPageErrors(visitor, /status of 400/)
  expect(await parts.removePosts.isChecked()).toBe(true)
  await parts.cancel.click()
  await eventually(() => parts.dialog.count()).toBe(0)
  await eventually(() => focused(page)).toBe('Delete my account…')
  expect(await signInAs(lata)).toBe(200)
})

test('reports an unreachable server and an ended session', async () => {
  const lata = await signUp(site.url, 'Lata')
  const visitor = await site.visit('/account', { as: lata })
  const { page } = visitor
  const parts = await openDeletion(page)
  await page.route('**/api/auth/delete-user*', (route) => route.abort())
  await parts.password.fill(password)
  await parts.confirm.click()
  await parts.failure.getByText(/could not be reached/).waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.unroute('**/api/auth/delete-user*')
  await visitor.context.clearCookies()
  await parts.confirm.click()
  await parts.failure.getByText(/^You are signed out/).waitFor()
  await expectPageErrors(visitor, /status of 401/)
  await parts.failure.getByRole('button', { name: 'Sign In', exact: true }).click()
  await signInAgain(page, lata)
  const again = await openDeletion(page)
  await again.password.fill(password)
  await again.confirm.click()
  await page.waitForURL('/')
  expect(await signInAs(lata)).toBe(401)
})

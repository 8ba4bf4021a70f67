import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { clerkDialogOn } from './support/clerk/clerk-dialog.ts'
import { useClerkSite } from './support/clerk/clerk-site.ts'
import { accountOn } from './support/account.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectAlert } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import { calls, requestLog } from './support/network.ts'
import { password } from './support/user.ts'

const { site, clerk, newUser } = useClerkSite()

/** Reads the session token of a request. */
async function tokenOf(request: Request | undefined): Promise<string> {
  const [, token] = /^Bearer (.+)$/.exec((await request?.allHeaders())?.['authorization'] ?? '') ?? []
  if (!token) throw new Error('The call carries no token.')
  return token
}

/** Reads the expiry of a token, in milliseconds. */
function expiryOf(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }
  return claims.exp * 1000
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

/** Number of requests to Clerk for a new token. */
const renewals = () => clerk.tokenRequests.filter((path) => path.includes('skip_cache')).length

test('replaces a token that expires while the form is filled', async () => {
  clerk.letTokensLive(6)
  const { page } = await site.visit('/create-post', { as: newUser() })
  const requests = requestLog(page, '/trpc/images.')
  await formOn(page).prompt.fill('A slow thought')
  await page.getByText(/^Generated today: \d/).waitFor()
  await page.reload()
  await formOn(page).prompt.waitFor()
  await eventually(() => requests.length).toBeGreaterThan(0)
  const first = await tokenOf(requests[0])
  await eventually(() => expiryOf(first) < Date.now()).toBe(true)
  await formOn(page).generate.click()
  await formOn(page).share.waitFor()
  const request = requests.findLast((one) => one.url().includes('images.generate'))
  const last = await tokenOf(request)
  expect(last).not.toBe(first)
  expect(expiryOf(last)).toBeGreaterThan(request?.timing().startTime ?? Infinity)
})

test('requests public data without a token', async () => {
  const { page } = await site.visit('/create-post', { as: newUser() })
  const lists = requestLog(page, '/trpc/posts.list')
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.getByLabel('Search Posts').fill('lotus')
  await eventually(() => lists.length).toBeGreaterThan(0)
  for (const list of lists) {
    const headers = Object.keys(await list.allHeaders())
    expect(headers.filter((name) => ['authorization', 'cookie'].includes(name))).toEqual([])
  }
})

test.each([
  { kind: 'a stream', address: calls.generate },
  { kind: 'a mutation', address: calls.share },
])('retries $kind once with a new token if the server rejects the token', async ({ address }) => {
  const asha = newUser()
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  visitor.expectedErrors.push(/status of 401/)
  const before = renewals()
  const made = await rejectApiKeys(page, address, 1)
  await generate(page, 'A boat at the second try')
  await formOn(page).share.click()
  await page.waitForURL('/')
  expect(made()).toBe(2)
  expect(renewals() - before).toBe(1)
  expect((await asha.trpc.images.quota.query()).used).toBe(1)
})

test('retries a query once with a new token if the server rejects the token', async () => {
  const asha = newUser()
  await asha.share('A boat at the second look')
  const visitor = await site.visit('/', { as: asha })
  visitor.expectedErrors.push(/status of 401/)
  const made = await rejectApiKeys(visitor.page, '**/trpc/*images.list*', 1)
  await visitor.page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await visitor.page.getByRole('region', { name: 'Your images' }).getByRole('listitem').waitFor()
  expect(made()).toBe(2)
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
  const dialog = clerkDialogOn(page)
  await dialog.email.fill(asha.email)
  await dialog.next.click()
  await dialog.password.fill(password)
  await dialog.next.click()
  await form.share.click()
  await page.waitForURL('/')
  await page.getByText('A boat in the harbor').first().waitFor({ state: 'attached' })
})

test('gives up waiting for a token without losing input', async () => {
  clerk.letTokensLive(6)
  const asha = newUser()
  const visitor = await site.visit('/create-post', { as: asha, clock: true })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A patient boat')
  clerk.tokens.become('is silent')
  // ClerkJS renews its token when the user returns to the tab, and otherwise every five seconds.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await eventually(() => clerk.tokens.waiting).toBeGreaterThan(0)
  await form.share.click()
  await form.sharing.waitFor()
  await page.clock.fastForward(8_000)
  await expectAlert(visitor, 'Failed to share post')
  clerk.tokens.become('answers')
  await form.share.click()
  await page.waitForURL('/')
  expect((await asha.trpc.posts.list.query({ search: 'A patient boat' })).total).toBe(1)
})

test('reports a sign-out that does not reach Clerk', async () => {
  const visitor = await site.visit('/', { as: newUser() })
  const { page } = visitor
  clerk.api.become('fails')
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expectAlert(visitor, /could not be signed out/)
  visitor.expectedErrors.push(/status of 500|could not sign out/)
  clerk.api.become('answers')
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await generate(page, 'A boat that stays')
})

test('name, password and deletion are in the profile dialog of Clerk', async () => {
  const { page } = await site.visit('/account', { as: newUser() })
  const main = page.getByRole('main')
  const manage = main.getByRole('button', { name: 'Manage your account', exact: true })
  await manage.waitFor()
  await expectNoViolations(page)
  expect(await main.getByRole('textbox').count()).toBe(1)
  expect(await accountOn(page).apiKeyName.count()).toBe(1)
  expect(await accountOn(page).signOutEverywhere.count()).toBe(0)
  expect(await accountOn(page).openDeletion.count()).toBe(0)
  await manage.click()
  await page.getByRole('dialog').getByText('Profile details').first().waitFor()
})

test('the dialog of Clerk is in the language of the page', async () => {
  const { page } = await site.visit('/')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es')
  await page.locator('html[lang=es]').waitFor()
  await page.getByRole('button', { name: /^(Sign In|Iniciar sesión)$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar', exact: true }).waitFor()
})

import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { clerkDialogOn } from './support/clerk/clerk-dialog.ts'
import { useClerkSite } from './support/clerk/clerk-site.ts'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import { calls, requestLog } from './support/network.ts'
import { chooseInMenu } from './support/post-card.ts'
import { password, type TestUser } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'

const { site, clerk, newUser } = useClerkSite({ CLERK_ADMINISTRATORS: 'user_1' })
let administrator: TestUser

beforeAll(() => {
  administrator = newUser('Usha Menon')
})

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

test('does not retry other errors', async () => {
  const visitor = await site.visit('/create-post', { as: newUser() })
  await generate(visitor.page, 'A boat in the fog')
  let made = 0
  await visitor.page.route(calls.share, (route) => {
    made += 1
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<p>Bad' })
  })
  await formOn(visitor.page).share.click()
  await expectAlert(visitor, 'Failed to share post')
  await expectPageErrors(visitor, /status of 502/)
  expect(made).toBe(1)
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

test('opens the profile dialog of Clerk', async () => {
  const { page } = await site.visit('/account', { as: newUser() })
  const opener = page
    .getByRole('main')
    .getByRole('button', { name: /profile|account/i })
    .first()
  await opener.click()
  await page.getByRole('dialog').getByText('Profile details').waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  await eventually(() => focused(page)).toBe(await opener.textContent())
  expect(page.url()).toBe(`${site.url}/account`)
})

test('an administrator can delete a post of another user', async () => {
  await newUser('Ravi Kumar').share('A boat of Ravi’s')
  const { page } = await site.visit('/?q=boat+of+Ravi', { as: administrator })
  const post = page.getByRole('listitem').first()
  await chooseInMenu(post, 'Delete post')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByText('Showing 0 posts', { exact: true }).waitFor()
})

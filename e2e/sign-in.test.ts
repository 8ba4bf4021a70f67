import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { callAccount, signInAgain } from './support/account.ts'
import { eventually, expectAlert, expectPageErrors } from './support/browser.ts'
import { formOn, generate } from './support/form.ts'
import { calls, holdBack } from './support/network.ts'
import { dialogOn, focused, openDialog } from './support/page-parts.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

/** What is on its way when the session ends: the image, which is for its owner, the list of images, and notices. */
const onItsWay = /status of 40[14].* \/(?:trpc\/(?:images|moderation)\.|uploads\/)/

const headerOf = (page: Page) => page.getByRole('banner')
const signInButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })

async function signOut(page: Page): Promise<void> {
  await headerOf(page).getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
}

test('signs in after a wrong password, and signs out in every tab', async () => {
  const visitor = await site.visit('/create-post')
  const { page } = visitor
  await page.getByText(/you need to be signed in/).waitFor()
  await signInButton(page).click()
  const parts = dialogOn(page)
  await parts.email.fill(asha.email)
  await parts.password.fill('not the password')
  await parts.signIn.click()
  await parts.failure.getByText(/do not belong together/).waitFor()
  await expectPageErrors(visitor, /status of 401.* \/api\/auth\/sign-in\/email$/)
  visitor.expectedErrors.push(onItsWay)
  await signInAgain(page, asha)
  await eventually(() => focused(page)).not.toBe(null)
  expect(page.url()).toBe(`${site.url}/create-post`)
  await page.reload()
  await formOn(page).prompt.waitFor()

  const other = await visitor.openTab('/create-post')
  other.expectedErrors.push(onItsWay)
  await formOn(other.page).prompt.waitFor()
  await page.bringToFront()
  // A tab of an earlier version says that its session has changed.
  const asksAgain = page.waitForResponse(calls.viewer)
  await other.page.evaluate(() => new BroadcastChannel('session').postMessage(null))
  await asksAgain
  expect(await formOn(page).prompt.count()).toBe(1)
  // Neither asks the server whether it is signed out.
  for (const tab of [page, other.page]) await holdBack(tab, calls.viewer)
  // A browser that blocks storage rejects it.
  await page.evaluate(() => (navigator.serviceWorker.getRegistration = () => Promise.reject(new Error())))
  await signOut(page)
  await headerOf(page).getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await eventually(() => focused(page)).not.toBe(null)
  await other.page.bringToFront()
  await signInButton(other.page).waitFor()
  expect(await formOn(other.page).prompt.count()).toBe(0)
  expect(await visitor.context.cookies(site.url)).toEqual([])
})

test('says what the account is for, and likes the post after sign-in', async () => {
  const { id } = await asha.share('A boat to like')
  const { page } = await site.visit(`/posts/${id}`)
  const like = page.getByRole('main').getByRole('button', { name: /^Like/ })
  // Pressed before the page knows that the visitor is signed out.
  const isPressed = () => eventually(() => like.getAttribute('aria-pressed')).toBe('true')
  await page.route(calls.viewer, (route) => isPressed().then(() => route.continue()), { times: 1 })
  await page.reload()
  await like.click()
  await page.getByRole('dialog', { name: 'Sign in to like this' }).waitFor()
  await eventually(() => focused(page)).toBe('Email')
  await page.keyboard.press('Escape')
  await openDialog(page)
  await page.getByRole('dialog', { name: /^Sign in to Rangoli/ }).waitFor()
  await page.keyboard.press('Escape')
  await like.click()
  // The post arrives as it was before the like.
  await page.route(
    '**/trpc/posts.get*',
    async (route) => {
      const response = await route.fetch()
      await isPressed()
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await signInAgain(page, asha)
  await eventually(async () => (await asha.trpc.posts.get.query({ id })).isLiked).toBe(true)
  await isPressed()
  await page.reload()
  await isPressed()
})

test('a session that ends while the form is filled loses and duplicates nothing', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A boat')
  await form.name.fill('Asha of the lake')
  await form.prompt.fill('A boat that waits for its session')
  // Requests without the session fail: the share, and images of the user that load just then.
  visitor.expectedErrors.push(/status of 40[14].* \/(?:trpc\/(?:posts\.create|images\.)|uploads\/)/)
  await callAccount(site.url, '/revoke-sessions', {}, asha)
  await form.share.click()
  await expectAlert(visitor, 'Please sign in first.')
  await signInButton(page).click()
  await signInAgain(page, asha)
  await form.share.waitFor()
  expect(await form.name.inputValue()).toBe('Asha of the lake')
  expect(await form.prompt.inputValue()).toBe('A boat that waits for its session')
  expect(await form.image.getAttribute('alt')).toBe('A boat')
  await form.share.click()
  await page.waitForURL('/')
  await page.getByRole('link', { name: 'A boat', exact: true }).waitFor()
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
})

test('the next user of the same browser sees nothing of the previous one', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const owner = await signUp(site.url, 'Asha Rao')
  const post = await owner.share('A private boat')
  await owner.trpc.posts.update.mutate({ id: post.id, visibility: 'private' })
  await owner.trpc.collections.create.mutate({ title: 'A secret boat', visibility: 'private' })
  const { id } = await owner.trpc.collections.create.mutate({ title: 'Boats', visibility: 'public' })
  await owner.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
  const visitor = await site.visit('/collections', { as: owner })
  const { page } = visitor
  const other = await visitor.context.newPage()
  await other.goto(`${site.url}/collections/${id}`)
  const card = other.getByRole('article', { name: 'A private boat' })
  await card.waitFor()
  await page.getByRole('main').getByText('A secret boat').waitFor()
  await headerOf(page).getByRole('link', { name: 'Create' }).click()
  visitor.expectedErrors.push(onItsWay)
  const form = formOn(page)
  await generate(page, 'A secret boat')
  await page.getByRole('region', { name: 'Your images' }).getByText('A secret boat').waitFor()
  await signOut(page)
  await card.waitFor({ state: 'detached' })
  await signInButton(page).click()
  await signInAgain(page, ravi)
  await form.prompt.waitFor()
  expect(await form.prompt.inputValue()).toBe('')
  expect(await form.name.inputValue()).toBe('Ravi')
  await page.getByText('Generated today: 0', { exact: true }).waitFor()
  expect(await page.getByText('A secret boat').count()).toBe(0)
  expect(await form.share.count()).toBe(0)
  await headerOf(page).getByRole('link', { name: 'Collections' }).click()
  await eventually(() => page.getByText(/^(Boats|A secret boat)$/).count()).toBe(1)
})

test('reports missing and invalid input at its field', async () => {
  const { page } = await site.visit('/')
  const parts = await openDialog(page)
  await parts.signIn.click()
  await eventually(() => focused(page)).toBe('Email')
  for (const field of [parts.email, parts.password]) {
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const [error = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
    expect(await page.locator(`[id="${error}"]`).textContent()).toMatch(/\w/)
  }
  await parts.toSignUp.click()
  await parts.name.fill('Ravi')
  await parts.email.fill('ravi')
  await parts.password.fill('short')
  await parts.signUp.click()
  await parts.dialog.getByText('This does not look like an email address.').waitFor()
  await parts.dialog.getByText('Use at least 8 characters.').waitFor()
  expect(await parts.name.inputValue()).toBe('Ravi')
})

test('reports a sign-out that does not reach the server', async () => {
  const visitor = await site.visit('/', { as: await signUp(site.url, 'Asha Rao') })
  await visitor.page.route('**/api/auth/**', (route) => route.abort())
  await signOut(visitor.page)
  await expectAlert(visitor, /could not be signed out/)
  await expectPageErrors(visitor, /net::ERR_FAILED|could not sign out/)
  await settled(visitor)
  expect(await visitor.page.getByRole('banner').getByRole('button', { name: 'Asha' }).count()).toBe(1)
})

import { beforeAll, expect, test } from 'vitest'
import { expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import { calls, holdBack } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('The first post')
})

const total = async () => (await asha.trpc.posts.list.query()).total

test('shows a shared image first in the gallery, and in another tab after a reload', async () => {
  const before = await total()
  const visitor = await site.visit('/', { as: asha })
  const other = await visitor.openTab('/')
  await settled(other)
  const { page } = visitor
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await generate(page, 'A lantern on the lake')
  await formOn(page).name.fill('Asha of the lake')
  const release = await holdBack(page, calls.share)
  await formOn(page).share.click()
  await formOn(page).sharing.waitFor()
  expect(await formOn(page).sharing.isDisabled()).toBe(true)
  release()
  await page.waitForURL('/')
  expect(page.url()).toBe(`${site.url}/`)
  for (const tab of [page, other.page]) {
    if (tab === other.page) await tab.reload()
    await tab.getByText(`Showing ${before + 1} posts`, { exact: true }).waitFor()
    const first = tab.getByRole('listitem').first()
    expect(await first.getByRole('link').first().getAttribute('aria-label')).toBe('A lantern on the lake')
    expect(await first.getByText('Asha of the lake', { exact: true }).count()).toBe(1)
  }
})

test('shows for ten seconds that the image is shared, and longer under the pointer', async () => {
  const { page } = await site.visit('/create-post', { as: asha, isNew: true, clock: true })
  await generate(page, 'A lantern at the gate')
  await formOn(page).share.click()
  await page.waitForURL('/')
  const dismiss = page.getByRole('button', { name: 'Dismiss message' })
  await dismiss.hover()
  await page.clock.runFor(10_000)
  expect(await dismiss.isVisible()).toBe(true)
  await page.mouse.move(0, 0)
  await page.clock.runFor(7_000)
  expect(await dismiss.isVisible()).toBe(true)
  await page.clock.runFor(3_500)
  await dismiss.waitFor({ state: 'detached' })
})

test('shares the current prompt of the form', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A boat')
  await formOn(page).prompt.fill('A boat, said otherwise')
  await formOn(page).share.click()
  await page.waitForURL('/')
  expect(await page.getByRole('listitem').first().getByRole('link').first().getAttribute('aria-label')).toBe(
    'A boat, said otherwise',
  )
})

test('links to the post of a shared image, until the prompt is another one', async () => {
  const kamala = await signUp(site.url, 'Kamala')
  const post = await kamala.share('A ferry at noon')
  const { page } = await site.visit('/create-post', { as: kamala })
  const form = formOn(page)
  await page.getByRole('main').getByRole('button', { name: 'Edit & share' }).click()
  const link = page.getByRole('link', { name: 'In the gallery — open', exact: true })
  await link.waitFor()
  expect(await form.share.count()).toBe(0)
  await form.prompt.fill('A ferry at night')
  await form.share.waitFor()
  await form.prompt.fill('A ferry at noon')
  await link.click()
  await page.waitForURL(`/posts/${post.id}`)
})

test('creates one post for a double click on Share', async () => {
  const before = await total()
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A double moon')
  await formOn(page).share.dblclick()
  await page.waitForURL('/')
  await page.getByText(`Showing ${before + 1} posts`, { exact: true }).waitFor()
  expect(await total()).toBe(before + 1)
})

test('shows an empty form on Back after sharing', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A sun')
  await formOn(page).share.click()
  await page.waitForURL('/')
  await page.goBack()
  await formOn(page).prompt.waitFor()
  expect(await formOn(page).prompt.inputValue()).toBe('')
})

test('rejects an image without a prompt', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  await generate(visitor.page, 'A wordless boat')
  const before = await total()
  await formOn(visitor.page).prompt.fill('  ')
  await formOn(visitor.page).share.click()
  await expectAlert(visitor, 'Please enter a prompt and generate an image')
  await formOn(visitor.page)
    .failure.getByText('Please enter a prompt and generate an image', { exact: true })
    .waitFor()
  expect(await total()).toBe(before)
})

test('alerts “Failed to share post” without a network, and keeps the form', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A patient boat')
  await visitor.page.route(calls.share, (route) => route.abort())
  await form.share.click()
  await expectAlert(visitor, 'Failed to share post')
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await form.failure.getByText('Failed to share post', { exact: true }).waitFor()
  expect(await form.prompt.inputValue()).toBe('A patient boat')
  expect(await form.image.count()).toBe(1)
  await visitor.page.unroute(calls.share)
  await form.share.click()
  await visitor.page.waitForURL('/')
})

test('alerts the server’s message if the server rejects the post', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A boat with a name')
  await form.name.fill('n'.repeat(81))
  await form.share.click()
  await expectAlert(visitor, 'A name may have at most 80 characters.')
  await form.failure.getByText('A name may have at most 80 characters.', { exact: true }).waitFor()
  expect(await form.name.inputValue()).toBe('n'.repeat(81))
})

test('keeps what is typed while an image is being shared', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await generate(page, 'A boat at the pier')
  const release = await holdBack(page, calls.share)
  await form.share.click()
  await form.sharing.waitFor()
  await form.prompt.fill('A second thought')
  release()
  await page.waitForURL('/')
  expect(await page.getByRole('listitem').first().getByRole('link').first().getAttribute('aria-label')).toBe(
    'A boat at the pier',
  )
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await form.prompt.waitFor()
  expect(await form.prompt.inputValue()).toBe('A second thought')
  expect(await form.share.count()).toBe(0)
  await page.reload()
  expect(await form.prompt.inputValue()).toBe('A second thought')
})

test('creates one post when the response is lost and Share is clicked again', async () => {
  const before = await total()
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A boat that was sent twice')
  await visitor.page.route(calls.share, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await form.share.click()
  await expectAlert(visitor, 'Failed to share post')
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  expect(await total()).toBe(before + 1)
  await visitor.page.unroute(calls.share)
  await form.share.click()
  await visitor.page.waitForURL('/')
  await visitor.page.getByText(`Showing ${before + 1} posts`, { exact: true }).waitFor()
  expect(await total()).toBe(before + 1)
})

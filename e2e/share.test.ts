import { beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
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

test('a shared image stands first in the gallery, here and in another tab after a reload', async () => {
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
    expect(await first.locator('img').getAttribute('alt')).toBe('A lantern on the lake')
    expect(await first.getByText('Asha of the lake', { exact: true }).count()).toBe(1)
  }
})

test('what is shared is the prompt as it stands in the form', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A boat')
  await formOn(page).prompt.fill('A boat, said otherwise')
  await formOn(page).share.click()
  await page.waitForURL('/')
  expect(await page.getByRole('listitem').first().locator('img').getAttribute('alt')).toBe(
    'A boat, said otherwise',
  )
})

test('an empty name is shown as User', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A nameless boat')
  await formOn(page).name.fill('')
  await formOn(page).share.click()
  await page.waitForURL('/')
  expect(await page.getByRole('listitem').first().getByText('User', { exact: true }).count()).toBe(1)
})

test('two clicks on Share make one post', async () => {
  const before = await total()
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A double moon')
  await formOn(page).share.dblclick()
  await page.waitForURL('/')
  await page.getByText(`Showing ${before + 1} posts`, { exact: true }).waitFor()
  expect(await total()).toBe(before + 1)
})

test('after a share the form starts anew', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A moon')
  await formOn(page).share.click()
  await page.waitForURL('/')
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await formOn(page).prompt.waitFor()
  expect(await formOn(page).prompt.inputValue()).toBe('')
  expect(await formOn(page).share.count()).toBe(0)
})

test('Back leads to an empty form after a share, not to what was shared', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A sun')
  await formOn(page).share.click()
  await page.waitForURL('/')
  await page.goBack()
  await formOn(page).prompt.waitFor()
  expect(await formOn(page).prompt.inputValue()).toBe('')
})

test('an image without a prompt is not shared', async () => {
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

test('no network: Failed to share post, and everything stays', async () => {
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

test('an answer of something in between: Failed to share post', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  await generate(visitor.page, 'A boat in the fog')
  await visitor.page.route(calls.share, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<p>Bad' }),
  )
  await formOn(visitor.page).share.click()
  await expectAlert(visitor, 'Failed to share post')
  await expectPageErrors(visitor, /status of 502/)
  await eventually(() => formOn(visitor.page).share.isEnabled()).toBe(true)
})

test('what the server refuses is alerted in its own words', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A boat with a name')
  await form.name.fill('n'.repeat(81))
  await form.share.click()
  await expectAlert(visitor, 'A name may have at most 80 characters.')
  await form.failure.getByText('A name may have at most 80 characters.', { exact: true }).waitFor()
  expect(await form.name.inputValue()).toBe('n'.repeat(81))
})

test('markup and a long prompt are shown as they are', async () => {
  const prompt = `<img src=x onerror=alert(1)> ${'rangoli '.repeat(450)}`.trim()
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, prompt)
  await formOn(page).name.fill('<script>alert(2)</script>')
  await formOn(page).share.click()
  await page.waitForURL('/')
  const first = page.getByRole('listitem').first()
  expect(await first.getByText('<script>alert(2)</script>', { exact: true }).count()).toBe(1)
  expect(await first.getByText('<img src=x onerror=alert(1)>').count()).toBeGreaterThan(0)
  await page.reload()
  await first.getByText('<script>alert(2)</script>', { exact: true }).waitFor({ state: 'attached' })
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
  expect(await page.getByRole('listitem').first().locator('img').getAttribute('alt')).toBe(
    'A boat at the pier',
  )
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
  await form.prompt.waitFor()
  expect(await form.prompt.inputValue()).toBe('A second thought')
  expect(await form.share.count()).toBe(0)
  await page.reload()
  expect(await form.prompt.inputValue()).toBe('A second thought')
})

test('makes one post when the answer is lost and Share is pressed again', async () => {
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

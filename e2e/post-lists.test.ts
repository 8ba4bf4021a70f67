import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'
import type { Page } from 'playwright-core'

const site = useSite()
let asha: User
let ashaId: string

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  const ravi = await signUp(site.url, 'Ravi Kumar')
  ashaId = (await asha.share('A lotus at dawn')).authorId
  const { id } = await asha.share('A lotus at dusk')
  await ravi.share('Kites over Jaipur')
  await ravi.trpc.posts.like.mutate({ id })
})

/** Prompts of the posts on a page. */
function promptsOn(page: Page) {
  return page
    .locator('main article h2 a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
}

test.each([true, false])(
  'orders the posts by likes, in an address (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { page } = await site.visit('/', javaScriptEnabled ? {} : { javaScriptEnabled })
    const order = page.getByRole('navigation', { name: 'Order' })
    expect(await order.getByRole('link').allTextContents()).toEqual(['Newest', 'Most liked'])
    await order.getByRole('link', { name: 'Most liked' }).click()
    await page.waitForURL('/?sort=top')
    await eventually(() => promptsOn(page)).toEqual([
      'A lotus at dusk',
      'Kites over Jaipur',
      'A lotus at dawn',
    ])
    await order.getByRole('link', { name: 'Week' }).click()
    await page.waitForURL('/?sort=top&period=week')
    expect(await order.locator('[aria-current]').allTextContents()).toEqual(['Most liked', 'Week'])
    await page.getByText('Showing 3 posts', { exact: true }).waitFor()

    await page.getByLabel('Search Posts').fill('lotus')
    await page.getByLabel('Search Posts').press('Enter')
    await page.getByText('Showing 2 posts', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toMatch(/sort=top&period=week/)
    expect(await promptsOn(page)).toEqual(['A lotus at dusk', 'A lotus at dawn'])
  },
)

test('shows likes on a card once there are any', async () => {
  const { page } = await site.visit('/')
  const card = (prompt: string) => page.getByRole('listitem').filter({ hasText: prompt })
  expect(await card('A lotus at dusk').getByText('1 like').count()).toBe(1)
  expect(await card('A lotus at dawn').getByText('like').count()).toBe(0)
})

test('the author of a card links to a page with their posts and a search in them', async () => {
  const { page } = await site.visit('/')
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus at dawn' })
  await card.hover()
  await card.getByRole('link', { name: 'Asha Rao' }).click()
  await page.waitForURL(`/authors/${ashaId}`)
  await page.getByRole('heading', { level: 1, name: 'Asha Rao' }).waitFor()
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
  await eventually(() => page.title()).toBe('Asha Rao — Rangoli')
  await page.getByLabel('Search Posts').fill('dawn')
  await page.waitForURL(`/authors/${ashaId}?q=dawn`)
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(await promptsOn(page)).toEqual(['A lotus at dawn'])
  await page.goBack()
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
})

import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { calls } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ DAILY_POST_LIMIT: '1000' })
const count = 60
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url)
  for (let number = 1; number <= count; number += 1) await asha.share(`Kite ${number}`)
})

test('Load more loads the next page by keyboard', async () => {
  const { context, page } = await site.visit('/create-post', { isNew: true })
  await context.addInitScript(() => {
    IntersectionObserver.prototype.observe = () => {}
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  const images = page.getByRole('listitem').locator('img')
  const before = await images.count()
  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await eventually(() => images.count()).toBeGreaterThan(before)
})

test('Load more retries a page that failed to load', async () => {
  const visitor = await site.visit('/', { viewport: { width: 400, height: 400 } })
  const { page } = visitor
  await page.route(calls.list, (route) => route.abort())
  const images = page.getByRole('listitem').locator('img')
  const before = await images.count()
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded()
  const failure = page.getByRole('alert').filter({ hasText: /\w/ })
  await failure.waitFor()
  expect(await images.count()).toBe(before)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.unroute(calls.list)
  await page.getByRole('button', { name: 'Load more' }).click()
  await eventually(() => images.count()).toBeGreaterThan(before)
  await eventually(() => failure.count()).toBe(0)
})

// Last, because it adds posts.
test('announces new posts with a button and does not move the page', async () => {
  const { page } = await site.visit('/', { clock: true })
  const images = page.locator('main article h2 a')
  await images.nth(14).scrollIntoViewIfNeeded()
  const before = await images.first().getAttribute('aria-label')
  const place = await images.nth(14).boundingBox()
  await asha.share('A boat at dawn')
  await asha.share('A boat at dusk')
  await page.clock.runFor(91_000)
  const button = page.getByRole('button', { name: '2 new posts', exact: true })
  await button.waitFor()
  expect(await images.first().getAttribute('aria-label')).toBe(before)
  expect(await images.nth(14).boundingBox()).toEqual(place)
  expect(await findViolations(page)).toEqual([])
  await button.press('Enter')
  await eventually(() => images.first().getAttribute('aria-label')).toBe('A boat at dusk')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await eventually(() => button.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1')
})

test.each([1280, 360])(
  'the slash key focuses the search without moving the page, also while the user types, at %i px',
  async (width) => {
    const { page } = await site.visit('/', { viewport: { width, height: 720 } })
    const search = page.getByLabel('Search Posts')
    const scrollTop = () => page.evaluate(() => Math.round(window.scrollY))
    await page.evaluate(() => window.scrollTo(0, 1_200))
    await eventually(scrollTop).toBe(1_200)
    await page.keyboard.press('/')
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowLeft')
    // The browser scrolls before it paints.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await scrollTop()).toBe(1_200)
  },
)

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { layoutShift } from './support/page-inspection.ts'
import { calls, holdBack, requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  const asha = await signUp(site.url)
  await asha.share('A lotus at dawn')
  await asha.share(`Kites over Jaipur ${'and many more of them '.repeat(10)}`)
})

/** Opens a page and holds back the requests that match `address`. */
async function visitBefore(address: string, { clock = false } = {}) {
  const visitor = await site.visit('/create-post', { settle: false, isNew: true, clock })
  const release = await holdBack(visitor.page, address)
  await visitor.page.goto('/', { waitUntil: 'commit' })
  return { ...visitor, release }
}

const scripts = '**/assets/*.js'
const select = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Theme' })

test('loads scripts after the images, without layout shift', async () => {
  const visitor = await visitBefore(calls.images)
  const asked = requestLog(visitor.page, '/assets/')
  await visitor.page.waitForLoadState('domcontentloaded')
  await eventually(() => visitor.page.getByText('Showing 2 posts', { exact: true }).isVisible()).toBe(true)
  const isScript = (address: string) => address.endsWith('.js')
  expect(asked.map((request) => request.url()).filter(isScript)).toEqual([])
  visitor.release()
  await settled(visitor)
  expect(asked.map((request) => request.url()).filter(isScript)).not.toEqual([])
  expect(await layoutShift(visitor.page)).toBeLessThan(0.05)
})

test('shows the menu of the user as soon as its code has loaded', async () => {
  const visitor = await site.visit('/robots.txt', { as: await signUp(site.url), settle: false, isNew: true })
  // React would delay what suspends by 300 ms.
  await visitor.page.addInitScript(() => {
    const { setTimeout } = window
    const withoutDelays = (...call: Parameters<typeof setTimeout>) =>
      (call[1] ?? 0) < 100 ? setTimeout(...call) : 0
    Object.assign(window, { setTimeout: withoutDelays })
  })
  await visitor.page.goto('/')
  await settled(visitor)
})

test('hydrates without an image that does not load', async () => {
  const visitor = await visitBefore(calls.images, { clock: true })
  await visitor.page.waitForLoadState('domcontentloaded')
  await visitor.page.clock.runFor(3_000)
  await settled(visitor)
  visitor.release()
})

test('loads scripts at the first interaction', async () => {
  const visitor = await visitBefore(calls.images)
  const asked = requestLog(visitor.page, '/assets/main')
  await visitor.page.getByLabel('Search Posts').focus()
  await eventually(() => asked.some((request) => request.url().endsWith('.js'))).toBe(true)
  await settled(visitor)
  visitor.release()
})

test('searches for text that was typed before hydration', async () => {
  const visitor = await visitBefore(scripts)
  const { page } = visitor
  await page.getByLabel('Search Posts').pressSequentially('lotus')
  visitor.release()
  await page.waitForURL('/?q=lotus')
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(await page.getByLabel('Search Posts').inputValue()).toBe('lotus')
})

test('replays clicks on buttons after hydration', async () => {
  const visitor = await visitBefore(scripts)
  const { page } = visitor
  await page.getByRole('listitem').first().hover()
  await page.getByRole('button', { name: 'More actions' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').last().hover()
  const saved = page.waitForEvent('download')
  await page.getByRole('listitem').last().getByRole('button', { name: 'Download image' }).click()
  visitor.release()
  await page.getByRole('menu').waitFor({ state: 'attached' })
  await saved
})

test('applies a theme that was chosen before hydration', async () => {
  const visitor = await visitBefore(scripts)
  await select(visitor.page).selectOption('hc')
  visitor.release()
  await eventually(() => visitor.page.locator('html').getAttribute('data-theme')).toBe('hc')
  expect(await select(visitor.page).inputValue()).toBe('hc')
})

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { formOn } from './support/form.ts'
import { focused, outlineOf } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

const focusAfter = (page: Page, key: string) => page.keyboard.press(key).then(() => focused(page))

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await (await signUp(site.url, 'Ravi Kumar')).share('Kites over Jaipur')
})

test('Tab follows the reading order with a visible focus', async () => {
  const { page } = await site.visit('/', { as: asha })
  const order: (string | null)[] = []
  for (let presses = 0; presses < 30; presses += 1) {
    const name = await focusAfter(page, 'Tab')
    if (name === null) break
    order.push(name)
    const { width, style } = await outlineOf(page.locator(':focus'))
    expect([name, style, width]).toEqual([name, expect.not.stringMatching('none'), expect.any(Number)])
    expect(width).toBeGreaterThanOrEqual(2)
  }
  const kites = ['Kites over Jaipur', 'Download image', 'More actions']
  const lotus = ['A lotus at dawn', 'Download image', 'More actions']
  expect(order.slice(0, 2)).toEqual(['Skip to the content', 'Rangoli'])
  expect(order).toContain('Create')
  expect(order.slice(order.indexOf('Search Posts'), order.indexOf('About'))).toEqual([
    'Search Posts',
    'Newest',
    'Most liked',
    'Squares',
    'True shapes',
    'Square',
    'Landscape',
    'Portrait',
    'Skip to the footer',
    ...kites,
    ...lotus,
  ])
})

test('skips the header and the posts, and moves from post to post by arrow keys', async () => {
  const { page } = await site.visit('/')
  expect(await focusAfter(page, 'Tab')).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  expect(await focusAfter(page, 'Tab')).toBe('What shall we draw?')
  await page.getByRole('link', { name: 'Portrait' }).focus()
  expect(await focusAfter(page, 'Tab')).toBe('Skip to the footer')
  expect(await focusAfter(page, 'Tab')).toBe('Kites over Jaipur')
  await page.keyboard.press('Tab')
  expect(await focusAfter(page, 'ArrowRight')).toBe('A lotus at dawn')
  expect(await focusAfter(page, 'ArrowRight')).toBe('A lotus at dawn')
  expect(await focusAfter(page, 'ArrowLeft')).toBe('Kites over Jaipur')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.localName)).toBe('footer')
  expect(await focusAfter(page, 'Tab')).toBe('About')
})

/** Presses Tab until the element with a label or text has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: (string | null)[] = []
  while (passed.at(-1) !== name) {
    if (passed.length === 60) throw new Error(`Tab does not reach ${name}, but ${passed.join(', ')}`)
    passed.push(await focusAfter(page, 'Tab'))
  }
}

test('lists the keys of the page on a question mark, unless someone types one', async () => {
  const { page } = await site.visit('/')
  await page.getByLabel('Search Posts').press('?')
  await page.keyboard.press('Tab')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Search', { exact: true }).waitFor()
})

test('signs up, generates, shares, finds, opens, likes and deletes an image with the keyboard alone', async () => {
  const { page } = await site.visit('/')
  const { keyboard } = page
  const word = randomUUID().slice(0, 8)
  const prompt = `A tiger ${word} by keyboard`
  async function activate(name: string) {
    await tabTo(page, name)
    await keyboard.press('Enter')
  }
  await activate('Sign In')
  await page.getByRole('dialog').waitFor()
  await activate('Create an account')
  for (const [label, value] of [
    ['Name', 'Meera Iyer'],
    ['Email', `${word}@example.org`],
    ['Password', password],
  ] as const) {
    if ((await focused(page)) !== label) await tabTo(page, label)
    await keyboard.type(value)
  }
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('banner').getByRole('button', { name: 'Meera' }).waitFor()
  await activate('Create')
  await eventually(() => focused(page)).toBe('Make an image')
  await formOn(page).prompt.waitFor()
  await tabTo(page, 'Prompt')
  await keyboard.type(prompt)
  await activate('Generate')
  await formOn(page).share.waitFor()
  await activate('Share with the Community')
  await page.getByRole('link', { name: prompt }).waitFor()
  await keyboard.press('/')
  await keyboard.type(word)
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  await activate(prompt)
  await page.locator('[role=dialog]:focus').waitFor()
  await keyboard.press('?')
  await page.getByText('Zoom in and out', { exact: true }).waitFor()
  await keyboard.press('Escape')
  await page.locator('[role=dialog]:focus').waitFor()
  await keyboard.press('l')
  await page.getByRole('button', { name: 'Liked 1', pressed: true }).waitFor()
  await keyboard.press('Escape')
  await eventually(() => focused(page)).toBe(prompt)
  await activate('More actions')
  while ((await focused(page)) !== 'Delete post') await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await activate('Delete')
  await page.getByRole('heading', { name: 'No Search Results Found' }).waitFor()
  await eventually(() => focused(page)).toMatch(/^Rangoli/)
})

test('nothing covers the focus in the gallery at 400 % of 1280 × 1024', async () => {
  const { page } = await site.visit('/', { as: asha, viewport: { width: 320, height: 256 } })
  await page.evaluate(() => scrollTo(0, 0))
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stops = 0; ; stops += 1) {
      await page.keyboard.press(key)
      const isVisible = await isFocusVisible(page)
      if (isVisible === null) {
        expect(stops).toBeGreaterThan(20)
        break
      }
      expect([key, stops, isVisible]).toEqual([key, stops, true])
    }
  }
})

/** Whether a part of the focused element is on the screen with nothing over it; null without focus. */
function isFocusVisible(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return null
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const isReached = (x: number, y: number) => {
      const reached = document.elementFromPoint(x, y)
      return reached !== null && element.contains(reached)
    }
    // The middle and points near the corners.
    const xs = [left + 3, (left + right) / 2, right - 3]
    const ys = [top + 3, (top + bottom) / 2, bottom - 3]
    return xs.some((x) => ys.some((y) => isReached(x, y)))
  })
}

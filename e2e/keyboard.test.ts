import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { outlineOf } from './support/page-inspection.ts'
import { signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await (await signUp(site.url, 'Ravi Kumar')).share('Kites over Jaipur')
})

test('Tab follows the reading order with a visible focus', async () => {
  const { page } = await site.visit('/', { as: asha })
  const order: (string | null)[] = []
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    const name = await focused(page)
    if (name === null) break
    order.push(name)
    const { width, style } = await outlineOf(page.locator(':focus'))
    expect([name, style, width]).toEqual([name, expect.not.stringMatching('none'), expect.any(Number)])
    expect(width).toBeGreaterThanOrEqual(2)
  }
  const kites = ['Kites over Jaipur', 'Ravi Kumar', 'Download image', 'More actions']
  const lotus = ['A lotus at dawn', 'Asha Rao', 'Download image', 'More actions']
  expect(order.slice(0, 2)).toEqual(['Skip to the content', 'Rangoli'])
  expect(order).toContain('Create')
  expect(order.slice(order.indexOf('Search Posts'), order.indexOf('About'))).toEqual([
    'Search Posts',
    'Newest',
    'Most liked',
    'Whole images',
    'Skip to the footer',
    ...kites,
    ...lotus,
  ])
})

test('the skip link moves the focus past the header', async () => {
  const { page } = await site.visit('/')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('What shall we draw?')
})

test('one press leads past the posts, and arrow keys move from post to post', async () => {
  const { page } = await site.visit('/')
  await page.getByRole('button', { name: 'Whole images' }).focus()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to the footer')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Kites over Jaipur')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe('A lotus at dawn')
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe('A lotus at dawn')
  await page.keyboard.press('ArrowLeft')
  expect(await focused(page)).toBe('Kites over Jaipur')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.localName)).toBe('footer')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('About')
})

test('navigation focuses the heading of the page and updates the title', async () => {
  const { page } = await site.visit('/', { as: asha })
  await page.getByRole('banner').getByRole('link', { name: 'Create' }).press('Enter')
  await eventually(() => focused(page)).toBe('Make an image')
  expect(await page.title()).toBe('Make an image — Rangoli')
  await page.goBack()
  await eventually(() => page.title()).toBe('Rangoli — Text-to-Image AI Generator')
})

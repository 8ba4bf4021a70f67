import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let arabicPost: string

beforeAll(async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  await asha.share('First lamp')
  await asha.share('Second lamp')
  arabicPost = `/posts/${(await asha.share('طاووس، neon!', 'ليلى')).id}`
})

const directionOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction)

test('the left arrow key opens the next post on a page from right to left', async () => {
  const { page } = await site.visit('/', { locale: 'ar' })
  await page.locator(`main a[href="${arabicPost}"]`).click()
  await page.getByRole('dialog', { name: 'طاووس، neon!' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: 'Second lamp' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: 'First lamp' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'Second lamp' }).waitFor()
})

test('words keep their own direction and language on a page in another one', async () => {
  const { page } = await site.visit(arabicPost)
  expect(await directionOf(page.locator('main'))).toBe('ltr')
  for (const words of ['طاووس، neon!', 'ليلى']) {
    const element = page.locator('article').getByText(words, { exact: true }).first()
    expect(await directionOf(element)).toBe('rtl')
    expect(await element.getAttribute('lang')).toBe('ar')
  }
})

test('a field has the direction of its words, and an empty one that of the page', async () => {
  for (const [locale, direction] of [
    ['en-US', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    const { page } = await site.visit('/', { locale })
    const search = page.getByRole('searchbox')
    expect(await directionOf(search)).toBe(direction)
    await search.fill('طاووس')
    await eventually(() => directionOf(search)).toBe('rtl')
    await search.fill('lamp')
    await eventually(() => directionOf(search)).toBe('ltr')
    // Room for the icon, and for the button that clears the field.
    const padding = await search.evaluate((element) => {
      const { paddingLeft, paddingRight } = getComputedStyle(element)
      return [paddingLeft, paddingRight]
    })
    expect(padding).toEqual(direction === 'ltr' ? ['48px', '88px'] : ['88px', '48px'])
  }
})

import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User
let arabicPost: string

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('First lamp')
  await asha.share('Second lamp')
  arabicPost = `/posts/${(await asha.share('طاووس، neon!', 'ليلى')).id}`
})

/** The select of the language, whose label is translated too. */
const pickerOn = (page: Page) => page.getByRole('banner').locator('select:has(option[lang])')

const documentOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title])

test('the select changes the language at once, and for later visits', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await prompt.fill('A peacock in the rain')
  const picker = page.getByRole('combobox', { name: 'Language' })
  expect(await picker.getByRole('option').allTextContents()).toEqual([
    'English',
    'Español',
    'العربية',
    'हिन्दी',
  ])
  await picker.selectOption({ label: 'العربية' })
  await eventually(async () => (await documentOf(page)).slice(0, 2)).toEqual(['ar', 'rtl'])
  await page.getByRole('heading', { level: 1, name: /[\u0600-\u06ff]/ }).waitFor()
  expect(await page.locator('textarea').first().inputValue()).toBe('A peacock in the rain')
  const [, , title] = await documentOf(page)
  expect(title).toMatch(/[\u0600-\u06ff]/)

  await page.reload()
  expect(await documentOf(page)).toEqual(['ar', 'rtl', title])
  await pickerOn(page).selectOption('en')
  await eventually(() => documentOf(page)).toEqual(['en', 'ltr', 'Make an image — Rangoli'])
})

const directionOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction)

test('the left arrow key opens the next post on a page from right to left', async () => {
  const { page } = await site.visit('/', { locale: 'ar' })
  await page.locator(`main a[href="${arabicPost}"]`).click()
  await page.getByRole('dialog', { name: 'طاووس، neon!' }).press('ArrowLeft')
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
  for (const direction of ['ltr', 'rtl']) {
    const { page } = await site.visit('/', { ...(direction === 'rtl' && { locale: 'ar' }) })
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

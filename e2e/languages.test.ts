import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User
let postPath: string

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  postPath = `/posts/${(await asha.share('A lotus at dawn')).id}`
})

/** The select of the language, whose label is translated too. */
const pickerOn = (page: Page) => page.getByRole('banner').locator('select:has(option[lang])')

const documentOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title])

test.each([
  { locale: 'es-MX', language: 'es', direction: 'ltr' },
  { locale: 'hi-IN', language: 'hi', direction: 'ltr' },
  { locale: 'ar-EG', language: 'ar', direction: 'rtl' },
])('pages are hydrated in the language of a $locale browser', async ({ locale, language, direction }) => {
  const visitor = await site.visit('/', { as: asha, locale })
  const { page } = visitor
  for (const path of [
    '/',
    '/?q=lotus',
    postPath,
    '/create-post',
    '/your-images',
    '/account',
    '/about',
    '/api/v1/docs',
    '/rules',
  ]) {
    await page.goto(path)
    if (path !== '/rules') await settled(visitor)
    expect((await documentOf(page)).slice(0, 2)).toEqual([language, direction])
    const english = page
      .locator('main, header, footer')
      .getByText(/^(Newest|Sign Out|Create|Generate|About|Download)$/)
    expect([path, await english.allTextContents()]).toEqual([path, []])
  }
  visitor.expectedErrors.push(/404/)
})

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

test('a page loads the messages of its language only', async () => {
  const { page } = await site.visit('/', { isNew: true, locale: 'hi-IN' })
  const catalogs = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => /\/assets\/(en|es|hi|ar)-[^/]*\.js$/.exec(name)?.[1] ?? []),
  )
  expect(new Set(catalogs)).toEqual(new Set(['hi']))
})

test('a language that cannot be loaded leaves the page as it is', async () => {
  const visitor = await site.visit('/', { isNew: true })
  const { page } = visitor
  visitor.expectedErrors.push(/ERR_FAILED|Failed to fetch/)
  await page.route('**/assets/es-*.js', (route) => route.abort())
  await pickerOn(page).selectOption('es')
  await page.getByText('The language could not be loaded. Try again.').first().waitFor()
  expect((await documentOf(page)).slice(0, 2)).toEqual(['en', 'ltr'])
  expect(await pickerOn(page).inputValue()).toBe('en')
  expect(await page.context().cookies()).toEqual([])
  await page.unroute('**/assets/es-*.js')
  await pickerOn(page).selectOption('es')
  await eventually(() => documentOf(page).then(([language]) => language)).toBe('es')
})

test('the last choice wins, whichever language is loaded first', async () => {
  const { page } = await site.visit('/', { isNew: true })
  const held = new Promise<Route>((resolve) => void page.route('**/assets/es-*.js', resolve))
  await pickerOn(page).selectOption('es')
  await pickerOn(page).selectOption('hi')
  await eventually(() => documentOf(page).then(([language]) => language)).toBe('hi')
  const loaded = page.waitForResponse('**/assets/es-*.js')
  await (await held).continue()
  await (await loaded).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect((await documentOf(page))[0]).toBe('hi')
  expect(await page.context().cookies()).toMatchObject([{ name: 'language', value: 'hi' }])
})

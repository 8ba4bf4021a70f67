import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.getAttribute('data-theme'))
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))
const backgroundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const pickerOn = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Theme' })

test('applies the stored theme before the first paint', async () => {
  const { context, page } = await site.visit('/', { isNew: true })
  await context.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.body || Reflect.has(window, 'themeAtBody')) return
      Reflect.set(window, 'themeAtBody', document.documentElement.getAttribute('data-theme'))
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  for (const [theme, attribute] of [
    ['soft-dark', 'soft-dark'],
    ['hc', 'hc'],
    ['HC', null],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('theme', value), theme)
    await page.goto('/create-post')
    expect([theme, await page.evaluate(() => Reflect.get(window, 'themeAtBody') as unknown)]).toEqual([
      theme,
      attribute,
    ])
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
    expect([theme, await themeOf(page)]).toEqual([theme, attribute])
  }
})

test('the theme picker changes and stores the theme, and Automatic removes it', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  const other = await visitor.openTab('/')
  await settled(other)
  for (const [label, theme] of [
    ['Soft dark', 'soft-dark'],
    ['High contrast', 'hc'],
    ['Automatic', null],
  ] as const) {
    await pickerOn(page).selectOption({ label })
    expect(await themeOf(page)).toBe(theme)
    expect(await stored(page)).toBe(theme)
    await eventually(() => themeOf(other.page)).toBe(theme)
    await eventually(() => pickerOn(other.page).inputValue()).toBe(theme ?? '')
  }
})

test('the theme picker chooses light or dark, whatever the system prefers', async () => {
  const { page } = await site.visit('/', { colorScheme: 'light' })
  const light = await backgroundOf(page)
  await pickerOn(page).selectOption({ label: 'Dark' })
  const dark = await backgroundOf(page)
  expect(dark).not.toBe(light)
  expect([await themeOf(page), await stored(page)]).toEqual([null, null])
  await page.reload()
  expect(await backgroundOf(page)).toBe(dark)
  await eventually(() => pickerOn(page).inputValue()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await pickerOn(page).selectOption({ label: 'Light' })
  expect(await backgroundOf(page)).toBe(light)
  await pickerOn(page).selectOption({ label: 'Automatic' })
  expect(await backgroundOf(page)).toBe(dark)
})

test('applies a chosen theme even if storage is blocked', async () => {
  const { context, page } = await site.visit('/', { isNew: true })
  await context.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, area, {
        get() {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    }
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  await pickerOn(page).selectOption({ label: 'High contrast' })
  expect(await themeOf(page)).toBe('hc')
})

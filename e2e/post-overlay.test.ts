import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

/** As the view transitions of posts are tested, too. */
const withMotion = { reducedMotion: 'no-preference' } as const

const site = useSite()
const count = 16
const ids = new Map<string, string>()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  for (let number = 1; number <= count; number += 1) {
    ids.set(`Kite ${number}`, (await asha.share(`Kite ${number}`)).id)
  }
})

const pathOf = (page: Page) => new URL(page.url()).pathname
const postPath = (prompt: string) => `/posts/${ids.get(prompt)}`
const cardOf = (page: Page, prompt: string) => page.locator(`main a[href="${postPath(prompt)}"]`)
const dialogOf = (page: Page, prompt: string) => page.getByRole('dialog', { name: prompt, exact: true })
const focusedLink = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('href'))
/** Clicks twice before the page can respond. */
const clickTwice = (target: Locator) =>
  target.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
const placeOf = (page: Page) => page.evaluate(() => scrollY)

test('opens a post over the gallery, which keeps its place, and returns the focus to the card', async () => {
  const { page } = await site.visit('/', withMotion)
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await cardOf(page, 'Kite 2').click()
    const dialog = dialogOf(page, 'Kite 2')
    await dialog.waitFor()
    const place = await placeOf(page)
    expect(place).toBeGreaterThan(0)
    expect(pathOf(page)).toBe(postPath('Kite 2'))
    await eventually(() => page.title()).toBe('Kite 2 — Rangoli')
    expect(await cardOf(page, 'Kite 2').count()).toBe(1)
    await close()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => focusedLink(page)).toBe(postPath('Kite 2'))
    await eventually(() => page.title()).toBe('Rangoli — Text-to-Image AI Generator')
    expect(pathOf(page)).toBe('/')
    expect(await placeOf(page)).toBe(place)
  }
})

test('opens and closes once, however often that is asked for', async () => {
  const { page } = await site.visit('/?q=kite%201', withMotion)
  await page.getByText('Results for kite 1').waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.getByText(`Showing ${count} posts`).waitFor()
  const dialog = dialogOf(page, 'Kite 16')
  await clickTwice(cardOf(page, 'Kite 16'))
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await eventually(() => focusedLink(page)).toBe(postPath('Kite 16'))
  await page.keyboard.press('Enter')
  await clickTwice(dialog.getByRole('button', { name: 'Close' }))
  await dialog.waitFor({ state: 'detached' })
  await eventually(() => focusedLink(page)).toBe(postPath('Kite 16'))
  expect(new URL(page.url()).search).toBe('')
})

test('moves in the list by arrow keys and buttons, in one history entry', async () => {
  const { page } = await site.visit('/', withMotion)
  await cardOf(page, 'Kite 16').focus()
  await page.keyboard.press('Enter')
  const hasFocus = (dialog: HTMLElement | SVGElement) => dialog.contains(document.activeElement)
  await eventually(() => dialogOf(page, 'Kite 16').evaluate(hasFocus)).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await dialogOf(page, 'Kite 15').waitFor()
  expect(pathOf(page)).toBe(postPath('Kite 15'))
  await page.getByRole('button', { name: 'Next post' }).click()
  await dialogOf(page, 'Kite 14').waitFor()
  await page.getByRole('button', { name: 'Previous post' }).click()
  await dialogOf(page, 'Kite 15').waitFor()
  await page.goBack()
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  await eventually(() => focusedLink(page)).toBe(postPath('Kite 15'))
  expect(pathOf(page)).toBe('/')
  await page.goForward()
  await dialogOf(page, 'Kite 15').waitFor()
})

test('is a page after a reload', async () => {
  const { page } = await site.visit('/', withMotion)
  await cardOf(page, 'Kite 12').click()
  await dialogOf(page, 'Kite 12').waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Kite 12' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goBack()
  await page.getByText(`Showing ${count} posts`).waitFor()
})

test('keeps the search of the gallery below', async () => {
  const { page } = await site.visit('/?q=kite%201', withMotion)
  await cardOf(page, 'Kite 11').click()
  await dialogOf(page, 'Kite 11').waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  expect(new URL(page.url()).search).toBe('?q=kite%201')
  await page.getByText('Results for kite 1').waitFor()
})

test('leaves a click with a modifier key to the browser', async () => {
  const { page, context } = await site.visit('/', withMotion)
  const tab = context.waitForEvent('page')
  await cardOf(page, 'Kite 16').click({ modifiers: ['Control'] })
  await (await tab).getByRole('heading', { level: 1, name: 'Kite 16' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('closes the menu with the first Escape, and the dialog with the second', async () => {
  const { page } = await site.visit('/', { as: asha, ...withMotion })
  await cardOf(page, 'Kite 16').click()
  const dialog = dialogOf(page, 'Kite 16')
  await dialog.getByRole('button', { name: 'More actions' }).click()
  await dialog.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => dialog.getByRole('menuitem').count()).toBe(0)
  expect(await dialog.count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('opens over the page of an author, and closes by a click outside it', async () => {
  const { authorId } = await asha.trpc.posts.get.query({ id: ids.get('Kite 16') ?? '' })
  const { page } = await site.visit(`/authors/${authorId}`, withMotion)
  await cardOf(page, 'Kite 15').click()
  await dialogOf(page, 'Kite 15').waitFor()
  // Clicks reach nothing but the document during the view transition.
  await eventually(() => page.evaluate(() => document.elementFromPoint(8, 300)?.role)).toBe('presentation')
  await page.mouse.click(8, 300)
  await eventually(() => pathOf(page)).toBe(`/authors/${authorId}`)
  await eventually(() => focusedLink(page)).toBe(postPath('Kite 15'))
})

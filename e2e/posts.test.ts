import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInAgain } from './support/account.ts'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/browser.ts'
import { holdBack } from './support/network.ts'
import { chooseInMenu, dialogOn, drag, focused, openDialog } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

/** As the view transitions of posts and dialogs that are being closed are tested, too. */
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
const placeOf = (page: Page) => page.evaluate(() => scrollY)
const dialogsOn = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

describe('over the gallery, a post', () => {
  test('opens over the gallery, which keeps its place, and returns the focus to the card', async () => {
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

  test('moves in the list by arrow keys and buttons, in one history entry, which a reload shows as a page', async () => {
    const { page } = await site.visit('/', withMotion)
    await cardOf(page, 'Kite 16').focus()
    await page.keyboard.press('Enter')
    const hasFocus = (dialog: HTMLElement | SVGElement) => dialog.contains(document.activeElement)
    await eventually(() => dialogOf(page, 'Kite 16').evaluate(hasFocus)).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await dialogOf(page, 'Kite 15').waitFor()
    expect(pathOf(page)).toBe(postPath('Kite 15'))
    await page.getByText('2 of 16', { exact: true }).waitFor()
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
    const release = await holdBack(page, '**/assets/*.js')
    await page.reload({ waitUntil: 'commit' })
    await heading(page, 'Kite 15').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    // Before the page is hydrated.
    await page.goBack({ waitUntil: 'commit' })
    release()
    await page.getByText(/^Showing \d+ posts$/).waitFor()
  })

  test('closes its menu with the first Escape, and leaves a click with a modifier key to the browser', async () => {
    const { page, context } = await site.visit('/', { as: asha })
    await cardOf(page, 'Kite 16').click()
    const dialog = dialogOf(page, 'Kite 16')
    await dialog.getByRole('button', { name: 'More actions' }).click()
    await dialog.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => dialog.getByRole('menuitem').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const tab = context.waitForEvent('page')
    await cardOf(page, 'Kite 16').click({ modifiers: ['Control'] })
    await heading(await tab, 'Kite 16').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('opens over the page of an author, and closes by a click beside the image', async () => {
    const { authorId } = await asha.trpc.posts.get.query({ id: ids.get('Kite 16') ?? '' })
    const { page } = await site.visit(`/authors/${authorId}`)
    await cardOf(page, 'Kite 15').click()
    await dialogOf(page, 'Kite 15').waitFor()
    await page.mouse.click(8, 300)
    await eventually(() => pathOf(page)).toBe(`/authors/${authorId}`)
    await eventually(() => focusedLink(page)).toBe(postPath('Kite 15'))
  })
})

describe('the image of a post', () => {
  const imageOf = (page: Page) => page.getByRole('dialog').getByRole('link', { name: 'Original image' })
  const widthOf = async (page: Page) => Math.round((await imageOf(page).boundingBox())?.width ?? 0)

  test('is shown pixel by pixel at the point of a click, is dragged, and fits again by a key', async () => {
    const { page } = await site.visit('/', { viewport: { width: 1100, height: 500 } })
    await cardOf(page, 'Kite 16').click()
    await dialogOf(page, 'Kite 16').waitFor()
    const fitting = await widthOf(page)
    expect(fitting).toBeLessThan(500)
    const box = await imageOf(page).boundingBox()
    if (!box) throw new Error('The image is not shown.')
    const [x, y] = [box.x + box.width * 0.75, box.y + box.height / 2]
    await page.mouse.click(x, y)
    await eventually(() => widthOf(page)).toBe(1024)
    const zoomed = await imageOf(page).boundingBox()
    expect((x - (zoomed?.x ?? 0)) / 1024).toBeCloseTo(0.75, 1)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y, { steps: 4 })
    await page.mouse.up()
    await eventually(async () => Math.round((await imageOf(page).boundingBox())?.x ?? 0)).toBe(
      Math.round((zoomed?.x ?? 0) + 40),
    )
    expect(await widthOf(page)).toBe(1024)
    await page.keyboard.press('0')
    await eventually(() => widthOf(page)).toBe(fitting)
    await page.keyboard.press('+')
    await eventually(() => widthOf(page)).toBe(Math.round(fitting * 1.5))
  })

  test('is swiped to the next one, doubled by two taps, and closed by a swipe down', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await site.visit('/', phone)
    await cardOf(page, 'Kite 16').tap()
    await dialogOf(page, 'Kite 16').waitFor()
    await drag(page, [300, 400], [100, 410])
    await dialogOf(page, 'Kite 15').waitFor()
    await drag(page, [100, 400], [300, 410])
    await dialogOf(page, 'Kite 16').waitFor()
    const fitting = await widthOf(page)
    for (let taps = 0; taps < 2; taps += 1) await drag(page, [195, 400])
    await eventually(() => widthOf(page)).toBe(1024)
    await page.keyboard.press('0')
    await eventually(() => widthOf(page)).toBe(fitting)
    await drag(page, [200, 300], [205, 500])
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await eventually(() => focusedLink(page)).toBe(postPath('Kite 16'))
  })

  test('opens over its page, and stays a link for clicks with a modifier key', async () => {
    const { page, context } = await site.visit(postPath('Kite 3'))
    const link = page.getByRole('main').getByRole('link', { name: 'Original image' })
    const photo = await link.getAttribute('href')
    await link.click()
    await dialogOf(page, 'Kite 3').waitFor()
    expect(pathOf(page)).toBe(postPath('Kite 3'))
    await page.goBack()
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    const tab = context.waitForEvent('page')
    await link.click({ modifiers: ['Control'] })
    await (await tab).waitForURL(site.url + (photo ?? ''))
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the history', () => {
  /** Opens the gallery from another page, which one Back returns to. */
  async function visitGallery(as?: User, ...expected: readonly RegExp[]) {
    const { page, expectedErrors } = await site.visit('/about', as ? { as } : {})
    expectedErrors.push(...expected)
    await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
    await cardOf(page, 'Kite 16').waitFor()
    return page
  }

  async function expectPage(page: Page, path: string) {
    await eventually(() => pathOf(page)).toBe(path)
    await eventually(() => dialogsOn(page).count()).toBe(0)
  }

  test('has an entry for the sign-in dialog, and for the post below it', async () => {
    const page = await visitGallery()
    await cardOf(page, 'Kite 16').click()
    const post = dialogOf(page, 'Kite 16')
    await post.getByRole('button', { name: 'Like', exact: true }).click()
    const { email } = dialogOn(page)
    await email.waitFor()
    await page.goBack()
    await email.waitFor({ state: 'detached' })
    expect(await post.count()).toBe(1)
    await page.goBack()
    await expectPage(page, '/')
    await page.goBack()
    await expectPage(page, '/about')
  })

  test('has no entry of a dialog that was closed by a key, its button, Back, a reload or signing in', async () => {
    const page = await visitGallery()
    for (const way of ['Escape', 'Close', 'Back', 'a reload', 'signing in']) {
      const { dialog, email, password: field, signIn } = await openDialog(page)
      if (way === 'Escape') await page.keyboard.press('Escape')
      else if (way === 'Close') await dialog.getByRole('button', { name: 'Close', exact: true }).click()
      else if (way === 'a reload') await page.reload()
      else if (way === 'Back') {
        await page.goBack()
        await expectPage(page, '/')
        await page.evaluate(() => history.forward())
      } else {
        await email.fill(asha.email)
        await field.fill(password)
        await signIn.click()
        await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
      }
      await eventually(() =>
        page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0),
      ).toBe(0)
      await expectPage(page, '/')
      await page.goBack()
      await expectPage(page, '/about')
      await page.goForward()
      await expectPage(page, '/')
    }
  })

  test('has no entry of a confirmed deletion and its post', async () => {
    const { id } = await asha.share('Boat on a lake')
    const page = await visitGallery(asha, /status of 404/)
    await page.getByRole('main').getByRole('link', { name: 'Boat on a lake' }).first().click()
    const post = dialogOf(page, 'Boat on a lake')
    const confirmation = page.getByRole('alertdialog')
    const remove = async () => {
      await chooseInMenu(post, 'Delete')
      await confirmation.waitFor()
    }
    await post.getByRole('heading', { name: 'More like this' }).waitFor()
    await remove()
    await page.goBack()
    await confirmation.waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe(`/posts/${id}`)
    await remove()
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expectPage(page, '/')
    await page.goForward()
    await page.getByRole('dialog').getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goBack()
    await page.goBack()
    await expectPage(page, '/about')
  })

  test('the system’s Back closes a menu', async () => {
    const { page } = await site.visit('/about', { as: asha })
    await page.evaluate(() => {
      const system = window as unknown as { CloseWatcher: typeof EventTarget; closeRequest?: () => void }
      // Android tells only the latest of these objects, not the page's history.
      system.CloseWatcher = class extends EventTarget {
        constructor() {
          super()
          system.closeRequest = () => this.dispatchEvent(new Event('close'))
        }
        destroy() {
          delete system.closeRequest
        }
      }
    })
    const button = page.getByRole('banner').getByRole('button', { name: 'Asha' })
    await button.click()
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
    await page.evaluate(() => (window as unknown as { closeRequest?: () => void }).closeRequest?.())
    await eventually(() => page.getByRole('menuitem').count()).toBe(0)
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('the page of a post', () => {
  async function share(prompt: string, settings: { isSensitive?: boolean; hidePrompt?: boolean } = {}) {
    const { id: imageId } = await asha.generate(prompt)
    return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...settings })
  }

  test('shows the whole image, the prompt and the author without JavaScript', async () => {
    const post = await share('A lotus without scripts')
    const { page } = await site.visit(`/posts/${post.id}`, { javaScriptEnabled: false })
    await heading(page, 'A lotus without scripts').waitFor()
    expect(await page.title()).toBe('A lotus without scripts — Rangoli')
    const image = page.getByRole('link', { name: 'Original image', exact: true }).locator('img')
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Asha', exact: true }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Remix', exact: true }).getAttribute('href')).toBe(
      `/create-post?remix=${post.id}`,
    )
  })

  test('copies prompt and link', async () => {
    const post = await share('A prompt to copy')
    const { page, context } = await site.visit(`/posts/${post.id}`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Copy prompt' }).click()
    await eventually(copied).toBe('A prompt to copy')
    await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
    await page.getByRole('button', { name: 'Share' }).click()
    await eventually(copied).toBe(`${site.url}/posts/${post.id}`)
    await page.getByRole('status').filter({ hasText: 'Link copied.' }).waitFor({ state: 'attached' })
  })

  test('lets the author edit the post, also after signing in again, and keeps what another tab changed', async () => {
    const { id } = await share('A lotus to edit')
    const { page, context, expectedErrors } = await site.visit(`/posts/${id}`, { as: asha })
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    await dialog.getByLabel('Prompt', { exact: true }).fill('A lotus, edited')
    await dialog.getByRole('radio', { name: 'Private' }).check()
    await asha.trpc.posts.update.mutate({ id, name: 'Another tab' })
    expectedErrors.push(/status of 40[14]/)
    await context.clearCookies()
    const save = dialog.getByRole('button', { name: 'Save changes' })
    await save.click()
    await dialog.getByRole('button', { name: 'Sign In' }).click()
    await signInAgain(page, asha)
    await save.click()
    await heading(page, 'A lotus, edited').waitFor()
    await page.getByText('Edited', { exact: true }).waitFor()
    const saved = await asha.trpc.posts.get.query({ id })
    expect(saved).toMatchObject({ visibility: 'private', name: 'Another tab' })
    await asha.trpc.posts.delete.mutate({ id })
    await page.getByRole('button', { name: 'Like', exact: true }).first().click()
    await eventually(() => focused(page)).toBe('Page not found')
  })

  test('blurs a sensitive image until it is clicked', async () => {
    const post = await share('A sensitive lotus', { isSensitive: true })
    const { page } = await site.visit(`/posts/${post.id}`)
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    const image = link('Show sensitive image').or(link('Original image')).locator('img')
    const filter = () => image.evaluate((element) => getComputedStyle(element).filter)
    expect(await filter()).toContain('blur')
    await link('Show sensitive image').click()
    await eventually(filter).toBe('none')
    expect(new URL(page.url()).pathname).toBe(`/posts/${post.id}`)
  })
})

test('leads on to similar posts below, which open over the page, and are in its HTML', async () => {
  const { id } = await asha.share('A kite to delete')
  const { page } = await site.visit(postPath('Kite 3'), { as: asha })
  const similar = page.getByRole('list', { name: 'More like this' })
  const card = similar.locator(`#post-${id}`)
  await chooseInMenu(card, 'Like')
  await card.getByRole('button', { name: 'Liked 1' }).waitFor()
  await chooseInMenu(card, 'Delete post')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await card.waitFor({ state: 'detached' })
  await similar.getByRole('listitem').last().scrollIntoViewIfNeeded()
  await eventually(() => similar.getByRole('listitem').count()).toBeGreaterThan(12)
  await similar.locator(`a[href="${postPath('Kite 9')}"]`).click()
  await dialogOf(page, 'Kite 9').waitFor()
  expect(pathOf(page)).toBe(postPath('Kite 9'))
  await page.goBack()
  await eventually(() => dialogsOn(page).count()).toBe(0)
  expect(pathOf(page)).toBe(postPath('Kite 3'))
  const { page: plain } = await site.visit(postPath('Kite 3'), { javaScriptEnabled: false })
  expect(await plain.getByRole('list', { name: 'More like this' }).getByRole('listitem').count()).toBe(12)
})

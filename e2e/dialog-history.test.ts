import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { dialogOn, openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

/** As dialogs that are being closed are tested, too. */
const withMotion = { reducedMotion: 'no-preference' } as const

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('Kite over the river')
  await asha.share('Lamp in a window')
})

const pathOf = (page: Page) => new URL(page.url()).pathname
const dialogsOn = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** Opens the gallery from another page, which one Back returns to. */
async function visitGallery(as?: User) {
  const { page } = await site.visit('/about', { ...(as && { as }), ...withMotion })
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Kite over the river' }).first().waitFor()
  return page
}

async function expectPage(page: Page, path: string) {
  await eventually(() => pathOf(page)).toBe(path)
  await eventually(() => dialogsOn(page).count()).toBe(0)
}

async function openPost(page: Page) {
  await page.getByRole('main').getByRole('link', { name: 'Kite over the river' }).first().click()
  const post = page.getByRole('dialog', { name: 'Kite over the river' })
  await post.waitFor()
  return post
}

test('Back closes the sign-in dialog, then the post below it, then leaves the page', async () => {
  const page = await visitGallery()
  const post = await openPost(page)
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

test.each(['Escape', 'Close'])('%s leaves no history entry of the dialog', async (way) => {
  const page = await visitGallery()
  const { dialog } = await openDialog(page)
  if (way === 'Escape') await page.keyboard.press('Escape')
  else await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expectPage(page, '/')
  await page.goBack()
  await expectPage(page, '/about')
})

test('Forward does not open a closed dialog again', async () => {
  const page = await visitGallery()
  await openDialog(page)
  await page.goBack()
  await expectPage(page, '/')
  await page.evaluate(() => history.forward())
  await eventually(() =>
    page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0),
  ).toBe(0)
  await expectPage(page, '/')
  await page.goBack()
  await expectPage(page, '/about')
})

test('signing in leaves no history entry of the dialog', async () => {
  const page = await visitGallery()
  const parts = await openDialog(page)
  await parts.email.fill(asha.email)
  await parts.password.fill(password)
  await parts.signIn.click()
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  await expectPage(page, '/')
  await page.goBack()
  await expectPage(page, '/about')
})

test('a reload closes the dialog and removes its history entry', async () => {
  const page = await visitGallery()
  await openDialog(page)
  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
  await eventually(() =>
    page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs ?? 0),
  ).toBe(0)
  await page.goBack()
  await expectPage(page, '/about')
})

test('Back closes the dialog that asks for confirmation, and confirming closes the post too', async () => {
  const { id } = await asha.share('Boat on a lake')
  const page = await visitGallery(asha)
  await page.getByRole('main').getByRole('link', { name: 'Boat on a lake' }).first().click()
  const post = page.getByRole('dialog', { name: 'Boat on a lake' })
  const confirmation = page.getByRole('alertdialog')
  const remove = async () => {
    await post.getByRole('button', { name: 'More actions' }).click()
    await post.getByRole('menuitem', { name: 'Delete' }).click()
    await confirmation.waitFor()
  }
  await remove()
  await page.goBack()
  await confirmation.waitFor({ state: 'detached' })
  expect(pathOf(page)).toBe(`/posts/${id}`)
  await remove()
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expectPage(page, '/')
  await page.goBack()
  await expectPage(page, '/about')
})

test('Back closes the whole image', async () => {
  await asha.generate('Stars above a hill')
  const { page } = await site.visit('/your-images', { as: asha, ...withMotion })
  await page.getByRole('button', { name: 'Open image' }).first().click()
  await dialogsOn(page).waitFor()
  await page.goBack()
  await expectPage(page, '/your-images')
})

test('the system’s Back closes a menu', async () => {
  const { page } = await site.visit('/about', { as: asha, ...withMotion })
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

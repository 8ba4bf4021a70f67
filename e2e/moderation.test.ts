import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/browser.ts'
import { doubleClick } from './support/network.ts'
import { chooseInMenu, focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite({ CONTACT: 'hello@example.org' })
let asha: User
let meera: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await site.run(['account', 'make-admin', meera.email])
  expect(code).toBe(0)
})

/** Hides the post of an entry of the list of administrators. */
async function hide(page: Page, entry: Locator, note: string): Promise<void> {
  await entry.getByRole('button', { name: 'Hide', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Hide the post of / })
  await dialog.getByLabel('Note to the author (optional)').fill(note)
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
  await eventually(() => dialog.count()).toBe(0)
}

test('a visitor reports a post; an administrator hides it, unhides it and dismisses the report', async () => {
  await asha.share('A disputed lamp')
  const visitor = await site.visit('/')
  await chooseInMenu(visitor.page.getByRole('listitem').filter({ hasText: 'A disputed lamp' }), 'Report post')
  const dialog = visitor.page.getByRole('dialog', { name: 'Report this post' })
  const send = dialog.getByRole('button', { name: 'Send report', exact: true })
  await send.click()
  await dialog.getByText('Please choose a reason.').waitFor()
  await dialog.getByLabel('It is spam or advertising').check()
  await dialog.getByLabel('Anything to add (optional)').fill('It sells lamps.')
  await doubleClick(visitor.page, send, '**/trpc/posts.report*')
  await eventually(() => dialog.count()).toBe(0)
  await visitor.page
    .getByRole('status')
    .getByText(/^Thank you\./)
    .waitFor({ state: 'attached' })
  await eventually(() => focused(visitor.page)).toBe('More actions')

  const administrator = await site.visit('/', { as: meera })
  const { page } = administrator
  await page.getByRole('banner').getByRole('button', { name: 'Meera' }).click()
  await page.getByRole('menuitem', { name: 'Reports 1 waiting', exact: true }).click()
  await page.getByText('1 post is reported or hidden.', { exact: true }).waitFor()
  expect(await page.title()).toBe('Reports — Rangoli')
  const entry = page.getByRole('main').getByRole('listitem').filter({ hasText: 'A disputed lamp' }).first()
  await entry.getByText('It sells lamps.').waitFor()

  const original = entry.getByRole('link', { name: 'Open the original image in a new tab', exact: true })
  expect(await original.getAttribute('href')).toMatch(/\/original\.jpg$/)
  await hide(page, entry, '')
  await entry.getByText('Hidden', { exact: false }).waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('No Posts Yet', { exact: true }).waitFor()
  await entry.getByRole('button', { name: 'Unhide', exact: true }).click()
  await entry.getByRole('button', { name: 'Hide', exact: true }).waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('Showing 1 post', { exact: true }).waitFor()
  await entry.getByRole('button', { name: 'Dismiss the report', exact: true }).click()
  await page.getByText('Nothing to review.', { exact: true }).waitFor()
  const log = page.getByRole('region', { name: 'Audit log' })
  await log.getByText('Meera dismissed the reports of a post of Asha Rao.').waitFor()
})

test('an author reads why a post is hidden and appeals; an administrator marks it as sensitive and unhides it', async () => {
  const ravi = await signUp(site.url, 'Ravi Shah')
  const post = await ravi.share('A lamp to argue about')
  await asha.trpc.posts.report.mutate({ id: post.id, reason: 'violent' })
  const { page } = await site.visit('/moderation', { as: meera })
  const entry = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'A lamp to argue about' })
    .first()
  await hide(page, entry, 'Flames are too real.')
  await entry.getByText('Hidden', { exact: false }).waitFor()
  await eventually(() => focused(page)).toBe('Unhide')

  const author = await site.visit('/', { as: ravi })
  await author.page.getByRole('banner').getByRole('button', { name: 'Ravi' }).click()
  await author.page.getByRole('menuitem', { name: 'Your images 1 hidden', exact: true }).click()
  const notices = author.page.getByRole('region', { name: 'Decisions about your posts' })
  await notices.getByText('Reported because: It is violent or cruel').waitFor()
  await notices.getByText('Flames are too real.').waitFor()
  await notices.getByRole('button', { name: 'Appeal', exact: true }).click()
  await notices.getByRole('button', { name: 'Send appeal', exact: true }).click()
  await notices.getByText('Please say why the post should be shown.').waitFor()
  // The field has the focus.
  await author.page.keyboard.type('It is a candle.')
  await notices.getByRole('button', { name: 'Send appeal', exact: true }).click()
  await notices.getByText('You have appealed, and there is no decision yet.').waitFor()

  await page.reload()
  await entry.getByText('Appeal by Ravi Shah').waitFor()
  await entry.getByText('It is a candle.').waitFor()
  await entry.getByRole('button', { name: 'Mark as sensitive', exact: true }).click()
  await entry.getByText('Sensitive', { exact: false }).first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await entry.getByRole('button', { name: 'Unhide', exact: true }).click()
  await entry.getByRole('button', { name: 'Dismiss the report', exact: true }).click()
  await author.page.reload()
  await notices.getByText('This post is visible again.').waitFor()
})

import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/browser.ts'
import { doubleClick, holdBack } from './support/network.ts'
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

// Pages count the posts to decide about, and show the first one.
beforeEach(async () => {
  const { entries } = await meera.trpc.moderation.listReported.query()
  for (const { post } of entries) await meera.trpc.posts.delete.mutate({ id: post.id })
})

/** Hides the shown post. */
async function hide(page: Page, note: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Hide', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Hide the post of / })
  await dialog.getByLabel('Note to the author (optional)').fill(note)
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
  await eventually(() => dialog.count()).toBe(0)
}

test('a visitor reports a post; an administrator hides it, unhides it and dismisses the report', async () => {
  const { id } = await asha.share('A disputed lamp')
  const visitor = await site.visit('/')
  const lamp = visitor.page.getByRole('listitem').filter({ hasText: 'A disputed lamp' })
  await chooseInMenu(lamp, 'Report post')
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
  await page.getByText('Reported or hidden: 1', { exact: true }).waitFor()
  expect(await page.title()).toBe('Reports — Rangoli')
  const entry = page.getByRole('region', { name: 'Post of Asha Rao' })
  await entry.getByText('It sells lamps.').waitFor()

  const original = entry.getByRole('link', { name: 'Original image', exact: true })
  expect(await original.getAttribute('href')).toMatch(/\/original\.jpg$/)
  await original.click()
  const viewer = page.getByRole('dialog', { name: 'A disputed lamp' })
  await viewer.getByText('It sells lamps.').waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => viewer.count()).toBe(0)
  await hide(page, '')
  await entry.getByText('Hidden', { exact: true }).waitFor()
  await visitor.page.reload()
  await eventually(() => lamp.count()).toBe(0)
  await entry.getByRole('button', { name: 'Unhide', exact: true }).click()
  await entry.getByRole('button', { name: 'Hide', exact: true }).waitFor()
  await visitor.page.reload()
  await lamp.waitFor()
  await entry.getByRole('button', { name: 'Dismiss the report', exact: true }).click()
  await page.getByText('Nothing to review.', { exact: true }).waitFor()
  const log = page.getByRole('region', { name: 'Audit log' })
  await log.getByText('Meera dismissed the reports of a post of Asha Rao.').waitFor()

  await asha.trpc.posts.delete.mutate({ id })
  visitor.expectedErrors.push(/status of 404/)
  await chooseInMenu(lamp, 'Report post')
  await dialog.getByLabel('It is spam or advertising').check()
  await send.click()
  await dialog.getByText('This post is no longer in the gallery.').waitFor()
  await visitor.page.keyboard.press('Escape')
  await lamp.waitFor({ state: 'detached' })
})

test('an author reads why a post is hidden and appeals; an administrator marks it as sensitive and unhides it', async () => {
  const ravi = await signUp(site.url, 'Ravi Shah')
  const post = await ravi.share('A lamp to argue about')
  await asha.trpc.posts.report.mutate({ id: post.id, reason: 'violent' })
  const { page } = await site.visit('/moderation', { as: meera })
  const entry = page.getByRole('region', { name: /^(Post of|Appeal by) Ravi Shah$/ })
  await hide(page, 'Flames are too real.')
  await entry.getByText('Hidden', { exact: true }).waitFor()
  await eventually(() => focused(page)).toMatch(/^A lamp to argue about/)

  const author = await site.visit('/', { as: ravi })
  await author.page.getByRole('banner').getByRole('button', { name: 'Ravi' }).click()
  await author.page.getByRole('menuitem', { name: 'Your images 1 hidden', exact: true }).click()
  const notices = author.page.getByRole('region', { name: 'Decisions about your posts' })
  await notices.getByText('Reported because: It is violent or cruel').waitFor()
  await notices.getByText('Flames are too real.').waitFor()
  await notices.getByRole('button', { name: 'Appeal', exact: true }).waitFor()
  await author.page.goto(`/posts/${post.id}`)
  const notice = author.page.getByRole('region', { name: /^This post was hidden/ })
  await notice.getByText('Reported because: It is violent or cruel').waitFor()
  await notice.getByText('Flames are too real.').waitFor()
  expect(await findViolations(author.page)).toEqual([])
  await notice.getByRole('button', { name: 'Appeal', exact: true }).click()
  await notice.getByRole('button', { name: 'Send appeal', exact: true }).click()
  await notice.getByText('Please say why the post should be shown.').waitFor()
  // The field has the focus.
  await author.page.keyboard.type('It is a candle.')
  await notice.getByRole('button', { name: 'Send appeal', exact: true }).click()
  await notice.getByText('You have appealed, and there is no decision yet.').waitFor()
  await author.page.goto('/your-images')
  await notices.getByText('You have appealed, and there is no decision yet.').waitFor()

  await page.reload()
  await entry.getByText('Appeal by Ravi Shah').waitFor()
  await entry.getByText('It is a candle.').waitFor()
  await entry.getByRole('button', { name: 'Mark as sensitive', exact: true }).click()
  await entry.getByText('Sensitive', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.goto(`/posts/${post.id}`)
  await page.getByRole('button', { name: 'Unhide', exact: true }).click()
  await page.getByRole('link', { name: 'Remix', exact: true }).waitFor()
  await page.goto('/moderation')
  await entry.getByRole('button', { name: 'Dismiss the report', exact: true }).click()
  await author.page.reload()
  await notices.getByText('This post is visible again.').waitFor()
})

test('a moderator goes through the reports by keys, and undoes a decision', async () => {
  for (const prompt of ['The first lamp', 'The second lamp', 'The third lamp']) {
    const author = await signUp(site.url, 'Lila Das')
    const { id } = await author.share(prompt)
    await asha.trpc.posts.report.mutate({ id, reason: 'spam' })
  }
  const { page } = await site.visit('/admin/reports?show=reports', { as: meera })
  const shown = page.getByRole('region', { name: 'Post of Lila Das' })
  const select = async (key: string, prompt: string) => {
    await page.keyboard.press(key)
    await eventually(() => focused(page)).toMatch(new RegExp(`^${prompt}`))
    await shown.getByText(prompt, { exact: true }).waitFor()
  }
  await shown.getByText('The third lamp', { exact: true }).waitFor()
  await select('j', 'The second lamp')
  await select('ArrowDown', 'The first lamp')
  await select('k', 'The second lamp')
  await page.keyboard.press('h')
  await page.getByLabel('Note to the author (optional)').fill('No lamps')
  await page.keyboard.press('Control+Enter')
  await eventually(() => focused(page)).toMatch(/^The first lamp/)
  await page.getByRole('link', { name: 'Hidden 1', exact: true }).waitFor()
  await page.keyboard.press('u')
  await eventually(() => focused(page)).toMatch(/^The second lamp/)
  await page.getByRole('link', { name: 'Reports 3', exact: true }).waitFor()
  await page.keyboard.press('d')
  await page.getByRole('status').getByText('The reports are dismissed.').waitFor({ state: 'attached' })
  await eventually(() => focused(page)).toMatch(/^The first lamp/)
  await page.getByRole('link', { name: 'Reports 2', exact: true }).waitFor()

  // Of a hidden post, the key is that of its own button, not of Undo.
  await hide(page, '')
  await eventually(() => focused(page)).toMatch(/^The third lamp/)
  await hide(page, '')
  await page.getByRole('link', { name: 'Hidden 2', exact: true }).click()
  await select('j', 'The first lamp')
  await page.keyboard.press('u')
  await shown.getByText('The third lamp', { exact: true }).waitFor()

  // A late answer does not lead back to the page.
  const release = await holdBack(page, '**/trpc/moderation.setSensitive*')
  await shown.getByRole('button', { name: 'Mark as sensitive', exact: true }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  release()
  await page.getByRole('status').getByText('The post is marked as sensitive.').waitFor({ state: 'attached' })
  expect(new URL(page.url()).pathname).toBe('/admin/users')
})

test('a moderator hides a reported collection by keys, undoes it, and dismisses the report', async () => {
  const { id: postId } = await asha.share('A lamp of a collection')
  const { id } = await asha.trpc.collections.create.mutate({
    title: 'Lamps to argue about',
    description: 'Every lamp there is',
    visibility: 'public',
  })
  await asha.trpc.collections.addPosts.mutate({ id, postIds: [postId] })
  await meera.trpc.collections.report.mutate({ id, reason: 'spam', comment: 'It sells lamps.' })
  const isHidden = async () => (await asha.trpc.collections.get.query({ id })).isHidden

  const { page } = await site.visit('/admin/reports?show=collections', { as: meera })
  const shown = page.getByRole('region', { name: 'Collection “Lamps to argue about”' })
  for (const text of ['Every lamp there is', 'It sells lamps.', 'Asha Rao', '1 post']) {
    await shown.getByText(text, { exact: true }).waitFor()
  }
  const link = shown.getByRole('link', { name: 'Open the collection', exact: true })
  expect(await link.getAttribute('href')).toBe(`/collections/${id}`)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('h')
  await page.getByLabel('Note to the author (optional)').fill('No lamps')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('status').getByText('The collection is hidden.').waitFor({ state: 'attached' })
  await eventually(() => focused(page)).toMatch(/^Lamps to argue about/)
  expect(await isHidden()).toBe(true)
  await page.keyboard.press('u')
  await shown.getByRole('button', { name: 'Hide', exact: true }).waitFor()
  expect(await isHidden()).toBe(false)
  await page.keyboard.press('d')
  await page.getByText('Nothing to review.', { exact: true }).waitFor()
  await page.getByRole('status').getByText('The reports are dismissed.').waitFor({ state: 'attached' })
})

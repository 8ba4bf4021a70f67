import type { Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readArchive } from './support/archive.ts'
import { plainJpeg } from '../test/support/engine.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, DAILY_IMAGE_LIMIT: '100' })
afterAll(provider.stop)
afterEach(() => {
  provider.finishesAtOnce = false
})

/** Signs up a user with an image of each prompt. */
async function signUpWith(prompts: readonly string[]): Promise<User> {
  const asha = await signUp(site.url, 'Asha Rao')
  provider.finishesAtOnce = true
  for (const prompt of prompts) await asha.generate(prompt)
  return asha
}

/** Shares the user's image of a prompt. */
async function share(user: User, prompt: string) {
  const { images } = await user.trpc.images.list.query()
  const imageId = images.find((image) => image.prompt === prompt)?.id ?? ''
  return user.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
}

async function open(user: User, path = '/your-images') {
  const { page } = await site.visit(path, { as: user })
  return { page, ...partsOf(page) }
}

function partsOf(page: Page) {
  const main = page.getByRole('main')
  const items = main.getByRole('listitem')
  return {
    main,
    items,
    itemOf: (prompt: string) => items.filter({ hasText: prompt }),
    bar: main.getByRole('group', { name: 'Selected images' }),
    button: (name: string) => main.getByRole('button', { name, exact: true }),
  }
}

test('opens from the account menu and lists images newest first, page by page', async () => {
  const prompts = Array.from({ length: 26 }, (_, index) => `Image no. ${index + 1} of many`)
  const { page, items, button } = await open(await signUpWith(prompts), '/')
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Your images' }).click()
  await page.waitForURL('/your-images')
  expect(await page.title()).toBe('Your images — Rangoli')
  await eventually(() => items.count()).toBe(24)
  await button('Show more').click()
  await eventually(() => items.count()).toBe(26)
  const texts = await items.allTextContents()
  expect(texts).toEqual(texts.map((_, index) => expect.stringContaining(`Image no. ${26 - index} `)))
  expect(await button('Show more').count()).toBe(0)
})

test('lists an upload with what it allows', async () => {
  const asha = await signUpWith(['A lotus'])
  const jpeg = await plainJpeg('an upload')
  const { photo } = await asha.trpc.images.upload.mutate(new Blob([new Uint8Array(jpeg)]))
  const { page, main, itemOf } = await open(asha)
  const card = itemOf('Uploaded')
  await card.getByRole('button', { name: 'Delete' }).waitFor()
  expect(await card.getByRole('button', { name: 'Settings' }).count()).toBe(0)
  await card.getByRole('button', { name: 'Edit & share' }).click()
  await page.waitForURL('/create-post')
  const form = main.locator('form')
  await form.getByText('Uploaded', { exact: true }).waitFor()
  expect(await form.getByRole('img').getAttribute('src')).toContain(photo?.split('/')[2])
  for (const name of ['Same again', 'Vary', 'Settings'])
    expect(await form.getByRole('button', { name }).count()).toBe(0)
})

test('lists shared images with a link to their post', async () => {
  const asha = await signUpWith(['A lotus to show', 'A kite to keep'])
  const post = await share(asha, 'A lotus to show')
  const { page, main, items, itemOf } = await open(asha)
  await eventually(() => items.count()).toBe(2)
  expect(await itemOf('A kite to keep').getByRole('link').count()).toBe(0)
  const tab = main.getByRole('link', { name: 'Shared', exact: true })
  await tab.click()
  await eventually(() => items.count()).toBe(1)
  expect(await tab.evaluate((link) => document.activeElement === link)).toBe(true)
  await itemOf('A lotus to show').getByRole('link', { name: 'Shared: view the post' }).click()
  await page.waitForURL(`/posts/${post.id}`)
})

test('clears failed images after confirmation', async () => {
  const asha = await signUpWith(['A lotus that succeeds'])
  provider.finishesAtOnce = false
  const blocked = asha.generate('A lotus that is blocked')
  ;(await provider.waitForRequest('A lotus that is blocked')).block()
  await expect(blocked).rejects.toThrow()
  const { page, main, items, button } = await open(asha, '/your-images?show=failed')
  await eventually(() => items.count()).toBe(1)
  await button('Clear failed').click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
  await main.getByText('no image has failed').waitFor()
  await eventually(() => dialog.count()).toBe(0)
  await main.getByRole('link', { name: 'All', exact: true }).click()
  await eventually(() => items.allTextContents()).toEqual([expect.stringContaining('A lotus that succeeds')])
})

test('opens the whole image, moves to the next one by an arrow key, and returns the focus', async () => {
  const { page, itemOf } = await open(await signUpWith(['A lotus behind', 'A lotus in front']))
  await itemOf('A lotus in front').getByRole('button', { name: 'Open image' }).click()
  const dialog = page.getByRole('dialog', { name: 'A lotus in front' })
  const image = dialog.getByRole('img', { name: 'A lotus in front' })
  await eventually(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth > 0)).toBe(true)
  await expectNoViolations(page)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'A lotus behind' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  const opener = itemOf('A lotus behind').getByRole('button', { name: 'Open image' })
  expect(await opener.evaluate((button) => document.activeElement === button)).toBe(true)
})

test('deletes a range of selected images with their posts', async () => {
  const asha = await signUpWith(['Number one', 'Number two', 'Number three', 'Number four'])
  await share(asha, 'Number two')
  const { page, items, itemOf, bar, button } = await open(asha)
  await button('Select').click()
  await itemOf('Number four').getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await itemOf('Number two')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  await expectNoViolations(page)
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete 3 images?' })
  await dialog.getByText('others no longer see their post.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await eventually(() => items.allTextContents()).toEqual(['Number one'])
  await page.getByRole('status').getByText('3 images are in the trash.').waitFor()
  expect(await asha.trpc.posts.list.query({ search: 'Number two' })).toMatchObject({ posts: [] })
})

test('downloads selected images as one archive', async () => {
  const asha = await signUpWith(['A lotus to take', 'A kite to take', 'A boat to leave'])
  const { images } = await asha.trpc.images.list.query()
  const { page, itemOf, bar, button } = await open(asha)
  await button('Select').click()
  for (const prompt of ['A lotus to take', 'A kite to take'])
    await itemOf(prompt).getByRole('checkbox').check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^rangoli-images-\d{4}-\d\d-\d\d\.zip$/)
  const files = await readArchive(download)
  const expected = images
    .filter(({ prompt }) => prompt.endsWith('to take'))
    .map(({ id }) => `download-${id}.jpg`)
  expect([...files.keys()]).toEqual(expected)
  expect([...files.values()].every((content) => content.subarray(0, 2).equals(Buffer.of(0xff, 0xd8)))).toBe(
    true,
  )
})

test('makes the posts of selected images private', async () => {
  const asha = await signUpWith(['A lotus to withdraw', 'A kite to keep'])
  const post = await share(asha, 'A lotus to withdraw')
  const { page, itemOf, bar, button } = await open(asha)
  await button('Select').click()
  await itemOf('A lotus to withdraw').getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Visibility' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Private' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('1 post is private now.').waitFor()
  await button('Done').click()
  await itemOf('A lotus to withdraw').getByRole('link', { name: 'Private: view the post' }).waitFor()
  expect(await asha.trpc.posts.list.query({ search: 'A lotus to withdraw' })).toMatchObject({ posts: [] })
  expect((await fetch(site.url + post.photo)).status).toBe(404)
})

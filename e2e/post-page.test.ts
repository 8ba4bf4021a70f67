import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { holdBack } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User
let ravi: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  ravi = await signUp(site.url, 'Ravi Kumar')
})

async function share(prompt: string, settings: { isSensitive?: boolean; hidePrompt?: boolean } = {}) {
  const { id: imageId } = await asha.generate(prompt)
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...settings })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('shows the whole image, the prompt and the author without JavaScript', async () => {
  const post = await share('A lotus without scripts')
  const { page } = await site.visit(`/posts/${post.id}`, { javaScriptEnabled: false })
  await heading(page, 'A lotus without scripts').waitFor()
  expect(await page.title()).toBe('A lotus without scripts — Rangoli')
  const image = page.getByRole('link', { name: 'Original image', exact: true }).locator('img')
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Asha', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Remix', exact: true }).getAttribute('href')).toBe(
    `/create-post?remix=${post.id}`,
  )
})

test('likes a post, and removes the like', async () => {
  const post = await share('A kite to like')
  const { page } = await site.visit(`/posts/${post.id}`, { as: ravi })
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await page.getByRole('button', { name: 'Liked 1', pressed: true }).waitFor()
  await eventually(async () => (await ravi.trpc.posts.get.query({ id: post.id })).isLiked).toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Liked 1', pressed: true }).click()
  await page.getByRole('button', { name: 'Like', exact: true, pressed: false }).waitFor()
  await eventually(async () => (await ravi.trpc.posts.get.query({ id: post.id })).likeCount).toBe(0)
})

test('a press of Like while the post is loading is not lost', async () => {
  const post = await share('A kite to like at once')
  const { page } = await site.visit('/?q=at+once', { as: ravi })
  const release = await holdBack(page, '**/trpc/posts.get*')
  await page.getByRole('link', { name: 'A kite to like at once', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Like', exact: true }).click()
  await page.getByRole('button', { name: 'Liked', exact: true, pressed: true }).waitFor()
  release()
  await page.getByRole('button', { name: 'Liked 1', pressed: true }).waitFor()
  await eventually(async () => (await ravi.trpc.posts.get.query({ id: post.id })).likeCount).toBe(1)
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

test('lets the author edit the post, and marks the prompt as edited', async () => {
  const post = await share('A lotus to edit')
  const { page } = await site.visit(`/posts/${post.id}`, { as: asha })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByLabel('Prompt', { exact: true }).fill('A lotus, edited')
  await dialog.getByRole('radio', { name: 'Private' }).check()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await heading(page, 'A lotus, edited').waitFor()
  await page.getByText('Edited', { exact: true }).waitFor()
  await eventually(async () => (await asha.trpc.posts.get.query({ id: post.id })).visibility).toBe('private')
  expect(await findViolations(page)).toEqual([])
})

test('shows a private post to its author only', async () => {
  const post = await share('A private lotus')
  await asha.trpc.posts.update.mutate({ id: post.id, visibility: 'private' })
  const others = await site.visit(`/posts/${post.id}`, { as: ravi })
  await heading(others.page, 'Page not found').waitFor()
  await expectPageErrors(others, /404/)
  const own = await site.visit(`/posts/${post.id}`, { as: asha })
  await heading(own.page, 'A private lotus').waitFor()
  await expectPageErrors(own, /404/)
})

test('does not show a hidden prompt to others', async () => {
  const post = await share('A secret lotus', { hidePrompt: true })
  const { page } = await site.visit(`/posts/${post.id}`, { as: ravi })
  await page.getByText('The author keeps the prompt private.').waitFor()
  expect(await page.content()).not.toContain('A secret lotus')
  const own = await site.visit(`/posts/${post.id}`, { as: asha })
  await heading(own.page, 'A secret lotus').waitFor()
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

test('keeps the focus on the card whose sensitive image is shown', async () => {
  const post = await share('A sensitive kite', { isSensitive: true })
  const { page } = await site.visit('/?q=sensitive+kite')
  await page.getByRole('button', { name: 'Show sensitive image' }).focus()
  await page.keyboard.press('Enter')
  const focusedLink = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
  await eventually(focusedLink).toBe(`/posts/${post.id}`)
  expect(await page.getByRole('button', { name: 'Show sensitive image' }).count()).toBe(0)
})

test('leads to remixes and back to the parent', async () => {
  const parent = await share('A parent lotus')
  const { images } = await ravi.trpc.images.generate.mutate({
    prompt: 'A remixed lotus',
    remixOf: parent.id,
    requestKey: crypto.randomUUID(),
  })
  const imageId = images[0]?.id ?? ''
  await eventually(async () => (await ravi.trpc.images.get.query({ id: imageId })).state).toBe('succeeded')
  const prompt = 'A remixed lotus'
  await ravi.trpc.posts.create.mutate({ name: 'Ravi', prompt, imageId })
  const { page } = await site.visit(`/posts/${parent.id}`)
  await page.getByRole('link', { name: prompt }).click()
  await heading(page, prompt).waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(prompt)
  await page.getByRole('link', { name: 'A parent lotus, by Asha' }).click()
  await heading(page, 'A parent lotus').waitFor()
})

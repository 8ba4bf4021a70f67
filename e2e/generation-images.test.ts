import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectAlert } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { expectToday, generationOn, startGeneration } from './support/generation.ts'
import { signUp, type User } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, DAILY_IMAGE_LIMIT: '100' })
afterAll(provider.stop)
afterEach(() => {
  provider.finishesAtOnce = false
})

/** Opens the form as a new user with an image for each prompt. */
async function openWith(prompts: readonly string[]) {
  const asha = await signUp(site.url, 'Asha Rao')
  provider.finishesAtOnce = true
  for (const prompt of prompts) await asha.generate(prompt)
  return { asha, ...(await openForm(asha)) }
}

async function openForm(asha: User) {
  const visitor = await site.visit('/create-post', { as: asha })
  return { visitor, page: visitor.page, form: generationOn(visitor.page) }
}

test('lists the latest images, with a link to all of them', async () => {
  const prompts = Array.from({ length: 9 }, (_, index) => `Image no. ${index + 1} of many`)
  const { page, form } = await openWith(prompts)
  const items = form.images.getByRole('listitem')
  await eventually(() => items.count()).toBe(8)
  expect(await items.first().textContent()).toContain('Image no. 9 ')
  await form.images.getByRole('link', { name: 'All your images' }).click()
  await page.waitForURL('/your-images')
  await eventually(() => page.getByRole('main').getByRole('listitem').count()).toBe(9)
})

test('puts an image and its prompt into the form, from which they can be shared', async () => {
  const { page, form } = await openWith(['A lotus to use', 'A kite to leave'])
  await form.prompt.fill('Other words')
  await form.imageOf('A lotus to use').getByRole('button', { name: 'Edit & share' }).click()
  expect(await form.prompt.inputValue()).toBe('A lotus to use')
  expect(await form.image.getAttribute('alt')).toBe('A lotus to use')
  await form.share.click()
  await page.waitForURL('/')
  await page.getByText('A lotus to use').first().waitFor()
})

test('downloads an image with content credentials byte for byte, named after its id', async () => {
  const { asha, page, form } = await openWith(['A lotus to keep'])
  const [image] = (await asha.trpc.images.list.query()).images
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.imageOf('A lotus to keep').getByRole('button', { name: 'Download image' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`download-${image?.id}.jpg`)
  expect((await readFile(await download.path())).equals(images.signed)).toBe(true)
})

test('deletes an image and its posts after confirmation, without a refund of the quota', async () => {
  const { asha, page, form } = await openWith(['A lotus that stays', 'A lotus that goes'])
  const [image] = (await asha.trpc.images.list.query()).images
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Shared and gone', imageId: image?.id ?? '' })
  const card = form.imageOf('A lotus that goes')
  const dialog = page.getByRole('alertdialog')
  await card.getByRole('button', { name: 'Delete image' }).click()
  await dialog.waitFor()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await eventually(() => dialog.count()).toBe(0)
  expect(await card.count()).toBe(1)

  await card.getByRole('button', { name: 'Edit & share' }).click()
  await form.image.waitFor()
  await card.getByRole('button', { name: 'Delete image' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => dialog.count()).toBe(0)
  expect(await card.count()).toBe(0)
  expect(await form.imageOf('A lotus that stays').count()).toBe(1)
  expect(await form.share.count()).toBe(0)
  await expectToday(page, 2)
  await page.getByRole('banner').getByRole('link').first().click()
  await page.waitForURL('/')
  await page.getByLabel('Search Posts').waitFor()
  expect(await page.getByText('Shared and gone').count()).toBe(0)
  expect((await fetch(site.url + (image?.photo ?? ''))).status).toBe(404)
})

test('lists failed images with their reason and their prompt, but not canceled ones', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { visitor, page, form } = await openForm(asha)
  await startGeneration(page, 'A lotus that was cancelled')
  await provider.waitForRequest('A lotus that was cancelled')
  await form.cancel.click()
  await form.generate.waitFor()
  await startGeneration(page, 'A lotus that was blocked')
  ;(await provider.waitForRequest('A lotus that was blocked')).block()
  await expectAlert(visitor, /does not allow this prompt/)
  const card = form.imageOf('A lotus that was blocked')
  await card.getByText('Not made: the image service does not take these words.').waitFor()
  expect(await form.images.getByRole('listitem').count()).toBe(1)
  expect(await card.getByRole('button', { name: 'Download image' }).count()).toBe(0)
  await form.prompt.fill('')
  await card.getByRole('button', { name: 'Try again' }).click()
  ;(await provider.waitForRequest('A lotus that was blocked', 2)).finish()
  await imageReady(form)
  expect(await form.prompt.inputValue()).toBe('A lotus that was blocked')
  const failed = card.filter({ hasText: 'Not made' })
  await failed.getByRole('button', { name: 'Delete image' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => failed.count()).toBe(0)
})

test('allows deleting other images during a generation, but not using them', async () => {
  const { page, form } = await openWith(['A lotus made before', 'A kite made before'])
  provider.finishesAtOnce = false
  await startGeneration(page, 'A lotus being made')
  const job = await provider.waitForRequest('A lotus being made')
  job.preview(images.preview)
  await form.partial.waitFor()
  const use = form.imageOf('A lotus made before').getByRole('button', { name: 'Edit & share' })
  expect(await use.getAttribute('aria-disabled')).toBe('true')
  await form.imageOf('A kite made before').getByRole('button', { name: 'Delete image' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => form.images.getByRole('listitem').count()).toBe(1)
  expect(await form.partial.count()).toBe(1)
  job.finish()
  await imageReady(form)
  await eventually(() => form.images.getByRole('listitem').count()).toBe(2)
})

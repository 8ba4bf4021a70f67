import { afterAll, expect, test } from 'vitest'
import { eventually, expectAlert } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { dataUrl, expectToday, generationOn, startGeneration } from './support/generation.ts'
import { signUp } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { settled, useSite } from './support/site.ts'

const provider = await startProvider()
const site = useSite(provider.env)
afterAll(provider.stop)

/** Starts a generation as a new user, and waits for its first preview. */
async function begin(prompt: string) {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  await startGeneration(visitor.page, prompt)
  const job = await provider.waitForRequest(prompt)
  job.preview(images.preview)
  const form = generationOn(visitor.page)
  await form.partial.waitFor()
  return { asha, visitor, page: visitor.page, form, job }
}

test('shows the running generation after a reload until the image is ready', async () => {
  const { page, form, job } = await begin('A lotus through a reload')
  await page.reload()
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  expect(await form.generating.isDisabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe('A lotus through a reload')
  job.preview(images.sharper)
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.sharper))
  job.finish()
  await imageReady(form)
  expect(await form.image.getAttribute('alt')).toBe('A lotus through a reload')
  await expectToday(page, 1)
  expect(provider.requestCount('A lotus through a reload')).toBe(1)
})

test('shows an image that finished while the tab showed another site', async () => {
  const { asha, page, form, job } = await begin('A lotus that came meanwhile')
  await page.goto('about:blank')
  job.finish()
  await eventually(async () => (await asha.trpc.images.list.query()).images[0]?.state).toBe('succeeded')
  await page.goto(`${site.url}/create-post`)
  await imageReady(form)
  expect(await form.image.getAttribute('alt')).toBe('A lotus that came meanwhile')
  await expectToday(page, 1)
})

test('shows the same generation in two tabs and on another device', async () => {
  const { asha, visitor, form, job } = await begin('A lotus for every screen')
  const second = generationOn((await visitor.openTab('/create-post')).page)
  const elsewhere = generationOn((await site.visit('/create-post', { as: asha })).page)
  const screens = [form, second, elsewhere]
  for (const screen of screens) await screen.partial.waitFor()
  job.preview(images.sharper)
  for (const { partial } of screens)
    await eventually(() => partial.getAttribute('src')).toBe(dataUrl(images.sharper))
  job.finish()
  for (const screen of screens) {
    await imageReady(screen)
    expect(await screen.image.getAttribute('alt')).toBe('A lotus for every screen')
  }
  expect(provider.requestCount('A lotus for every screen')).toBe(1)
  for (const { share } of screens) await expectToday(share.page(), 1)
})

test('ends a generation that is canceled in another tab without an alert', async () => {
  const { visitor, form, job } = await begin('A lotus cancelled elsewhere')
  const second = generationOn((await visitor.openTab('/create-post')).page)
  await second.partial.waitFor()
  await second.cancel.click()
  await job.disconnected
  for (const screen of [form, second]) {
    await screen.generate.waitFor()
    expect(await screen.spinner.count()).toBe(0)
    expect(await screen.failure.count()).toBe(0)
  }
})

test('keeps the running generation while the user views the gallery', async () => {
  const { visitor, page, form, job } = await begin('A lotus in the background')
  const home = page.getByRole('banner').getByRole('link').first()
  await home.click()
  await page.waitForURL('/')
  await page.getByLabel('Search Posts').waitFor()
  await page.goBack()
  await settled(visitor)
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  await home.click()
  await page.waitForURL('/')
  const create = page.getByRole('banner').getByRole('link', { name: 'Create', exact: true })
  await eventually(() => create.getAttribute('title')).toBe('Your image is being generated')
  job.finish()
  await eventually(() => create.getAttribute('title')).toBe('Your image is ready')
  await eventually(() => form.announcement.textContent()).toBe('Your image is ready.')
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page.waitForURL('/create-post')
  await imageReady(form)
  expect(await form.image.getAttribute('alt')).toBe('A lotus in the background')
})

test('shows a failure once after the user returns from the gallery', async () => {
  const { visitor, page, form, job } = await begin('A lotus that fails in the background')
  await page.getByRole('banner').getByRole('link').first().click()
  await page.waitForURL('/')
  job.block()
  await eventually(() => page.evaluate(() => sessionStorage.getItem('draft') ?? '')).toContain('"awaited":[]')
  expect(visitor.alerts).toEqual([])
  await page.goBack()
  await form.failure.getByText(/does not allow this prompt/).waitFor()
  await expectToday(page, 0)
  await startGeneration(page, 'A lotus that works')
  ;(await provider.waitForRequest('A lotus that works')).block()
  await expectAlert(visitor, /does not allow this prompt/)
})

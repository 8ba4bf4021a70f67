import { afterAll, afterEach, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually, expectAlert } from './support/browser.ts'
import { dataUrl, expectToday, generationOn, imageReady, startGeneration } from './support/form.ts'
import { focused } from './support/page-parts.ts'
import { images, startProvider } from './support/provider.ts'
import { settled, useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, IMAGE_CONCURRENCY: '1', DAILY_IMAGE_LIMIT: '100' })
afterAll(provider.stop)
afterEach(() => {
  provider.finishesAtOnce = false
})

/** Opens the form as a new user. */
async function openForm() {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  return { asha, visitor, page: visitor.page, form: generationOn(visitor.page) }
}

/** Starts a generation as a new user, and waits for its first preview. */
async function begin(prompt: string) {
  const opened = await openForm()
  await startGeneration(opened.page, prompt)
  const job = await provider.waitForRequest(prompt)
  job.preview(images.preview)
  await opened.form.partial.waitFor()
  return { ...opened, job }
}

test('moves the keyboard focus from Cancel to the next button when the generation ends', async () => {
  const { page, form } = await openForm()
  await form.prompt.fill('A lotus by keyboard')
  await form.generate.focus()
  await page.keyboard.press('Enter')
  await provider.waitForRequest('A lotus by keyboard')
  await form.cancel.focus()
  await page.keyboard.press('Enter')
  await form.generate.waitFor()
  await eventually(() => form.generate.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await form.cancel.focus()
  ;(await provider.waitForRequest('A lotus by keyboard', 2)).finish()
  await imageReady(form)
  await eventually(() => form.share.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('shows the position in the queue and updates it', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const first = ravi.generate('Ravi has the first place')
  const job = await provider.waitForRequest('Ravi has the first place')
  const { page, form } = await openForm()
  await startGeneration(page, 'Asha has the second place')
  const preview = page.getByRole('main').locator('[aria-busy=true]')
  await preview.getByText('Yours is next', { exact: true }).waitFor()
  job.finish()
  await first
  ;(await provider.waitForRequest('Asha has the second place')).finish()
  await imageReady(form)
  await eventually(() => form.announcement.textContent()).toBe('Your image is ready.')
})

test('shows each preview, then the final image, in two tabs and on another device', async () => {
  const prompt = 'A lotus for every screen'
  const { asha, visitor, page, form, job } = await begin(prompt)
  const second = generationOn((await visitor.openTab('/create-post')).page)
  const elsewhere = generationOn((await site.visit('/create-post', { as: asha })).page)
  const screens = [form, second, elsewhere]
  await form.timer.waitFor()
  expect(await form.spinner.count()).toBe(1)
  expect(await form.share.count()).toBe(0)
  for (const bytes of [images.preview, images.sharper]) {
    if (bytes === images.sharper) job.preview(bytes)
    for (const { partial } of screens)
      await eventually(() => partial.getAttribute('src')).toBe(dataUrl(bytes))
  }
  job.finish()
  for (const screen of screens) {
    await imageReady(screen)
    expect(await screen.image.getAttribute('alt')).toBe(prompt)
    await expectToday(screen.share.page(), 1)
  }
  expect(await form.partial.count()).toBe(0)
  expect(await form.spinner.count()).toBe(0)
  expect(await form.image.getAttribute('src')).toMatch(/^\/uploads\//)
  await page.getByRole('main').getByText('AI-made', { exact: true }).first().waitFor()
  expect(provider.requestCount(prompt)).toBe(1)
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

test('queues another request while one runs, follows both after a reload, and lists their results', async () => {
  const { page, form } = await openForm()
  const queue = page.getByRole('button', { name: 'Queue another', exact: true })
  expect(await queue.count()).toBe(0)
  await startGeneration(page, 'The first lotus')
  const job = await provider.waitForRequest('The first lotus')
  job.preview(images.preview)
  await form.prompt.fill('The second lotus')
  await queue.click()
  await form.imageOf('The second lotus').getByText('Yours is next', { exact: true }).waitFor()
  await expectToday(page, 2)
  await form.imageOf('The second lotus').getByRole('button', { name: 'Show' }).press('Enter')
  await eventually(() => focused(page)).toBe('Generating…')
  await page.reload()
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  expect(await form.generating.isDisabled()).toBe(true)
  await form.prompt.fill('A third thought')
  job.finish()
  await imageReady(form)
  expect(await form.image.getAttribute('alt')).toBe('The first lotus')
  await form.generating.waitFor()
  ;(await provider.waitForRequest('The second lotus')).finish()
  await form.imageOf('The second lotus').getByRole('button', { name: 'Edit & share' }).click()
  expect(await form.image.getAttribute('alt')).toBe('The second lotus')
  // Words that the user has typed stay.
  expect(await form.prompt.inputValue()).toBe('A third thought')
  expect(await form.generate.isEnabled()).toBe(true)
  expect(await queue.count()).toBe(0)
})

test('shows three images of four and why the other failed', async () => {
  const prompt = 'Four lotuses'
  const { visitor, page, form } = await openForm()
  await form.prompt.fill(prompt)
  await page.getByRole('button', { name: 'Options', exact: true }).click()
  await page.getByRole('radio', { name: '4', exact: true }).check()
  await page.getByRole('radio', { name: '2:3', exact: true }).check()
  await form.generate.click()
  const tiles = page.getByRole('main').getByRole('radio', { name: /^Image \d of 4, / })
  await eventually(() => tiles.count()).toBe(4)
  // The square of 16rem, also of portraits.
  await eventually(() => tiles.first().evaluate((tile) => tile.closest('fieldset')?.scrollHeight)).toBe(256)
  await expectToday(page, 4)
  const first = await provider.waitForRequest(prompt)
  first.preview(images.preview)
  await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
  first.block()
  await page.getByRole('radio', { name: /^Image \d of 4, failed: The image service/ }).waitFor()
  expect(await findViolations(page)).toEqual([])
  for (const times of [2, 3, 4]) (await provider.waitForRequest(prompt, times)).finish()
  const message =
    '1 of 4 images failed. The image service does not allow this prompt. Change it and try again.'
  await expectAlert(visitor, message)
  await form.failure.getByText(message, { exact: true }).waitFor()
  await imageReady(form)
  expect(await page.getByRole('radio', { name: /^Image \d of 4, ready$/ }).count()).toBe(3)
  await expectToday(page, 3)
})

test('lists the latest images, which go into the form, and failed ones with their reason', async () => {
  const { asha, visitor, page, form } = await openForm()
  provider.finishesAtOnce = true
  for (let number = 1; number <= 9; number += 1) await asha.generate(`Image no. ${number} of many`)
  await page.reload()
  const items = form.images.getByRole('listitem')
  await eventually(() => items.count()).toBe(8)
  expect(await items.first().textContent()).toContain('Image no. 9 ')
  await form.imageOf('Image no. 5').getByRole('button', { name: 'Edit & share' }).click()
  expect(await form.prompt.inputValue()).toBe('Image no. 5 of many')
  expect(await form.image.getAttribute('alt')).toBe('Image no. 5 of many')

  provider.finishesAtOnce = false
  await startGeneration(page, 'A lotus that was blocked')
  ;(await provider.waitForRequest('A lotus that was blocked')).block()
  await expectAlert(visitor, /does not allow this prompt/)
  const card = form.imageOf('A lotus that was blocked')
  await card.getByText(/does not allow this prompt/).waitFor()
  expect(await card.getByRole('button', { name: 'Download image' }).count()).toBe(0)
  const tab = await visitor.openTab('/your-images')
  await tab.page.setViewportSize({ width: 480, height: 800 })
  const tile = tab.page.getByRole('listitem').filter({ hasText: 'A lotus that was blocked' })
  const reason = await tile.getByText(/^Not made: /).boundingBox()
  const button = await tile.getByRole('button').first().boundingBox()
  expect((reason?.y ?? 0) + (reason?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  await form.prompt.fill('')
  await card.getByRole('button', { name: 'Try again' }).click()
  ;(await provider.waitForRequest('A lotus that was blocked', 2)).finish()
  await imageReady(form)
  expect(await form.prompt.inputValue()).toBe('A lotus that was blocked')
  await form.images.getByRole('link', { name: 'All your images' }).click()
  await page.waitForURL('/your-images')
})

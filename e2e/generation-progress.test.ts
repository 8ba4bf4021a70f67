import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { dataUrl, expectToday, generationOn, startGeneration } from './support/generation.ts'
import { signUp, type User } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'

const provider = await startProvider()
const site = useSite({ ...provider.env, IMAGE_CONCURRENCY: '1' })
afterAll(provider.stop)

let ravi: User
beforeAll(async () => {
  ravi = await signUp(site.url, 'Ravi Kumar')
})

/** Opens the form as a new user. */
async function openForm() {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  return { asha, visitor, page: visitor.page, form: generationOn(visitor.page) }
}

/** Occupies the only slot with a generation of another user. Returns a function that finishes it. */
async function occupy(prompt: string) {
  const generated = ravi.generate(prompt)
  const job = await provider.waitForRequest(prompt)
  return async () => {
    job.finish()
    await generated
  }
}

test('shows each preview, then the final image', async () => {
  const { page, form } = await openForm()
  await startGeneration(page, 'A lotus by degrees')
  const job = await provider.waitForRequest('A lotus by degrees')
  await form.timer.waitFor()
  expect(await form.image.count()).toBe(0)
  await expectToday(page, 1)
  for (const bytes of [images.preview, images.sharper]) {
    job.preview(bytes)
    await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(bytes))
  }
  expect(await form.spinner.count()).toBe(1)
  expect(await form.share.count()).toBe(0)
  job.finish()
  await imageReady(form)
  expect(await form.partial.count()).toBe(0)
  expect(await form.image.getAttribute('alt')).toBe('A lotus by degrees')
  expect(await form.image.getAttribute('src')).toMatch(/^\/uploads\//)
  expect(await form.spinner.count()).toBe(0)
  await page.getByRole('main').getByText('AI-made', { exact: true }).first().waitFor()
  await expectToday(page, 1)
  expect(provider.requestCount('A lotus by degrees')).toBe(1)
})

test('removes the preview, alerts the error and refunds the quota when the generation fails', async () => {
  const { visitor, page, form } = await openForm()
  await startGeneration(page, 'A lotus that fails')
  const job = await provider.waitForRequest('A lotus that fails')
  job.preview(images.preview)
  await form.partial.waitFor()
  job.block()
  const message = 'The image service does not allow this prompt. Change it and try again.'
  await expectAlert(visitor, message)
  await form.failure.getByText(message, { exact: true }).waitFor()
  expect(await form.image.count()).toBe(0)
  expect(await form.spinner.count()).toBe(0)
  await eventually(() => form.generate.isEnabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe('A lotus that fails')
  await expectToday(page, 0)
})

test('disconnects from the provider on Cancel, and keeps the prompt and the consumed quota', async () => {
  const { page, form } = await openForm()
  await startGeneration(page, 'A lotus given up')
  const job = await provider.waitForRequest('A lotus given up')
  job.preview(images.preview)
  await form.partial.waitFor()
  await form.cancel.click()
  await job.disconnected
  await form.generate.waitFor()
  await eventually(() => form.announcement.textContent()).toBe('The image is canceled.')
  for (const part of [form.cancel, form.partial, form.spinner, form.failure, form.share, form.images])
    await eventually(() => part.count()).toBe(0)
  expect(await form.prompt.inputValue()).toBe('A lotus given up')
  await expectToday(page, 1)
  await startGeneration(page, 'A lotus given up')
  await expectToday(page, 2)
  ;(await provider.waitForRequest('A lotus given up', 2)).finish()
  await imageReady(form)
})

test('shows the position in the queue and updates it', async () => {
  const release = await occupy('Ravi has the first place')
  const meera = await signUp(site.url, 'Meera')
  const second = meera.generate('Meera has the second place')
  await eventually(async () => (await meera.trpc.images.list.query()).images.length).toBe(1)
  const { page, form } = await openForm()
  await startGeneration(page, 'Asha has the third place')
  const preview = page.getByRole('main').locator('[aria-busy=true]')
  await preview.getByText('One image before yours', { exact: true }).waitFor()
  await release()
  await preview.getByText('Yours is next', { exact: true }).waitFor()
  ;(await provider.waitForRequest('Meera has the second place')).finish()
  await second
  const job = await provider.waitForRequest('Asha has the third place')
  await eventually(() => preview.getByText('Yours is next').count()).toBe(0)
  await eventually(() => form.announcement.textContent()).toBe('Your image is being generated.')
  job.finish()
  await imageReady(form)
  await eventually(() => form.announcement.textContent()).toBe('Your image is ready.')
})

test('refunds a generation that is canceled in the queue, without a request to the provider', async () => {
  const release = await occupy('Ravi is before the cancelled one')
  const { page, form } = await openForm()
  await startGeneration(page, 'Cancelled in the queue')
  await page.getByText('Yours is next', { exact: true }).waitFor()
  await expectToday(page, 1)
  await form.cancel.click()
  await form.generate.waitFor()
  await expectToday(page, 0)
  await release()
  expect(provider.requestCount('Cancelled in the queue')).toBe(0)
})

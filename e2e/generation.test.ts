import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { dataUrl, expectToday, generationOn, startGeneration } from './support/generation.ts'
import { calls, holdBack } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { images, startProvider } from './support/provider.ts'
import { settled, useSite } from './support/site.ts'

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

/** Starts a generation as a new user, and waits for its first preview. */
async function begin(prompt: string) {
  const opened = await openForm()
  await startGeneration(opened.page, prompt)
  const job = await provider.waitForRequest(prompt)
  job.preview(images.preview)
  await opened.form.partial.waitFor()
  return { ...opened, job }
}

test('retries a generation whose response is lost without generating twice', async () => {
  const { asha, visitor, page, form } = await openForm()
  let requests = 0
  await page.route(calls.generate, async (route) => {
    requests += 1
    if (requests > 1) return route.continue()
    // The request arrives, but its response does not.
    const { url, method, headers, body } = {
      url: route.request().url(),
      method: route.request().method(),
      headers: await route.request().allHeaders(),
      body: route.request().postData(),
    }
    const disconnect = new AbortController()
    const sent = fetch(url, { method, headers, body, signal: disconnect.signal }).catch(() => {})
    await provider.waitForRequest('A lotus pressed once')
    disconnect.abort()
    await sent
    return route.abort()
  })
  await startGeneration(page, 'A lotus pressed once')
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await eventually(() => requests).toBe(2)
  ;(await provider.waitForRequest('A lotus pressed once')).finish()
  await imageReady(form)
  await expectToday(page, 1)
  expect(provider.requestCount('A lotus pressed once')).toBe(1)
  expect((await asha.trpc.images.list.query()).images).toHaveLength(1)
})

test('cancels a generation once it is accepted if Cancel was clicked earlier', async () => {
  const { asha, page, form } = await openForm()
  const release = await holdBack(page, calls.generate)
  await startGeneration(page, 'A lotus regretted at once')
  await form.cancel.click()
  await page.getByRole('button', { name: 'Cancelling…' }).waitFor()
  release()
  await form.generate.waitFor()
  await eventually(async () => (await asha.trpc.images.list.query()).images).toMatchObject([
    { state: 'canceled' },
  ])
  expect(await form.failure.count()).toBe(0)
  expect(await form.spinner.count()).toBe(0)
})

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
  await form.cancel.waitFor()
  await form.cancel.focus()
  ;(await provider.waitForRequest('A lotus by keyboard', 2)).finish()
  await imageReady(form)
  await eventually(() => form.share.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('announces changes of state only to screen readers', async () => {
  const { page, form } = await openForm()
  await page.evaluate(() => {
    const announcements: string[] = []
    Object.assign(window, { announcements })
    const status = document.querySelector('[role=status]')
    if (!status) throw new Error('The page has no live region.')
    new MutationObserver(() => announcements.push(status.textContent)).observe(status, {
      childList: true,
      subtree: true,
    })
  })
  await startGeneration(page, 'A lotus for the ear')
  const job = await provider.waitForRequest('A lotus for the ear')
  for (const bytes of [Buffer.from(''), Buffer.from('no image')]) job.preview(bytes)
  await eventually(() => form.timer.textContent()).toMatch(/^0:(0[2-9]|\d\d)$/)
  expect(await form.timer.getAttribute('aria-live')).not.toBe('assertive')
  job.finish()
  await imageReady(form)
  await eventually(() => page.evaluate(() => Reflect.get(window, 'announcements') as string[])).toEqual([
    'Your image is being generated.',
    'Your image is ready.',
  ])
})

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

import { afterAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { expectToday, generationOn, startGeneration } from './support/generation.ts'
import { calls, holdBack } from './support/network.ts'
import { signUp } from './support/user.ts'
import { startProvider } from './support/provider.ts'
import { useSite } from './support/site.ts'

const provider = await startProvider()
const site = useSite(provider.env)
afterAll(provider.stop)

async function openForm() {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  return { asha, visitor, page: visitor.page, form: generationOn(visitor.page) }
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

import { afterAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { expectToday, generationOn, press } from './support/generation.ts'
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

test('a press whose answer is lost is sent again, and is one image', async () => {
  const { asha, visitor, page, form } = await openForm()
  let presses = 0
  await page.route(calls.generate, async (route) => {
    presses += 1
    if (presses > 1) return route.continue()
    // It arrives, but nobody hears so.
    const { url, method, headers, body } = {
      url: route.request().url(),
      method: route.request().method(),
      headers: await route.request().allHeaders(),
      body: route.request().postData(),
    }
    const leaving = new AbortController()
    const sent = fetch(url, { method, headers, body, signal: leaving.signal }).catch(() => {})
    await provider.asked('A lotus pressed once')
    leaving.abort()
    await sent
    return route.abort()
  })
  await press(page, 'A lotus pressed once')
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await eventually(() => presses).toBe(2)
  ;(await provider.asked('A lotus pressed once')).finish()
  await form.share.waitFor()
  await expectToday(page, 1)
  expect(provider.timesAsked('A lotus pressed once')).toBe(1)
  expect((await asha.trpc.images.list.query()).images).toHaveLength(1)
})

test('what is cancelled before the server has heard of it is cancelled as soon as it has', async () => {
  const { asha, page, form } = await openForm()
  const release = await holdBack(page, calls.generate)
  await press(page, 'A lotus regretted at once')
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

test('progress is reachable by keyboard: the focus goes from Generate to Cancel and back', async () => {
  const { page, form } = await openForm()
  await form.prompt.fill('A lotus by keyboard')
  await form.generate.focus()
  await page.keyboard.press('Enter')
  await provider.asked('A lotus by keyboard')
  await form.cancel.focus()
  await page.keyboard.press('Enter')
  await form.generate.waitFor()
  await eventually(() => form.generate.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await form.cancel.waitFor()
  await form.cancel.focus()
  ;(await provider.asked('A lotus by keyboard', 2)).finish()
  await form.share.waitFor()
  await eventually(() => form.share.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('a page that asks for less motion shows the progress without any', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { page } = await site.visit('/create-post', { as: asha, reducedMotion: 'reduce' })
  const form = generationOn(page)
  await press(page, 'A lotus without motion')
  const job = await provider.asked('A lotus without motion')
  await form.timer.waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  job.finish()
  await form.share.waitFor()
})

test('screen readers are told the turns only', async () => {
  const { page, form } = await openForm()
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const status = document.querySelector('[role=status]')
    if (!status) throw new Error('There is no live region.')
    new MutationObserver(() => said.push(status.textContent)).observe(status, {
      childList: true,
      subtree: true,
    })
  })
  await press(page, 'A lotus for the ear')
  const job = await provider.asked('A lotus for the ear')
  for (const bytes of [Buffer.from(''), Buffer.from('no image')]) job.preview(bytes)
  await eventually(() => form.timer.textContent()).toMatch(/^0:(0[2-9]|\d\d)$/)
  expect(await form.timer.getAttribute('aria-live')).not.toBe('assertive')
  job.finish()
  await form.share.waitFor()
  await eventually(() => page.evaluate(() => Reflect.get(window, 'said') as string[])).toEqual([
    'Your image is being generated.',
    'Your image is ready.',
  ])
})

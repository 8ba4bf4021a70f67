import { beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate, imageReady } from './support/form.ts'
import { calls, retryAtOnce } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('alerts the server’s message once and keeps it in the form if the server rejects a prompt', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  const prompt = 'a'.repeat(4_001)
  await form.name.fill('Asha of the lake')
  await form.prompt.fill(prompt)
  await form.generate.click()
  await expectAlert(visitor, 'A prompt may have at most 4,000 characters.')
  await form.failure.getByText('A prompt may have at most 4,000 characters.', { exact: true }).waitFor()
  await eventually(() => form.generate.isEnabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe(prompt)
  expect(await form.name.inputValue()).toBe('Asha of the lake')
  expect(await form.spinner.count()).toBe(0)
  expect(await form.share.count()).toBe(0)
})

test('alerts “Something went wrong!” without a network', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await visitor.page.route(calls.generate, (route) => route.abort())
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  await form.failure.getByText('Something went wrong!').waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await visitor.page.unroute(calls.generate)
  await form.generate.click()
  await imageReady(form)
  expect(await form.failure.count()).toBe(0)
})

test.each([
  { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
  { status: 200, contentType: 'text/html', body: 'log in to the hotel network' },
])('alerts “Something went wrong!” after status $status with "$body"', async (response) => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  visitor.expectedErrors.push(/status of 50/)
  await visitor.page.route(calls.generate, (route) => route.fulfill(response))
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  await eventually(() => form.generate.isEnabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe('A lotus')
})

test('keeps the previous image after a failure', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A lotus')
  await visitor.page.route(calls.generate, (route) => route.abort())
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  expect(await form.image.count()).toBe(1)
  expect(await form.share.isEnabled()).toBe(true)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
})

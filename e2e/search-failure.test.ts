import { beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { calls, requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  const asha = await signUp(site.url)
  await asha.share('A lotus at dawn')
  await asha.share('Kites over Jaipur')
})

test('shows one alert, an error and a retry button when the network fails', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.route(calls.list, (route) => route.abort())
  await page.getByLabel('Search Posts').fill('lotus')
  await expectAlert(visitor, /\w/)
  const failure = page.getByRole('alert').filter({ hasText: /\w/ })
  await failure.waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  expect(await page.getByText(/^Showing/).count()).toBe(0)
  await page.unroute(calls.list)
  await failure.getByRole('button').click()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  await eventually(() => failure.count()).toBe(0)
})

test('shows an error without an alert when the server fails', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  const body = JSON.stringify({
    error: {
      message: 'Something went wrong!',
      code: -32603,
      data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, reason: 'internal' },
    },
  })
  await page.route(calls.list, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body }),
  )
  await page.getByLabel('Search Posts').fill('lotus')
  const failure = page.getByRole('alert').filter({ hasText: /\w/ })
  await failure.waitFor()
  await expectPageErrors(visitor, /status of 500/)
  await page.unroute(calls.list)
  await failure.getByRole('button').click()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
})

test('shows an error without an alert when a proxy fails', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.route(calls.list, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  )
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await expectPageErrors(visitor, /status of 502/)
})

test('explains that a search term is too long', async () => {
  const visitor = await site.visit(`/?q=${'a'.repeat(501)}`)
  await visitor.page.getByRole('alert').getByText('A search term may have at most 500 characters.').waitFor()
  await expectPageErrors(visitor, /status of 400/)
})

test('keeps the posts without an alert when a background refresh fails', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.clock.install()
  await page.reload()
  await settled(visitor)
  const asked = requestLog(page, 'posts.list')
  await page.route(calls.list, (route) => route.abort())
  await page.clock.fastForward(120_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await eventually(() => asked.length).toBeGreaterThan(1)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  expect(await page.getByRole('listitem').count()).toBe(2)
  expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0)
})

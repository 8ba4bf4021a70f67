import { beforeAll, describe, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { calls, requestLog } from './support/network.ts'
import { signUp } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('Kites over Jaipur', 'Ravi Kumar')
  await asha.share('दीपावली की रात')
  await asha.share('<b>"50% off" & \'snake_case\'</b>')
  await asha.share('Été à Paris', 'ÉLISE')
})

test('filters the list with one call, 500 ms after the last keystroke', async () => {
  const { page } = await site.visit('/', { isNew: true })
  await page.clock.install()
  await page.reload()
  const asked = requestLog(page, 'posts.list')
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const search = page.getByLabel('Search Posts')
  await search.pressSequentially('lot')
  await page.clock.runFor(499)
  await search.pressSequentially('us')
  await page.clock.runFor(499)
  expect(page.url()).toBe(`${site.url}/`)
  expect(asked).toEqual([])
  await page.clock.runFor(1)
  await page.clock.resume()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(asked.map((request) => new URL(request.url()).searchParams.get('input'))).toEqual([
    expect.stringContaining('"search":"lotus"'),
  ])
})

test('the slash key focuses the search, unless the user is typing', async () => {
  const { page } = await site.visit('/')
  const search = page.getByLabel('Search Posts')
  // The part of the gallery that listens is loaded lazily.
  await eventually(async () => {
    await page.keyboard.press('/')
    return search.evaluate((field) => field === document.activeElement)
  }).toBe(true)
  await page.keyboard.press('/')
  expect(await search.inputValue()).toBe('/')
  await search.fill('')
})

test('shows the term in the heading without quotes, and in the URL', async () => {
  const { page } = await site.visit('/')
  await page.getByLabel('Search Posts').fill('LOTUS')
  await page.getByRole('heading', { name: 'Results for LOTUS', exact: true }).waitFor()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(page.url()).toBe(`${site.url}/?q=LOTUS`)
  expect(await page.getByRole('listitem').count()).toBe(1)
})

test('searches immediately on Enter', async () => {
  const { page } = await site.visit('/', { isNew: true })
  await page.clock.install()
  await page.reload()
  await page.getByRole('button', { name: 'Sign In' }).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByLabel('Search Posts').press('Enter')
  expect(page.url()).toBe(`${site.url}/?q=lotus`)
})

test('keeps the search on reload, with results in the HTML', async () => {
  const visitor = await site.visit('/?q=kites')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Results for kites', exact: true }).waitFor()
  const asked = requestLog(page, 'posts.list')
  await page.reload()
  await settled(visitor)
  expect(await page.getByLabel('Search Posts').inputValue()).toBe('kites')
  expect(await page.getByText('Showing 1 post', { exact: true }).count()).toBe(1)
  expect(asked).toEqual([])
})

test('Back and Forward navigate between searches', async () => {
  const { page } = await site.visit('/')
  const search = page.getByLabel('Search Posts')
  await search.fill('lotus')
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  await page.goBack()
  await page.getByText('Showing 5 posts', { exact: true }).waitFor()
  expect(await search.inputValue()).toBe('')
  expect(await page.getByRole('heading', { name: /^Results for/ }).count()).toBe(0)
  await page.goForward()
  await page.getByRole('heading', { name: 'Results for lotus', exact: true }).waitFor()
  expect(await search.inputValue()).toBe('lotus')
})

test('Clear restores the full list and focuses the field', async () => {
  const { page } = await site.visit('/?q=lotus')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('Showing 5 posts', { exact: true }).waitFor()
  expect(page.url()).toBe(`${site.url}/`)
  const search = page.getByLabel('Search Posts')
  expect(await search.inputValue()).toBe('')
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('restores the full list when the term is deleted', async () => {
  const { page } = await site.visit('/')
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  await page.getByLabel('Search Posts').fill('')
  await page.getByText('Showing 5 posts', { exact: true }).waitFor()
  await eventually(() => page.url()).toBe(`${site.url}/`)
})

const terms = [
  '<b>"50% off" & \'snake_case\'</b>',
  '50%',
  '%',
  'e_c',
  '_',
  '"50',
  '&',
  '</b>',
  'दीपावली',
  'été',
  'élise',
]

test('finds and shows typed terms with special characters and in any script verbatim', async () => {
  const visitor = await site.visit('/', { clock: true })
  const { page } = visitor
  for (const term of terms) {
    await page.getByLabel('Search Posts').fill(term)
    await page.clock.runFor(500)
    await page.getByRole('heading', { name: `Results for ${term}`, exact: true }).waitFor()
    await page.getByText('Showing 1 post', { exact: true }).waitFor()
  }
  expect(await page.locator('b').count()).toBe(0)
})

describe('when posts cannot be loaded', () => {
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

  test('explains that a search term is too long', async () => {
    const visitor = await site.visit(`/?q=${'a'.repeat(501)}`)
    await visitor.page
      .getByRole('alert')
      .getByText('A search term may have at most 500 characters.')
      .waitFor()
    await expectPageErrors(visitor, /status of 400/)
  })

  test('keeps the posts without an alert when a background refresh fails', async () => {
    const visitor = await site.visit('/', { isNew: true })
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
    expect(await page.getByRole('listitem').count()).toBe(5)
    expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0)
  })
})

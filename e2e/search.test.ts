import { beforeAll, expect, test } from 'vitest'
import { requestLog } from './support/network.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const site = useSite()

beforeAll(async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('Kites over Jaipur', 'Ravi Kumar')
  await asha.share('दीपावली की रात')
  await asha.share('<b>"50% off" & \'snake_case\'</b>')
  await asha.share('Été à Paris', 'ÉLISE')
})

test('filters the list with one call, 500 ms after the last keystroke or on Enter', async () => {
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
  await page.clock.pauseAt(new Date(Date.now() + 120_000))
  await search.fill('kites')
  await search.press('Enter')
  expect(page.url()).toBe(`${site.url}/?q=kites`)
  expect(asked.slice(0, 1).map((request) => new URL(request.url()).searchParams.get('input'))).toEqual([
    expect.stringContaining('"search":"lotus"'),
  ])
})

test('shows the term without quotes, in the URL too, until it is cleared', async () => {
  const { page } = await site.visit('/')
  const search = page.getByRole('searchbox', { name: 'Search Posts', exact: true })
  expect(await search.getAttribute('placeholder')).toBe('Search by author or prompt…')
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  expect(await clear.count()).toBe(0)
  await search.fill('LOTUS')
  await page.getByRole('heading', { name: 'Results for LOTUS', exact: true }).waitFor()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(page.url()).toBe(`${site.url}/?q=LOTUS`)
  expect(await page.getByRole('listitem').count()).toBe(1)
  await clear.click()
  await page.getByText('Showing 5 posts', { exact: true }).waitFor()
  expect(page.url()).toBe(`${site.url}/`)
  expect(await search.inputValue()).toBe('')
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
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

const terms = ['50%', 'e_c', '"50', '</b>', 'दीपावली', 'élise']

test('finds and shows typed terms with special characters and in any script verbatim', async () => {
  const { page } = await site.visit('/')
  for (const term of terms) {
    await page.getByLabel('Search Posts').fill(term)
    await page.getByLabel('Search Posts').press('Enter')
    await page.getByRole('heading', { name: `Results for ${term}`, exact: true }).waitFor()
    await page.getByText('Showing 1 post', { exact: true }).waitFor()
  }
  expect(await page.locator('b').count()).toBe(0)
})

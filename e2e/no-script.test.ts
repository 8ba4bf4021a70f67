import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()

beforeAll(async () => {
  const asha = await signUp(site.url)
  await asha.share('A lotus at dawn')
  await asha.share('Kites over Jaipur')
})

test('shows and searches posts without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
  expect(await page.getByRole('listitem').locator('img').count()).toBe(2)
  await page.getByRole('listitem').first().hover()
  await eventually(() => page.getByText('Kites over Jaipur', { exact: true }).isVisible()).toBe(true)
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByLabel('Search Posts').press('Enter')
  await page.waitForURL('/?q=lotus')
  await page.getByRole('heading', { name: 'Results for lotus', exact: true }).waitFor()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
})

import { expect, test } from 'vitest'
import { useSite } from './support/site.ts'

const siteName = '<b>Kalā & "Co"</b>'
const site = useSite({ SITE_NAME: siteName })

test('shows No Posts Yet and links to the create page', async () => {
  const { page } = await site.visit('/')
  await page.getByRole('heading', { name: 'No Posts Yet', exact: true }).waitFor()
  await page.getByText('Try changing your search or create a new post.', { exact: true }).waitFor()
  expect(await page.getByText('Showing 0 posts', { exact: true }).count()).toBe(1)
  await page.getByRole('main').getByRole('link').first().click()
  await page.waitForURL('/create-post')
})

test('shows No Search Results Found and links to all posts', async () => {
  const { page } = await site.visit('/?q=nowhere')
  await page.getByRole('heading', { name: 'No Search Results Found', exact: true }).waitFor()
  await page.getByText('Try changing your search or create a new post.', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Results for nowhere', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Show all posts' }).click()
  await page.getByRole('heading', { name: 'No Posts Yet' }).waitFor()
  expect(page.url()).toBe(`${site.url}/`)
  expect(await page.getByLabel('Search Posts').inputValue()).toBe('')
})

test('escapes markup in the site name', async () => {
  const { page } = await site.visit('/')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
    `${siteName} — Text-to-Image AI Generator`,
  )
  expect(await page.title()).toBe(`${siteName} — Text-to-Image AI Generator`)
  expect(await page.getByRole('banner').getByRole('link', { name: siteName, exact: true }).count()).toBe(1)
  expect(await page.locator('b').count()).toBe(0)
})

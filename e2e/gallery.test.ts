import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { calls, holdBack, requestLog } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  for (const prompt of ['A lotus at dawn', 'Kites over Jaipur', 'Lanterns on the river'])
    await asha.share(prompt)
})

test('shows the product name in heading and title', async () => {
  const { page } = await site.visit('/')
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([
    'Rangoli — Text-to-Image AI Generator',
  ])
  expect(await page.title()).toBe('Rangoli — Text-to-Image AI Generator')
})

test('labels the search box and shows Clear once it has text', async () => {
  const { page } = await site.visit('/')
  const search = page.getByRole('searchbox', { name: 'Search Posts', exact: true })
  expect(await search.getAttribute('placeholder')).toBe('Search by author or prompt…')
  expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0)
  await search.pressSequentially('l')
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor()
})

test('lists the posts in one list, newest first', async () => {
  const { page } = await site.visit('/')
  const posts = page.getByRole('main').getByRole('list')
  expect(await posts.count()).toBe(1)
  const links = posts.locator('article h2 a')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label')))).toEqual([
    'Lanterns on the river',
    'Kites over Jaipur',
    'A lotus at dawn',
  ])
})

test('loads the image of every post', async () => {
  const { page } = await site.visit('/')
  const images = page.getByRole('listitem').locator('img')
  await eventually(() =>
    images.evaluateAll((all) =>
      all.map((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    ),
  ).toEqual([true, true, true])
})

test('shows Loading… with a spinner while posts load', async () => {
  const { page } = await site.visit('/')
  const release = await holdBack(page, calls.list)
  await page.getByLabel('Search Posts').fill('kites')
  await page.getByText('Loading…', { exact: true }).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(1)
  release()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  expect(await page.getByText('Loading…').count()).toBe(0)
})

test('does not fetch the posts that came with the HTML again', async () => {
  const visitor = await site.visit('/create-post')
  const asked = requestLog(visitor.page, 'posts.list')
  await visitor.page.goto('/')
  await settled(visitor)
  expect(asked).toEqual([])
})

test('hides Create and Delete from signed-out visitors', async () => {
  const { page } = await site.visit('/')
  expect(await page.getByRole('link', { name: 'Create', exact: true }).count()).toBe(0)
  expect(await page.getByRole('menuitem', { name: 'Delete post' }).count()).toBe(0)
})

test('keeps a post readable if its image fails to load', async () => {
  const visitor = await site.visit('/create-post')
  await visitor.page.route(calls.images, (route) => route.abort())
  await visitor.page.goto('/')
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await settled(visitor)
  expect(await visitor.page.getByText('Kites over Jaipur').count()).toBeGreaterThan(0)
})

test('shows and searches posts without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  await page.getByText('Showing 3 posts', { exact: true }).waitFor()
  expect(await page.getByRole('listitem').locator('img').count()).toBe(3)
  await page.getByRole('listitem').first().hover()
  await eventually(() => page.getByText('Lanterns on the river', { exact: true }).isVisible()).toBe(true)
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByLabel('Search Posts').press('Enter')
  await page.waitForURL('/?q=lotus')
  await page.getByRole('heading', { name: 'Results for lotus', exact: true }).waitFor()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
})

test('an unknown path shows Page not found with status 404 and links to the gallery', async () => {
  const visitor = await site.visit('/no/such/page')
  const { page } = visitor
  await expectPageErrors(visitor, /status of 404/)
  await page.getByRole('heading', { level: 1, name: 'Page not found', exact: true }).waitFor()
  expect(await page.title()).toBe('Page not found — Rangoli')
  await page.getByRole('main').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Rangoli — Text-to-Image AI Generator' }).waitFor()
  expect(page.url()).toBe(`${site.url}/`)
  expect(await page.title()).toBe('Rangoli — Text-to-Image AI Generator')
})

test('serves a favicon and robots.txt', async () => {
  const { page } = await site.visit('/')
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  const answer = await fetch(new URL(icon ?? '', site.url))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
  const robots = await fetch(`${site.url}/robots.txt`)
  expect(robots.status).toBe(200)
  expect(robots.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await robots.text()).toMatch(/^User-agent:/im)
})

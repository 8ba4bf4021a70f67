import { expect, test } from 'vitest'
import { expectPageErrors } from './support/expectations.ts'
import { useSite } from './support/site.ts'

const site = useSite()

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

test.each([
  { path: '/', status: 200 },
  { path: '/?q=x', status: 200 },
  { path: '/create-post', status: 200 },
  { path: '/nowhere', status: 404 },
  { path: '/create-post/more', status: 404 },
  { path: '/%3Cscript%3Ealert(1)%3C/script%3E', status: 404 },
  { path: '/%E0%A4%A', status: 404 },
  { path: '//example.org', status: 404 },
  { path: '/missing.txt', status: 404 },
  { path: '/assets/missing.js', status: 404 },
  { path: '/uploads/missing/original.jpg', status: 404 },
])('$path responds with status $status', async ({ path, status }) => {
  const answer = await fetch(`${site.url}${path}`)
  expect(answer.status).toBe(status)
  expect(await answer.text()).not.toContain('<script>alert')
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

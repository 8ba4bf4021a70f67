import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { layoutShift } from './support/page-inspection.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ SITE_NAME: 'Rangoli & <friends>' })
const path = '/api/v1/docs'
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

type Visit = Parameters<typeof site.visit>[1]

const exampleCalled = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).first()

test('the footer leads to the page, and the page to the account and openapi.json', async () => {
  const { page } = await site.visit('/', { as: asha })
  await page.getByRole('contentinfo').getByRole('link', { name: 'API', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'REST API' }).waitFor()
  expect(await page.title()).toBe('REST API — Rangoli & <friends>')
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Endpoints' })
    .click()
  await eventually(() => page.getByRole('heading', { name: 'Endpoints' }).isVisible()).toBe(true)
  expect(new URL(page.url()).hash).toBe('#endpoints')
  const description = page.getByRole('link', { name: 'openapi.json' })
  expect(await description.getAttribute('href')).toBe('/api/v1/openapi.json')
  await page.getByRole('main').getByRole('link', { name: 'your account' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
})

test('shows every endpoint with its errors, and loads nothing from other sites', async () => {
  const { page } = await site.visit(path)
  expect(await page.getByText(/^\/api\/v1\/\w+$/).allInnerTexts()).toEqual([
    '/api/v1/post',
    '/api/v1/post',
    '/api/v1/imgGenerate',
  ])
  const generate = page.getByRole('region', { name: 'Generate an image', exact: true })
  const message = generate.getByText('You have reached your daily image limit.')
  expect(await message.isVisible()).toBe(false)
  await generate.getByText('Errors', { exact: true }).click()
  await message.waitFor()
})

test('the Copy button of an example copies its code', async () => {
  const { page, context } = await site.visit(path, { isNew: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const curl = page.getByRole('figure').filter({ has: exampleCalled(page, 'curl') })
  await curl.getByRole('button', { name: 'Copy' }).click()
  await curl.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await exampleCalled(page, 'curl').innerText(),
  )
  await page.getByRole('status').getByText('The code is copied.').waitFor({ state: 'attached' })

  const fetchExample = page.getByRole('figure').filter({ has: exampleCalled(page, 'fetch') })
  await fetchExample.getByRole('button', { name: 'Copy' }).click()
  await fetchExample.getByRole('button', { name: 'Copied' }).waitFor()
  await curl.getByRole('button', { name: 'Copy', exact: true }).waitFor()
})

test('shows the page again after Back', async () => {
  const { page } = await site.visit(path)
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.waitForURL(`${site.url}/`)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'REST API' }).waitFor()
  expect(await exampleCalled(page, 'curl').innerText()).toContain(`${site.url}/api/v1/imgGenerate`)
})

test('is readable without JavaScript, and without layout shift', async () => {
  const withoutScripts = await site.visit(path, { javaScriptEnabled: false, settle: false })
  expect(await exampleCalled(withoutScripts.page, 'curl').innerText()).toContain('A lotus at dawn')
  const { page } = await site.visit(path)
  expect(await layoutShift(page)).toBeLessThan(0.05)
})

test('is in the language of the user, with code from left to right', async () => {
  const { page } = await site.visit(path, { locale: 'ar' })
  await page.getByRole('heading', { level: 1, name: 'واجهة REST' }).waitFor()
  expect(await exampleCalled(page, 'curl').evaluate((code) => getComputedStyle(code).direction)).toBe('ltr')
})

describe('has no accessibility violations and no horizontal scrolling', () => {
  test.each<[string, Visit]>([
    ['in light mode', { colorScheme: 'light' }],
    ['in dark mode', { colorScheme: 'dark' }],
    ['in the theme soft-dark', { theme: 'soft-dark' }],
    ['in the theme hc', { theme: 'hc' }],
    ['on a small screen', { viewport: { width: 360, height: 740 } }],
    ['in Arabic', { locale: 'ar', viewport: { width: 360, height: 740 } }],
  ])('%s', async (_, options) => {
    const { page } = await site.visit(path, options)
    for (const details of await page.locator('details').all()) await details.locator('summary').click()
    expect(await findViolations(page)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(options?.viewport?.width ?? 1280)
  })
})

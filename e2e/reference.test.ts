import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const token = 'a-token-of-enough-letters'
const site = useSite({ SITE_NAME: 'Rangoli & <friends>', API_TOKEN: token })
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
})

type Visit = Parameters<typeof site.visit>[1]

async function open(options: Visit = {}) {
  const visitor = await site.visit('/api/v1/docs', { settle: false, ...options })
  const call = (name: string) => visitor.page.locator(`#operations-Gallery-${name}`)
  await call('generateImage').waitFor()
  return { ...visitor, call }
}

/** Expands an operation. */
async function unfold({ call }: Awaited<ReturnType<typeof open>>, name: string) {
  await call(name).getByRole('button').first().click()
  await call(name).getByRole('button', { name: 'Try it out' }).click()
  return call(name)
}

test('shows every operation, and loads nothing from other sites', async () => {
  const { page } = await open()
  expect(await page.title()).toBe('REST API — Rangoli & <friends>')
  expect(await page.locator('.opblock-summary-path').allInnerTexts()).toEqual([
    '/post',
    '/post',
    '/imgGenerate',
  ])
  await page.getByRole('link', { name: 'openapi.json' }).first().click()
  expect(new URL(page.url()).pathname).toBe('/api/v1/openapi.json')
})

test('sends requests without a token and with one', async () => {
  const visitor = await open()
  const { page } = visitor
  const list = await unfold(visitor, 'listPosts')
  await list.getByRole('button', { name: 'Execute' }).click()
  await eventually(() => list.locator('.live-responses-table').innerText()).toContain('A lotus at dawn')

  const generate = await unfold(visitor, 'generateImage')
  await generate.getByRole('button', { name: 'Execute' }).click()
  await expectPageErrors(visitor, /status of 401/)
  await eventually(() => generate.locator('.live-responses-table').innerText()).toContain(
    'Please sign in first.',
  )

  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByLabel('auth-bearer-value').fill(token)
  await page.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await generate.getByRole('button', { name: 'Execute' }).click()
  await eventually(() => generate.locator('.live-responses-table').innerText()).toContain('"success": true')
})

/** Violations in Swagger UI's own markup, which styles can't fix: links in buttons, headings and landmarks. */
const swaggerViolations = /^(?:nested-interactive|heading-order|landmark-unique|region):/

describe('has no accessibility violations and no horizontal scrolling', () => {
  test.each<[string, Visit]>([
    ['in light mode', { colorScheme: 'light' }],
    ['in dark mode', { colorScheme: 'dark' }],
    ['in the theme soft-dark', { theme: 'soft-dark' }],
    ['in the theme hc', { theme: 'hc' }],
    ['on a small screen', { viewport: { width: 360, height: 740 } }],
  ])('%s', async (_, options) => {
    const visitor = await open(options)
    for (const name of ['listPosts', 'generateImage']) await unfold(visitor, name)
    const violations = await findViolations(visitor.page)
    expect(violations.filter((violation) => !swaggerViolations.test(violation))).toEqual([])
    const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(options?.viewport?.width ?? 1280)
  })
})

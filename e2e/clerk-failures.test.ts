import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import type { Manner } from './support/clerk/gate.ts'
import { useClerkSite } from './support/clerk/clerk-site.ts'
import { eventually } from './support/expectations.ts'
import { formOn } from './support/form.ts'
import { layoutShift } from './support/page-inspection.ts'
import type { TestUser } from './support/user.ts'

const { site, clerk, newUser } = useClerkSite()
let asha: TestUser

beforeAll(async () => {
  asha = newUser('Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('Kites over Jaipur')
})

const sentence = (page: Page) => page.getByRole('banner').getByText('Sign-in is unavailable', { exact: true })
const signInButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign In' })

interface Failure {
  readonly name: string
  readonly part: 'scripts' | 'api'
  readonly manner: Manner
}

const failures: readonly Failure[] = [
  { name: 'its script is blocked', part: 'scripts', manner: 'refuses' },
  { name: 'its script never comes', part: 'scripts', manner: 'is silent' },
  { name: 'it never answers', part: 'api', manner: 'is silent' },
]

/** Clerk's own console messages in that case. */
const clerkErrors = /ERR_FAILED|status of 500|This script is broken|Clerk|network error/

/** Advances the page's clock past its timeouts. */
async function waitInVain(page: Page, part: Failure['part']): Promise<void> {
  await eventually(() => clerk[part].waiting).toBeGreaterThan(0)
  await page.clock.fastForward(8_000)
}

test.each(failures)('where $name, the page says so and does the rest', async ({ part, manner }) => {
  clerk[part].become(manner)
  const visitor = await site.visit('/create-post', { settle: false, clock: true })
  visitor.expectedErrors.push(clerkErrors)
  const { page } = visitor
  if (manner === 'is silent') await waitInVain(page, part)
  await sentence(page).waitFor({ timeout: 5_000 })
  const notice = page.getByRole('main').getByRole('alert')
  await notice.getByText(/^Sign-in is unavailable/).waitFor()
  expect(await layoutShift(page)).toBeLessThan(0.05)
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  await sentence(page).waitFor()
  // Skips the search, which is a history entry too.
  for (let steps = 0; !page.url().endsWith('/create-post'); steps += 1) {
    expect(steps).toBeLessThan(4)
    await page.goBack()
  }
  clerk[part].become('answers')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await sentence(page).count()).toBe(0)
})

test.each(failures.filter(({ manner }) => manner === 'is silent'))(
  'shows a signed-in user if $name late but in time',
  async ({ part }) => {
    clerk[part].become('is silent')
    const { page } = await site.visit('/', { as: asha, settle: false, clock: true })
    await waitInVain(page, part)
    await sentence(page).waitFor()
    clerk[part].become('answers')
    await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  },
)

test('recovers from a brief failure', async () => {
  clerk.scripts.become('refuses')
  const visitor = await site.visit('/', { settle: false })
  visitor.expectedErrors.push(/ERR_FAILED/)
  await visitor.page.waitForEvent('requestfailed')
  clerk.scripts.become('answers')
  await signInButton(visitor.page).waitFor()
})

describe('before Clerk has loaded', () => {
  test('the gallery works, without a layout shift once Clerk loads', async () => {
    clerk.scripts.become('is silent')
    const { page } = await site.visit('/', { settle: false })
    await page.getByLabel('Search Posts').fill('lotus')
    await page.getByText('Showing 1 post', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Showing 2 posts', { exact: true }).waitFor()
    expect(await signInButton(page).count()).toBe(0)
    const before = await layoutShift(page)
    clerk.scripts.become('answers')
    await signInButton(page).waitFor()
    expect(await sentence(page).count()).toBe(0)
    expect(await layoutShift(page)).toBeLessThan(before + 0.001)
  })

  test('no Clerk script is requested before the first paint', async () => {
    const { page } = await site.visit('/')
    const { painted, asked } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      asked: performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/npm/@clerk/'))
        .map(({ startTime }) => startTime),
    }))
    expect(asked.length).toBeGreaterThan(0)
    expect(Math.min(...asked)).toBeGreaterThan(painted)
  })
})

test('the message in the header fits on a phone, without axe violations', async () => {
  const { page, context } = await site.visit('/', { viewport: { width: 360, height: 740 } })
  const height = (await page.getByRole('banner').boundingBox())?.height
  await context.close()
  clerk.scripts.become('throws')
  const failing = await site.visit('/create-post', { viewport: { width: 360, height: 740 } })
  failing.expectedErrors.push(clerkErrors)
  const box = await sentence(failing.page).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  expect((await failing.page.getByRole('banner').boundingBox())?.height).toBe(height)
  expect(await failing.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectNoViolations(failing.page)
})

test('does not show a form that requires sign-in', async () => {
  clerk.api.become('fails')
  const visitor = await site.visit('/create-post', { as: asha })
  visitor.expectedErrors.push(clerkErrors)
  await sentence(visitor.page).waitFor()
  expect(await formOn(visitor.page).prompt.count()).toBe(0)
})

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
/** A prompt of the maximum length in a single word, the slowest to lay out. */
const longest = 'க்ஷௌ'.repeat(1_990)
const count = 12
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url)
  for (let number = 1; number <= count; number += 1) await asha.share(`${number}. ${longest}`)
})

/** Numbers of the posts on the page. */
async function numbersOn(page: Page): Promise<number[]> {
  const texts = await page
    .locator('main article h2 a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
  return texts.map((text) => Number.parseInt(text, 10))
}

const all = Array.from({ length: count }, (_, index) => count - index)

test.each(['/', '/?q=%E0%AE%95%E0%AF%8D%E0%AE%B7'])(
  'scrolling %s shows all posts with the longest prompts, in order',
  async (address) => {
    const { page } = await site.visit(address)
    await page.getByText(`Showing ${count} posts`, { exact: true }).waitFor()
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      return numbersOn(page)
    }).toEqual(all)
    await page.getByRole('button', { name: 'Load more', exact: true }).waitFor({ state: 'detached' })
  },
)

test('paginates all posts with the longest prompts without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  const seen = await numbersOn(page)
  expect(seen.length).toBeLessThan(count)
  const next = page.getByRole('link', { name: 'Next page', exact: true })
  while ((await next.count()) > 0) {
    await next.click()
    await page.getByRole('link', { name: 'Back to the newest posts', exact: true }).waitFor()
    seen.push(...(await numbersOn(page)))
  }
  expect(seen).toEqual(all)
})

test('shows a new post above posts with the longest prompts', async () => {
  const { page } = await site.visit('/', { clock: true })
  await asha.share('A short one')
  const button = page.getByRole('button', { name: '1 new post', exact: true })
  // The part of the gallery that polls is loaded lazily, on a busy machine after the first minutes of this clock.
  await eventually(async () => {
    await page.clock.runFor(91_000)
    return button.count()
  }).toBe(1)
  await button.click()
  await eventually(() => page.locator('main article h2 a').first().getAttribute('aria-label')).toBe(
    'A short one',
  )
  await page.getByText(`Showing ${count + 1} posts`, { exact: true }).waitFor()
})

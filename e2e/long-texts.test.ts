import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
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

test('scrolling shows all posts with the longest prompts, in order', async () => {
  const { page } = await site.visit('/')
  await page.getByText(`Showing ${count} posts`, { exact: true }).waitFor()
  await eventually(async () => {
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    return numbersOn(page)
  }).toEqual(all)
  await page.getByRole('button', { name: 'Load more', exact: true }).waitFor({ state: 'detached' })
})

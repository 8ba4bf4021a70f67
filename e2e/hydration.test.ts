import { beforeAll, expect, test } from 'vitest'
import { signUp, type User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

// React logs a mismatch between HTML and first render as a console error, which fails the test.
const site = useSite()
let asha: User

const prompts = [
  'A lotus\nat dawn\r\n\r\n  with spaces',
  '<b>bold</b> &amp; </script><script>alert(1)</script><!-- -->',
  'दीपावली की रात 🪔👩‍👩‍👧‍👦 ضوء',
  'a'.repeat(4_000),
  'e\u0301te\u0301 \u2028 \u00a0 \u200b zero',
]
const names = ['Asha', '🦚', 'हेमंत', 'ß', '<i>x</i>', 'n'.repeat(80), '   ']

beforeAll(async () => {
  asha = await signUp(site.url)
  for (const prompt of prompts) await asha.share(prompt)
  for (const [index, name] of names.entries()) await asha.share(`A kite ${index}`, name)
})

test.each([
  { locale: 'en-US', timezoneId: 'America/Los_Angeles' },
  { locale: 'ar-EG', timezoneId: 'Pacific/Kiritimati' },
])('hydrates posts of any script without mismatches for $locale in $timezoneId', async (options) => {
  const visitor = await site.visit('/', { ...options, as: asha, theme: 'hc' })
  const { page } = visitor
  // Only hydrated pages know the user. The texts are in the language of the browser.
  const userLink = page.getByRole('banner').locator('a[href="/create-post"]')
  await userLink.waitFor()
  for (const path of ['/create-post', '/', '/?q=kite']) {
    await page.goto(path)
    await settled(visitor)
    await userLink.waitFor()
  }
})

const queries = [
  '%25',
  '50%2525',
  '+',
  '%2B',
  '%26',
  '%ED%A0%80',
  '%E0%A4%A',
  '%',
  '%3C%2Fscript%3E',
  '%E2%80%A8',
]

test('server and browser parse any search term of the URL alike', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  for (const query of queries) {
    await page.goto(`/?q=${query}`)
    await settled(visitor)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
    const field = await page.getByLabel('Search Posts').inputValue()
    const headings = await page
      .getByRole('heading', { level: 2 })
      .filter({ hasText: 'Results for' })
      .allTextContents()
    expect([query, headings]).toEqual([query, field.trim() ? [`Results for ${field}`] : []])
    expect(await page.getByText(/^Showing \d+ posts?$/).count()).toBe(1)
  }
})

import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/browser.ts'
import { calls, holdBack, requestLog } from './support/network.ts'
import { layoutShift } from './support/page-parts.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

// React logs a mismatch between HTML and first render as a console error, which fails the test.
const site = useSite()
let asha: User

const texts = [
  'A lotus\nat dawn\r\n\r\n  with spaces',
  '<b>bold</b> &amp; </script><script>alert(1)</script><!-- -->',
  'दीपावली की रात 🪔👩‍👩‍👧‍👦 ضوء',
  'e\u0301te\u0301 \u2028 \u00a0 \u200b zero',
]

beforeAll(async () => {
  asha = await signUp(site.url)
  for (const [index, name] of ['🦚', 'हेमंत', '<i>x</i>', '   '].entries())
    await asha.share(texts[index] ?? '', name)
  await asha.share(`Kites over Jaipur ${'and many more of them '.repeat(10)}`)
  await asha.share('A lotus to find')
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
  for (const path of ['/create-post', '/?q=kite']) {
    await page.goto(path)
    await settled(visitor)
    await userLink.waitFor()
  }
})

const queries = ['%25+%2B%26%3C%2Fscript%3E%E2%80%A8', '+', '%ED%A0%80', '%E0%A4%A', '%']

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

/** Opens a page and holds back the requests that match `address`. */
async function visitBefore(address: string, { clock = false, path = '/' } = {}) {
  const visitor = await site.visit('/robots.txt', { settle: false, isNew: true, clock })
  const release = await holdBack(visitor.page, address)
  await visitor.page.goto(path, { waitUntil: 'commit' })
  return { ...visitor, release }
}

const scripts = '**/assets/*.js'

test('loads scripts after the images, without layout shift', async () => {
  const visitor = await visitBefore(calls.images)
  const asked = requestLog(visitor.page, '/assets/')
  await visitor.page.waitForLoadState('domcontentloaded')
  await eventually(() => visitor.page.getByText('Showing 6 posts', { exact: true }).isVisible()).toBe(true)
  const isScript = (address: string) => address.endsWith('.js')
  expect(asked.map((request) => request.url()).filter(isScript)).toEqual([])
  visitor.release()
  await settled(visitor)
  expect(asked.map((request) => request.url()).filter(isScript)).not.toEqual([])
  expect(await layoutShift(visitor.page)).toBeLessThan(0.05)
})

test('hydrates without an image that does not load', async () => {
  const visitor = await visitBefore(calls.images, { clock: true })
  await visitor.page.waitForLoadState('domcontentloaded')
  await visitor.page.clock.runFor(3_000)
  await settled(visitor)
  visitor.release()
})

test('loads a page again that could not be loaded before it was opened', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.route('**/assets/about-page-*.js', (route) => route.abort())
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'About' })
  await link.hover()
  await expectPageErrors(visitor, /about-page/)
  await page.unrouteAll()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
})

test('offers visitors to sign in, and follows the theme of other tabs, without its scripts', async () => {
  const { page, release } = await visitBefore(scripts)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor()
  await page.evaluate(() => {
    localStorage.setItem('theme', 'hc')
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  })
  expect(await page.locator('html').getAttribute('data-theme')).toBe('hc')
  release()
})

test('shows a user signed in, without waiting until they use the page', async () => {
  const { page } = await site.visit('/', { settle: false, as: asha })
  await page.getByRole('banner').locator('a[href="/create-post"]').waitFor()
})

test('searches for text that was typed before hydration', async () => {
  const visitor = await visitBefore(scripts)
  const { page } = visitor
  await page.getByLabel('Search Posts').pressSequentially('to find')
  visitor.release()
  await page.waitForURL('/?q=to+find')
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
  expect(await page.getByLabel('Search Posts').inputValue()).toBe('to find')
})

test('shows that buttons and selects wait for hydration, and replays them afterwards', async () => {
  const visitor = await visitBefore(scripts)
  const { page } = visitor
  await page.getByRole('listitem').first().hover()
  const menu = page.getByRole('button', { name: 'More actions' }).first()
  await menu.focus()
  await page.keyboard.press('Enter')
  expect(await menu.evaluate((button) => getComputedStyle(button).cursor)).toBe('progress')
  await page.getByLabel('Language').selectOption('es')
  await page.getByRole('listitem').last().hover()
  const saved = page.waitForEvent('download')
  await page.getByRole('listitem').last().getByRole('button', { name: 'Download image' }).click()
  visitor.release()
  await page.getByRole('menu').waitFor({ state: 'attached' })
  await saved
  await page.locator('html[lang=es]').waitFor()
  expect(await page.locator('[data-waiting]').count()).toBe(0)
})

test('opens an image for a click before its scripts, without a press, as screen readers send it', async () => {
  const { posts } = await asha.trpc.posts.list.query({ limit: 1 })
  const { page, release } = await visitBefore(scripts, { path: `/posts/${posts[0]?.id}` })
  await page.getByRole('link', { name: 'Original image' }).dispatchEvent('click')
  release()
  // A page that is not used loads them after 15 s.
  await page.getByRole('dialog').waitFor({ timeout: 10_000 })
})

const loads = [
  { path: '/', width: 360, as: 'member' },
  { path: '/create-post', width: 1280, as: 'visitor' },
  { path: '/create-post', width: 360, as: 'member' },
  { path: '/account', width: 360, as: 'member' },
] as const

test.each(loads)('$path loads without layout shift for a $as at $width px', async ({ path, width, as }) => {
  const { page } = await site.visit(path, {
    isNew: true,
    viewport: { width, height: 800 },
    ...(as === 'member' && { as: asha }),
  })
  if (path === '/create-post' && as === 'member') await page.getByText(/^Generated today: \d/).waitFor()
  if (path === '/account' && as === 'member') await page.getByLabel('New password').waitFor()
  await eventually(() =>
    page.locator('img:not([role=radiogroup] *)').evaluateAll((all) =>
      all.every(
        (one) =>
          one instanceof HTMLImageElement &&
          // What is far below, or at the end of a row of styles, waits to be scrolled to.
          (one.complete || !one.checkVisibility() || one.getBoundingClientRect().top > innerHeight),
      ),
    ),
  ).toBe(true)
  expect(await layoutShift(page)).toBeLessThan(0.05)
})

test('the scripts of public pages do not grow', async () => {
  const [post] = (await asha.trpc.posts.list.query({ limit: 1 })).posts
  for (const [path, most] of [
    ['/', 116],
    [`/posts/${post?.id ?? ''}`, 127],
  ] as const) {
    const html = await (await fetch(site.url + path)).text()
    const files = new Set(html.match(/\/assets\/[\w.-]+\.js/g))
    const sizes = await Promise.all(
      [...files].map(async (file) => gzipSync(await (await fetch(site.url + file)).text()).length),
    )
    const kibibytes = sizes.reduce((sum, size) => sum + size, 0) / 1024
    expect(kibibytes, path).toBeGreaterThan(60)
    expect(kibibytes, path).toBeLessThan(most)
  }
})

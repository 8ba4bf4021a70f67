import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Post } from '../shared/posts.ts'
import { authorPath, postPath } from '../shared/routes.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/browser.ts'
import { formOn, generate } from './support/form.ts'
import { useSite, type Visitor } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite({
  CONTACT: 'hello@example.org',
  RULES_FILE: path.resolve(import.meta.dirname, '../docs/engines.md'),
})
let meera: User
let post: Post

function pagePaths(): string[] {
  return [
    '/',
    '/?q=kites&sort=top',
    '/create-post',
    '/your-images',
    '/account',
    '/moderation',
    '/admin',
    '/admin/users',
    '/admin/settings',
    '/admin/webhooks',
    '/about',
    '/rules',
    '/api/v1/docs',
    postPath(post.id),
    authorPath(post.authorId),
    '/nowhere',
  ]
}

beforeAll(async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Venkataraghavan-Krishnamurthy')
  const { code } = await site.run(['account', 'make-admin', meera.email])
  expect(code).toBe(0)
  await asha.share('दीपावली की रात में जगमगाते दीये', 'हेमंत कुमार')
  await meera.share('فوانيس فوق النهر', 'ليلى')
  post = await meera.share(`Kites over Jaipur, ${'and one more, '.repeat(20)}`)
  await asha.trpc.posts.report.mutate({ id: post.id, reason: 'spam', comment: 'Are these kites?' })
})

async function goTo({ page, expectedErrors }: Visitor, pagePath: string): Promise<void> {
  expectedErrors.push(/status of 404/)
  await page.goto(pagePath)
  await page.getByRole('banner').getByRole('button', { name: 'Meera' }).waitFor()
  await eventually(() => page.getByRole('main').getByRole('progressbar').count()).toBe(0)
  await page.evaluate(() => document.fonts.ready.then(() => null))
}

/** The values of WCAG 1.4.12. */
const textSpacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`

/**
 * Returns what makes the page scroll to the side, and elements whose text is cut off although nothing marks it as shortened,
 * other than the name of the site, which the header leaves out where it has no room.
 */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const describe = (element: Element) => `${element.outerHTML.slice(0, 160)} in ${location.pathname}`
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`The page is ${scrollWidth} px wide in ${location.pathname}`)
    for (const element of document.querySelectorAll<HTMLElement>('#root *, [role=dialog] *')) {
      const style = getComputedStyle(element)
      const isHidden = style.clipPath !== 'none' || style.visibility === 'hidden' || style.opacity === '0'
      const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
      const isClipping = ['hidden', 'clip'].includes(style.overflowX) && element.innerText?.trim() !== ''
      if (isHidden || isShortened || !isClipping || element.closest('select, header a[href="/"]')) continue
      if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
        found.push(`cut: ${describe(element)}`)
    }
    return found
  })
}

/** Returns the overflow of a page as it is and with any text spacing. */
async function findAnyOverflow(page: Page): Promise<string[]> {
  const found = await findOverflow(page)
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
    document.adoptedStyleSheets = [sheet]
  }, textSpacing)
  found.push(...(await findOverflow(page)).map((line) => `with text spacing: ${line}`))
  await page.evaluate(() => (document.adoptedStyleSheets = []).length)
  return found
}

/** Returns controls that are smaller than `minimum` pixels, without links within a line of text. */
function findSmallTargets(page: Page, minimum: number): Promise<string[]> {
  return page.evaluate((size) => {
    const controls = 'a[href], button, input, select, textarea, summary, [role=menuitem]'
    const isInText = (element: Element) =>
      getComputedStyle(element).display === 'inline' && element.closest('p, td, dd, li') !== null
    const isReached = (element: Element, x: number, y: number) =>
      element.contains(document.elementFromPoint(x, y))
    /** Its target may be larger than its box. */
    const isLarge = (element: Element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const label = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') : null
      const { left, top, width, height } = (label ?? element).getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const reach = size / 2 - 1
      return (
        (width >= size || (isReached(element, x - reach, y) && isReached(element, x + reach, y))) &&
        (height >= size || (isReached(element, x, y - reach) && isReached(element, x, y + reach)))
      )
    }
    return [...document.querySelectorAll(controls)].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isHidden = !element.checkVisibility() || getComputedStyle(element).clipPath !== 'none'
      if (isHidden || width === 0 || isInText(element) || isLarge(element)) return []
      const name = element.getAttribute('aria-label') ?? element.textContent
      return [`${width} × ${height}: ${element.localName} ${name} in ${location.pathname}`]
    })
  }, minimum)
}

/** Opens all `details` of a page and returns the fields with a text of less than 16 pixels, on which Safari zooms in. */
function smallFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    const fields = document.querySelectorAll<HTMLElement>(
      'textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=hidden], [type=file], [hidden])',
    )
    return [...fields]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML)
  })
}

interface View extends BrowserContextOptions {
  readonly locale: string
  /** Size of its controls in pixels. */
  readonly minimum: number
  /** Checked by axe, too, and in Hindi at the width of 1280 pixels at 400 %. */
  readonly isWhole?: boolean
}

/** Few, as each page has to be loaded for each. */
const views: readonly View[] = [
  { locale: 'ar-EG', viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true, minimum: 44 },
  { locale: 'es-MX', viewport: { width: 640, height: 512 }, minimum: 24, isWhole: true },
]

/** Texts of controls in English. */
const english = /^(Newest|Sign Out|Create|Generate|About|Download)$/

test.each(views)(
  'every page is translated, whole, reachable and without violations in $locale',
  async ({ minimum, isWhole = false, ...options }) => {
    const visitor = await site.visit('/', { ...options, as: meera })
    const { page, context } = visitor
    const [language = ''] = options.locale.split('-')
    const found: string[] = []
    const findMistakes = async () => {
      found.push(...(await page.locator('main, header, footer').getByText(english).allTextContents()))
      found.push(...(await findAnyOverflow(page)))
    }
    for (const pagePath of pagePaths()) {
      await goTo(visitor, pagePath)
      const [lang, dir] = await page.evaluate(() => [document.documentElement.lang, document.dir])
      expect([pagePath, lang, dir]).toEqual([pagePath, language, language === 'ar' ? 'rtl' : 'ltr'])
      await findMistakes()
      found.push(...(await findSmallTargets(page, minimum)))
      if (options.hasTouch === true) found.push(...(await smallFields(page)))
      if (!isWhole) continue
      await page.getByRole('banner').locator('select:has([value=hi])').selectOption('hi')
      await page.locator('html[lang=hi]').waitFor()
      await page.setViewportSize({ width: 320, height: 256 })
      await findMistakes()
      if (options.viewport) await page.setViewportSize(options.viewport)
      // The next page is in the language of the browser.
      await context.clearCookies({ name: 'language' })
      // Pages share what surrounds `main` with one of these.
      const part = ['/', '/admin/users'].includes(pagePath) ? 'html' : 'main'
      // The rules are a text of this project whose table has an empty heading.
      if (pagePath !== '/rules') await expectNoViolations(page, part)
    }
    await context.addCookies([{ name: 'language', value: 'en', url: site.url }])
    await goTo(visitor, '/create-post')
    await page.getByRole('button', { name: 'Options', exact: true }).click()
    await generate(page, 'A lotus of the right size')
    await page.getByText('Sharing options').click()
    found.push(...(await findSmallTargets(page, minimum)))
    await formOn(page).share.waitFor()
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await page.getByRole('banner').evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
    expect(found).toEqual([])
  },
  180_000,
)

test('prints a post as its image, words, author and address', async () => {
  const { id } = await meera.share('A boat on paper')
  const { page } = await site.visit(`/posts/${id}`)
  await page.emulateMedia({ media: 'print' })
  const seen = await page.evaluate(() => document.body.innerText)
  for (const text of ['A boat on paper', 'Meera', `${site.url}/posts/${id}`]) expect(seen).toContain(text)
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('banner').count()).toBe(0)
})

test('the footer leads to the pages about the site', async () => {
  const { page } = await site.visit('/')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'About', exact: true }).click()
  const about = page.getByRole('heading', { level: 1, name: 'About Rangoli' })
  await about.waitFor()
  expect(await page.title()).toBe('About Rangoli')
  expect(await about.evaluate((heading) => heading === document.activeElement)).toBe(true)

  await footer.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /engines/i }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: /engines/i }).waitFor()
})

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import type { User } from './support/user.ts'
import { launch } from './support/server-process.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
const count = 500
let asha: User

beforeAll(async () => {
  const { code } = await launch(site.folder, ['seed', '--posts', String(count)]).finished
  expect(code).toBe(0)
  asha = await signUp(site.url)
})

interface Seen {
  /** The first post that is on the screen. */
  readonly id: string
  /** How far below the upper edge of the screen it begins, in pixels. */
  readonly top: number
  /** How far from the left one. */
  readonly left: number
}

/** The first post on the screen, once its images and places are there. */
async function lookAt(page: Page): Promise<Seen | null> {
  return page.evaluate(() => {
    for (const item of document.querySelectorAll('main li')) {
      const { top, bottom, left } = item.getBoundingClientRect()
      if (bottom > 0 && top < innerHeight) {
        return item.id === '' ? null : { id: item.id, top: Math.round(top), left: Math.round(left) }
      }
    }
    return null
  })
}

async function scrollDown(page: Page, screens: number): Promise<void> {
  // Places are kept by a part that comes after the page; until then they are the browser's own business.
  await page.waitForFunction(() => history.scrollRestoration === 'manual')
  for (let screen = 0; screen < screens; screen += 1) {
    const before = await page.evaluate(() => scrollY)
    // There may be no more below until the next page has come.
    await eventually(() =>
      page.evaluate((start) => {
        window.scrollTo({ top: start + innerHeight, behavior: 'instant' })
        return scrollY
      }, before),
    ).toBeGreaterThan(before)
  }
  await lie(page)
}

/** Until the page lies still and shows posts. */
async function lie(page: Page): Promise<Seen> {
  let last: Seen | null = null
  await eventually(async () => {
    const now = await lookAt(page)
    const isStill = now !== null && now.id === last?.id && now.top === last.top
    last = now
    return isStill
  }).toBe(true)
  if (!last) throw new Error('Nothing is seen.')
  return last
}

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const screens = [
  { name: 'a desktop', options: { viewport: { width: 1280, height: 800 } } },
  { name: 'a phone', options: phone },
]

describe.each(screens)('on $name', ({ options }) => {
  test('scrolling shows each post once, in order, and keeps few of them in the document', async () => {
    const { page } = await site.visit('/', options)
    const seen = new Map<number, string>()
    let mostNodes = 0
    const scrollOn = async () => {
      const { posts, nodes, isEnd } = await page.evaluate(() => {
        // On a phone the part of the list that is in the document is many screens long.
        window.scrollBy({ top: innerWidth < 500 ? 4 * innerHeight : innerHeight, behavior: 'instant' })
        const items = [...document.querySelectorAll('main li:not([aria-hidden])')]
        return {
          posts: items.map((item, at) => ({
            at: Number(item.getAttribute('aria-posinset') ?? at + 1),
            id: item.id,
          })),
          nodes: document.querySelectorAll('*').length,
          isEnd: [...document.querySelectorAll('main button')].every(
            (one) => one.textContent !== 'Load more',
          ),
        }
      })
      mostNodes = Math.max(mostNodes, nodes)
      for (const { at, id } of posts) {
        expect(seen.get(at) ?? id).toBe(id)
        seen.set(at, id)
      }
      return isEnd && seen.size
    }
    // Five hundred posts are more than a moment's way.
    await expect.poll(scrollOn, { timeout: 40_000, interval: 20 }).toBe(count)
    expect(mostNodes).toBeLessThan(2_500)
    expect([...seen.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(new Set(seen.values()).size).toBe(count)

    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await eventually(async () => (await lookAt(page))?.id).toBe(seen.get(1))
  })

  test('a reload comes back to the same place', async () => {
    const visitor = await site.visit('/', options)
    const { page } = visitor
    await scrollDown(page, 18)
    const place = await lie(page)
    await page.reload()
    await settled(visitor)
    await eventually(async () => (await lookAt(page))?.id).toBe(place.id)
    expect(Math.abs((await lie(page)).top - place.top)).toBeLessThan(3)
  })

  test('so does Back, from another page and from a search', async () => {
    const { page } = await site.visit('/?q=a', { ...options, as: asha })
    await scrollDown(page, 12)
    const found = await lie(page)
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
    await page.waitForURL('/')
    await scrollDown(page, 15)
    const place = await lie(page)
    await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
    await page.waitForURL('/create-post')
    await page.goBack()
    await eventually(async () => (await lookAt(page))?.id).toBe(place.id)
    expect(Math.abs((await lie(page)).top - place.top)).toBeLessThan(3)
    expect(found.id).not.toBe(place.id)
  })

  test('turning the screen keeps what is looked at', async () => {
    const { page } = await site.visit('/', options)
    await scrollDown(page, 14)
    const { id } = await lie(page)
    const { width, height } = options.viewport
    await page.setViewportSize({ width: height, height: width })
    await eventually(() =>
      page.evaluate((post) => {
        const place = document.getElementById(post)?.getBoundingClientRect()
        // It may have been seen by its last pixel.
        return place !== undefined && place.top < innerHeight && place.bottom > -24
      }, id),
    ).toBe(true)
  })
})

test('a link into the page itself leads there', async () => {
  const { page } = await site.visit('/')
  await scrollDown(page, 5)
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('/#main')
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  const top = await page.evaluate(() => document.getElementById('main')?.offsetTop ?? 0)
  await eventually(async () => Math.abs((await page.evaluate(() => scrollY)) - top) < 100).toBe(true)
})

test('Back to a search that was left in its middle finds that', async () => {
  const { page } = await site.visit('/?q=a')
  await scrollDown(page, 10)
  const place = await lie(page)
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.getByText(`Showing ${count} posts`, { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Results for a', exact: true }).waitFor()
  await eventually(async () => (await lookAt(page))?.id).toBe(place.id)
  expect(Math.abs((await lie(page)).top - place.top)).toBeLessThan(3)
})

test('without JavaScript there is a link to the next page, to the end and back', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  const seen = new Set<string>()
  for (;;) {
    for (const text of await page.locator('main li').evaluateAll((all) => all.map((one) => one.id)))
      seen.add(text)
    const next = page.getByRole('link', { name: 'Next page' })
    if ((await next.count()) === 0) break
    await next.click()
    await page.getByText(`Showing ${count} posts`, { exact: true }).waitFor()
  }
  expect(seen.size).toBe(count)
  await page.getByRole('link', { name: 'Back to the newest posts' }).click()
  await page.waitForURL('/')
})

test('a page that begins in the middle goes on from there', async () => {
  const { page: plain } = await site.visit('/', { javaScriptEnabled: false })
  const address = await plain.getByRole('link', { name: 'Next page' }).getAttribute('href')
  const { page } = await site.visit(address ?? '')
  const posts = page.locator('main li')
  const first = await posts.first().getAttribute('id')
  await scrollDown(page, 12)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await eventually(async () => (await lookAt(page))?.id).toBe(first)
  await page.getByRole('link', { name: 'Back to the newest posts' }).click()
  await page.waitForURL('/')
  await eventually(() => posts.first().getAttribute('id')).not.toBe(first)
})

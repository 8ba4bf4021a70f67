import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { insertPosts } from '../server/posts/post-queries.ts'
import { openDatabaseFile } from '../server/db/open-database.ts'
import { searchText } from '../server/text/search-text.ts'
import { seedText } from '../server/posts/seed-gallery.ts'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import type { User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
const count = 500
const imageCount = 16
let asha: User

beforeAll(async () => {
  const { code } = await site.run(['seed', '--posts', String(imageCount)])
  expect(code).toBe(0)
  await addPosts()
  asha = await signUp(site.url)
})

/** Adds posts that show the images of the first ones again, as generating an image for each takes a minute. */
async function addPosts(): Promise<void> {
  const db = await openDatabaseFile(path.join(site.folder, 'data/rangoli.db'))
  const images = await db.selectFrom('images').select('id').execute()
  const added = Array.from({ length: count - imageCount }, (_, index) => {
    const { author, name, prompt } = seedText(imageCount + index)
    return {
      id: randomUUID(),
      author_id: author,
      image_id: images[index % imageCount]?.id ?? '',
      name,
      prompt,
      search_text: searchText(name, prompt),
      created_at: Date.now(),
    }
  })
  await insertPosts(db, added)
  await db.destroy()
}

interface Seen {
  /** Element id of the first post in the viewport. */
  readonly id: string
  /** Distance from the top of the viewport, in pixels. */
  readonly top: number
  /** Distance from its left edge. */
  readonly left: number
}

/** The first post in the viewport; null while a placeholder is there. */
async function firstVisible(page: Page): Promise<Seen | null> {
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

/** Presses Load more at the end of the pages that load by themselves. */
async function loadMoreAtEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (scrollY + innerHeight < document.documentElement.scrollHeight - 10) return
    for (const button of document.querySelectorAll<HTMLElement>('main button'))
      if (button.textContent === 'Load more') button.click()
  })
}

async function scrollDown(page: Page, screens: number): Promise<void> {
  // Until the lazily loaded part of the gallery is there, the browser restores scroll positions.
  await page.waitForFunction(() => history.scrollRestoration === 'manual')
  for (let screen = 0; screen < screens; screen += 1) {
    const before = await page.evaluate(() => scrollY)
    // The next page may still be loading.
    await eventually(async () => {
      await loadMoreAtEnd(page)
      return page.evaluate((start) => {
        window.scrollTo({ top: start + innerHeight, behavior: 'instant' })
        return scrollY
      }, before)
    }).toBeGreaterThan(before)
  }
  await stable(page)
}

/** Waits until the page has stopped moving and shows posts. */
async function stable(page: Page): Promise<Seen> {
  let last: Seen | null = null
  await eventually(async () => {
    const now = await firstVisible(page)
    const isStill = now !== null && now.id === last?.id && now.top === last.top
    last = now
    return isStill
  }).toBe(true)
  if (!last) throw new Error('No post is visible.')
  return last
}

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const screens = [
  { name: 'a desktop', options: { viewport: { width: 1280, height: 800 } } },
  { name: 'a phone', options: phone },
]

test.each(screens)(
  'scrolling on $name shows each post once, in order, with a bounded document',
  async ({ options }) => {
    const { page } = await site.visit('/', options)
    const seen = new Map<number, string>()
    let mostNodes = 0
    const scrollOn = async () => {
      await loadMoreAtEnd(page)
      const { posts, nodes, isEnd } = await page.evaluate(() => {
        // On a phone the rendered part of the list is many screens long.
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
    await expect.poll(scrollOn, { timeout: 40_000, interval: 20 }).toBe(count)
    expect(mostNodes).toBeLessThan(2_500)
    expect([...seen.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(new Set(seen.values()).size).toBe(count)

    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await eventually(async () => (await firstVisible(page))?.id).toBe(seen.get(1))
  },
)

test('restores the scroll position on reload', async () => {
  const visitor = await site.visit('/', phone)
  const { page } = visitor
  await scrollDown(page, 18)
  const place = await stable(page)
  await page.reload()
  await settled(visitor)
  await eventually(async () => (await firstVisible(page))?.id).toBe(place.id)
  expect(Math.abs((await stable(page)).top - place.top)).toBeLessThan(3)
})

test('restores the scroll position on Back from another page and from a search', async () => {
  const { page } = await site.visit('/?q=a', { as: asha })
  await scrollDown(page, 12)
  const found = await stable(page)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.waitForURL('/')
  await scrollDown(page, 15)
  const place = await stable(page)
  await page.getByRole('link', { name: 'Create', exact: true }).click()
  await page.waitForURL('/create-post')
  await page.goBack()
  await eventually(async () => (await firstVisible(page))?.id).toBe(place.id)
  expect(Math.abs((await stable(page)).top - place.top)).toBeLessThan(3)
  expect(found.id).not.toBe(place.id)
})

test('keeps the visible post when the screen is rotated', async () => {
  const { page } = await site.visit('/', phone)
  await scrollDown(page, 14)
  const { id } = await stable(page)
  const { width, height } = phone.viewport
  await page.setViewportSize({ width: height, height: width })
  await eventually(() =>
    page.evaluate((post) => {
      const place = document.getElementById(post)?.getBoundingClientRect()
      // Only its last pixels may have been visible.
      return place !== undefined && place.top < innerHeight && place.bottom > -24
    }, id),
  ).toBe(true)
})

test('loading pauses after five pages, which leaves the footer in reach', async () => {
  const { page } = await site.visit('/')
  const scrollToEnd = async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    return page.getByRole('listitem').last().getAttribute('aria-posinset')
  }
  await eventually(scrollToEnd).toBe('120')
  const more = page.getByRole('button', { name: 'Load more', exact: true })
  expect(await page.getByRole('contentinfo').isVisible()).toBe(true)
  await more.click()
  await eventually(scrollToEnd).toBe('240')
})

test('paginates the whole gallery without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  const next = page.getByRole('link', { name: 'Next page' })
  const seen = new Set(await page.locator('main li').evaluateAll((all) => all.map((one) => one.id)))
  await next.click()
  await page.waitForURL(/cursor=/)
  let address = page.url()
  for (;;) {
    // The browser would also load and paint the images of each page, which takes most of the time.
    const html = await (await fetch(address)).text()
    const { ids, text, following } = await page.evaluate((source) => {
      const main = new DOMParser().parseFromString(source, 'text/html').querySelector('main')
      return {
        ids: [...(main?.querySelectorAll('li') ?? [])].map((one) => one.id),
        text: main?.textContent,
        following: main?.querySelector('a[rel=next]')?.getAttribute('href') ?? null,
      }
    }, html)
    expect(text).toContain(`Showing ${count} posts`)
    for (const id of ids) seen.add(id)
    if (following === null) break
    address = new URL(following, address).href
  }
  await page.goto(address)
  expect(await next.count()).toBe(0)
  expect(seen.size).toBe(count)
  await page.getByRole('link', { name: 'Back to the newest posts' }).click()
  await page.waitForURL('/')
})

test('scrolls on from a page that starts at a cursor', async () => {
  const { page: plain } = await site.visit('/', { javaScriptEnabled: false })
  const address = await plain.getByRole('link', { name: 'Next page' }).getAttribute('href')
  const { page } = await site.visit(address ?? '')
  const posts = page.locator('main li')
  const first = await posts.first().getAttribute('id')
  await scrollDown(page, 12)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await eventually(async () => (await firstVisible(page))?.id).toBe(first)
  await page.getByRole('link', { name: 'Back to the newest posts' }).click()
  await page.waitForURL('/')
  await eventually(() => posts.first().getAttribute('id')).not.toBe(first)
})

import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openDatabaseFile } from '../server/db/open-database.ts'
import { insertPosts } from '../server/posts/post-queries.ts'
import { seedText } from '../server/posts/seed-gallery.ts'
import { searchText } from '../server/text/search-text.ts'
import { eventually, expectPageErrors } from './support/browser.ts'
import { calls } from './support/network.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite({ DAILY_POST_LIMIT: '1000' })
const count = 140
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

test('scrolling shows each post once, in order, with a bounded document', async () => {
  const { page } = await site.visit('/')
  const seen = new Map<number, string>()
  let mostNodes = 0
  const scrollOn = async () => {
    await loadMoreAtEnd(page)
    const { posts, nodes, isEnd } = await page.evaluate(() => {
      window.scrollBy({ top: innerHeight, behavior: 'instant' })
      const items = [...document.querySelectorAll('main li:not([aria-hidden])')]
      return {
        posts: items.map((item, at) => ({
          at: Number(item.getAttribute('aria-posinset') ?? at + 1),
          id: item.id,
        })),
        nodes: document.querySelectorAll('*').length,
        isEnd: [...document.querySelectorAll('main button')].every((one) => one.textContent !== 'Load more'),
      }
    })
    mostNodes = Math.max(mostNodes, nodes)
    for (const { at, id } of posts) {
      expect(seen.get(at) ?? id).toBe(id)
      seen.set(at, id)
    }
    return isEnd && seen.size
  }
  await expect.poll(scrollOn, { interval: 20 }).toBe(count)
  expect(mostNodes).toBeLessThan(2_800)
  expect([...seen.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  expect(new Set(seen.values()).size).toBe(count)

  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await eventually(async () => (await firstVisible(page))?.id).toBe(seen.get(1))
})

test('restores the scroll position on Back from another page and from a search', async () => {
  const { page } = await site.visit('/?q=a', { as: asha })
  await scrollDown(page, 6)
  const found = await stable(page)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.waitForURL('/')
  await scrollDown(page, 9)
  const place = await stable(page)
  await page.getByRole('link', { name: 'Create', exact: true }).click()
  await page.waitForURL('/create-post')
  await page.goBack()
  await eventually(async () => (await firstVisible(page))?.id).toBe(place.id)
  expect(Math.abs((await stable(page)).top - place.top)).toBeLessThan(3)
  expect(found.id).not.toBe(place.id)
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
  await eventually(scrollToEnd).toBe(String(count))
})

test('paginates the gallery without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  const idsOn = () => page.locator('main li').evaluateAll((all) => all.map(({ id }) => id))
  const first = await idsOn()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/cursor=/)
  await page.getByText(`Showing ${count} posts`, { exact: true }).waitFor()
  expect((await idsOn()).filter((id) => first.includes(id))).toEqual([])
  await page.getByRole('link', { name: 'Back to the newest posts' }).click()
  await page.waitForURL('/')
})

test('Load more retries a page that failed to load', async () => {
  const visitor = await site.visit('/', { viewport: { width: 400, height: 400 } })
  const { page } = visitor
  await page.route(calls.list, (route) => route.abort())
  const images = page.getByRole('listitem').locator('img')
  const before = await images.count()
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded()
  const failure = page.getByRole('alert').filter({ hasText: /\w/ })
  await failure.waitFor()
  expect(await images.count()).toBe(before)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.unroute(calls.list)
  await page.getByRole('button', { name: 'Load more' }).click()
  await eventually(() => images.count()).toBeGreaterThan(before)
  await eventually(() => failure.count()).toBe(0)
})

// Last, because it adds posts.
test('announces new posts with a button and does not move the page', async () => {
  const { page } = await site.visit('/', { clock: true })
  const images = page.locator('main article h2 a')
  await images.nth(14).scrollIntoViewIfNeeded()
  const before = await images.first().getByRole('img').getAttribute('alt')
  const place = await images.nth(14).boundingBox()
  await asha.share('A boat at dawn')
  await asha.share('A boat at dusk')
  await page.clock.runFor(91_000)
  const button = page.getByRole('button', { name: '2 new posts', exact: true })
  await button.waitFor()
  expect(await images.first().getByRole('img').getAttribute('alt')).toBe(before)
  expect(await images.nth(14).boundingBox()).toEqual(place)
  await button.press('Enter')
  await eventually(() => images.first().getByRole('img').getAttribute('alt')).toBe('A boat at dusk')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await eventually(() => button.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1')
})

import type { Locator, Page, Request } from 'playwright-core'
import { eventually, type TestPage } from './browser.ts'

/** URL patterns of requests, for `page.route`. */
export const calls = {
  viewer: '**/trpc/viewer*',
  list: '**/trpc/posts.list*',
  share: '**/trpc/posts.create*',
  generate: '**/trpc/images.generate*',
  images: '**/uploads/**',
  downloads: '**/api/*/*/download',
} as const

/** Delays requests until the returned function is called. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Clicks a button twice before its request is answered, so that the second click cannot meet what a dialog covered. */
export async function doubleClick(page: Page, button: Locator, address: string): Promise<void> {
  const release = await holdBack(page, address)
  await button.dblclick()
  release()
}

/** Records requests whose path contains `part`. */
export function requestLog(page: Page, part: string): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.includes(part)) requests.push(request)
  })
  return requests
}

/** Ends the delays between attempts to generate, which take four seconds, by online events, until the page alerts. */
export async function retryAtOnce({ page, alerts }: TestPage): Promise<void> {
  await eventually(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    return alerts.length
  }).toBeGreaterThan(0)
}

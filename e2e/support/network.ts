import type { Page, Request } from 'playwright-core'

/** URL patterns of requests, for `page.route`. */
export const calls = {
  list: '**/trpc/posts.list*',
  share: '**/trpc/posts.create*',
  delete: '**/trpc/posts.delete*',
  generate: '**/trpc/images.generate*',
  images: '**/uploads/**',
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

/** Records requests whose path contains `part`. */
export function requestLog(page: Page, part: string): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.includes(part)) requests.push(request)
  })
  return requests
}

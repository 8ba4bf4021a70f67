import type { Page, Request } from 'playwright-core'

/** Addresses of calls, for `page.route`. */
export const calls = {
  list: '**/trpc/posts.list*',
  share: '**/trpc/posts.create*',
  delete: '**/trpc/posts.delete*',
  generate: '**/trpc/images.generate*',
  images: '**/uploads/**',
} as const

/** Keeps requests from reaching the server until the returned function is called. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** The requests whose path contains `part`, from now on. */
export function requestLog(page: Page, part: string): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.includes(part)) requests.push(request)
  })
  return requests
}

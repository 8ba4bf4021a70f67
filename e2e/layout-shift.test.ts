import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './kit/expectations.ts'
import { signUp, type Person } from './kit/person.ts'
import { useSite } from './kit/site.ts'

const site = useSite()
let asha: Person

beforeAll(async () => {
  asha = await signUp(site.url)
  for (const number of [1, 2, 3, 4, 5, 6]) await asha.share(`Kites over Jaipur, number ${number}`)
})

/** How far things jumped since the page began to load, as the browser sums it up. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
      }),
  )
}

const loads = [
  { path: '/', width: 1280, as: 'visitor' },
  { path: '/', width: 1280, as: 'member' },
  { path: '/', width: 360, as: 'member' },
  { path: '/create-post', width: 1280, as: 'visitor' },
  { path: '/create-post', width: 1280, as: 'member' },
  { path: '/create-post', width: 360, as: 'member' },
] as const

test.each(loads)(
  'nothing jumps while $path loads for a $as at $width pixels',
  async ({ path, width, as }) => {
    const { page } = await site.visit(path, {
      viewport: { width, height: 800 },
      ...(as === 'member' && { as: asha }),
    })
    if (path === '/create-post' && as === 'member') await page.getByText(/^Generated today: \d/).waitFor()
    await eventually(() =>
      page
        .locator('img')
        .evaluateAll((all) => all.every((one) => one instanceof HTMLImageElement && one.complete)),
    ).toBe(true)
    expect(await layoutShift(page)).toBeLessThan(0.05)
  },
)

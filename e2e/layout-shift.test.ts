import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { layoutShift } from './support/page-inspection.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url)
  for (const number of [1, 2, 3, 4, 5, 6]) await asha.share(`Kites over Jaipur, number ${number}`)
})

const loads = [
  { path: '/', width: 1280, as: 'visitor' },
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
    page.locator('img').evaluateAll((all) =>
      all.every(
        (one) =>
          one instanceof HTMLImageElement &&
          // What is far below waits to be scrolled to.
          (one.complete || one.getBoundingClientRect().top > innerHeight),
      ),
    ),
  ).toBe(true)
  expect(await layoutShift(page)).toBeLessThan(0.05)
})

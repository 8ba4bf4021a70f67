import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import type { User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite({ DAILY_POST_LIMIT: '1000' })
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url)
  for (let number = 1; number <= 60; number += 1) await asha.share(`Kite ${number}`)
})

test('announces new posts with a button and does not move the page', async () => {
  const { page } = await site.visit('/', { clock: true })
  const images = page.locator('main li img')
  await images.nth(14).scrollIntoViewIfNeeded()
  const before = await images.first().getAttribute('alt')
  const place = await images.nth(14).boundingBox()
  await asha.share('A boat at dawn')
  await asha.share('A boat at dusk')
  await page.clock.runFor(91_000)
  const button = page.getByRole('button', { name: '2 new posts', exact: true })
  await button.waitFor()
  expect(await images.first().getAttribute('alt')).toBe(before)
  expect(await images.nth(14).boundingBox()).toEqual(place)
  expect(await findViolations(page)).toEqual([])
  await button.press('Enter')
  await eventually(() => images.first().getAttribute('alt')).toBe('A boat at dusk')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await eventually(() => button.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1')
})

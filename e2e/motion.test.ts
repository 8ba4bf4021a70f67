import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { formOn } from './support/form.ts'
import { opacityOf, outlineOf } from './support/page-inspection.ts'
import { calls, holdBack } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url)
  await asha.share('A lotus at dawn')
})

/** What moves right now, or would if something changed, for longer than a millisecond. */
function movements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLong = (times: string) =>
      times.split(',').some((time) => Number.parseFloat(time) > (time.includes('ms') ? 1 : 0.001))
    return [...document.querySelectorAll('*')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
      const moves = (animationName !== 'none' && isLong(animationDuration)) || isLong(transitionDuration)
      return moves ? [element.outerHTML.slice(0, 100)] : []
    })
  })
}

test('who wants less motion gets none', async () => {
  const { page } = await site.visit('/', { reducedMotion: 'reduce' })
  expect(await movements(page)).toEqual([])
  const release = await holdBack(page, calls.list)
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByRole('progressbar').waitFor()
  expect(await movements(page)).toEqual([])
  release()
  await openDialog(page)
  expect(await movements(page)).toEqual([])
})

test('the form does not move either, not even while it waits', async () => {
  const { page } = await site.visit('/create-post', { as: asha, reducedMotion: 'reduce' })
  const release = await holdBack(page, calls.generate)
  await formOn(page).prompt.fill('A lotus')
  await formOn(page).generate.click()
  await formOn(page).spinner.waitFor()
  expect(await movements(page)).toEqual([])
  release()
  await formOn(page).share.waitFor()
})

test('in forced colours the overlay stands on a plain ground, and the focus is seen', async () => {
  const { page } = await site.visit('/', { forcedColors: 'active' })
  await page.getByLabel('Search Posts').focus()
  expect((await outlineOf(page.getByLabel('Search Posts'))).width).toBeGreaterThanOrEqual(2)
  await page.keyboard.press('Tab')
  const button = page.getByRole('button', { name: 'Download image' })
  expect(await outlineOf(button)).toMatchObject({ style: expect.not.stringMatching('none') as string })
  const prompt = page.getByText('A lotus at dawn', { exact: true })
  await eventually(() => opacityOf(prompt)).toBe(1)
  const ground = await prompt.evaluate((element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(one)
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return { backgroundColor, backgroundImage }
    }
    return null
  })
  expect(ground?.backgroundImage).toBe('none')
  expect(ground?.backgroundColor).toMatch(/^rgb\(/)
})

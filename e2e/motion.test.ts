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

/** Elements with an animation or a transition of more than a millisecond. */
function animatedElements(page: Page): Promise<string[]> {
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

test('does not animate the gallery and the sign-in dialog with reduced motion', async () => {
  const { page } = await site.visit('/', { reducedMotion: 'reduce' })
  expect(await animatedElements(page)).toEqual([])
  const release = await holdBack(page, calls.list)
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByRole('progressbar').waitFor()
  expect(await animatedElements(page)).toEqual([])
  release()
  await openDialog(page)
  expect(await animatedElements(page)).toEqual([])
})

test('does not animate the create form with reduced motion, even while generating', async () => {
  const { page } = await site.visit('/create-post', { as: asha, reducedMotion: 'reduce' })
  const release = await holdBack(page, calls.generate)
  await formOn(page).prompt.fill('A lotus')
  await formOn(page).generate.click()
  await formOn(page).spinner.waitFor()
  expect(await animatedElements(page)).toEqual([])
  release()
  await formOn(page).share.waitFor()
})

test('shows the overlay on a solid background and a visible focus in forced colors', async () => {
  const { page } = await site.visit('/', { forcedColors: 'active' })
  await page.getByLabel('Search Posts').focus()
  expect((await outlineOf(page.getByLabel('Search Posts'))).width).toBeGreaterThanOrEqual(2)
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('Tab')
  const link = page.getByRole('link', { name: 'A lotus at dawn' })
  expect(await outlineOf(link)).toMatchObject({ style: expect.not.stringMatching('none') as string })
  const prompt = page.getByText('A lotus at dawn', { exact: true })
  await eventually(() => opacityOf(prompt)).toBe(1)
  const background = await prompt.evaluate((element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(one)
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return { backgroundColor, backgroundImage }
    }
    return null
  })
  expect(background?.backgroundImage).toBe('none')
  expect(background?.backgroundColor).toMatch(/^rgb\(/)
})

import { expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn } from './support/form.ts'
import { signUp } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

test.each(['हिरण्यगर्भपुरुषोत्तमनारायणस्वामीगोपालकृष्णन'])(
  'fits the long name %s at a width of 360 pixels',
  async (name) => {
    const { page } = await site.visit('/', {
      as: await signUp(site.url, name),
      viewport: { width: 360, height: 640 },
    })
    await page.getByRole('banner').getByText(name).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    for (const control of [
      page.getByRole('banner').getByRole('link', { name: 'Create' }),
      page.getByRole('banner').getByRole('button', { name }),
    ]) {
      const box = await control.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    }
  },
)

test('signs out in every tab, using only the keyboard', async () => {
  const visitor = await site.visit('/', { as: await signUp(site.url, 'Asha Rao') })
  const { page } = visitor
  const other = await visitor.openTab('/create-post')
  await formOn(other.page).prompt.waitFor()
  await page.bringToFront()
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).focus()
  await page.keyboard.press('Enter')
  const signOut = page.getByRole('menuitem', { name: 'Sign Out', exact: true })
  await signOut.waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => signOut.count()).toBe(0)
  await eventually(() => focused(page)).toContain('Asha')
  await page.keyboard.press('ArrowDown')
  await signOut.waitFor()
  for (let presses = 0; !(await signOut.evaluate((item) => item === document.activeElement)); presses += 1) {
    expect(presses).toBeLessThan(10)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await page.getByRole('banner').getByRole('link', { name: 'Create' }).count()).toBe(0)
  await other.page.bringToFront()
  await other.page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await formOn(other.page).prompt.count()).toBe(0)
  expect(await visitor.context.cookies()).toEqual([])
})

test('reports a sign-out that does not reach the server', async () => {
  const visitor = await site.visit('/', { as: await signUp(site.url, 'Asha Rao') })
  await visitor.page.route('**/api/auth/**', (route) => route.abort())
  await visitor.page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
  await visitor.page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expectAlert(visitor, /could not be signed out/)
  await expectPageErrors(visitor, /net::ERR_FAILED|could not sign out/)
  await settled(visitor)
  expect(await visitor.page.getByRole('banner').getByRole('button', { name: 'Asha' }).count()).toBe(1)
})

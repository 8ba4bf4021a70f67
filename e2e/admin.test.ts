import { beforeAll, describe, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { launch } from './support/server-process.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User
let meera: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await launch(site.folder, ['account', 'make-admin', meera.email]).finished
  expect(code).toBe(0)
})

describe("the operator's page", () => {
  test('is in the menu of administrators only', async () => {
    const member = (await site.visit('/', { as: asha })).page
    await member.getByRole('button', { name: 'Asha' }).click()
    await member.getByRole('menuitem', { name: 'Your account' }).waitFor()
    expect(await member.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)

    const { page } = await site.visit('/', { as: meera })
    await page.getByRole('button', { name: 'Meera' }).click()
    await page.getByRole('menuitem', { name: 'Administration' }).click()
    await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor()
    await eventually(() => focused(page)).toBe('Administration')
    expect(await page.title()).toMatch(/^Administration — /)
    await page.getByRole('heading', { level: 2, name: 'Overview' }).waitFor()
    await expectNoViolations(page)
  })

  test('tells members and visitors that it is for administrators', async () => {
    const member = (await site.visit('/admin', { as: asha })).page
    await member.getByText('This page is for administrators of this site.').waitFor()
    expect(await member.getByRole('navigation', { name: 'Administration' }).count()).toBe(0)
    const visitor = (await site.visit('/admin')).page
    await visitor.getByText('so you need to be signed in to see it').waitFor()
    await visitor.getByRole('main').getByRole('button', { name: 'Sign In' }).waitFor()
  })
})

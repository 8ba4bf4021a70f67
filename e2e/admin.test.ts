import { beforeAll, describe, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { doubleClick } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User
let meera: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await site.run(['account', 'make-admin', meera.email])
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

describe('announcements', () => {
  test('an administrator publishes one; a visitor dismisses it, also before the first paint of later pages', async () => {
    const { page } = await site.visit('/admin/announcements', { as: meera })
    await page.getByRole('button', { name: 'New announcement' }).click()
    const dialog = page.getByRole('dialog', { name: 'New announcement' })
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('Please write what to announce.').waitFor()
    await dialog.getByLabel('Text').fill('Maintenance tonight from 20:00')
    await dialog.getByLabel('Warning', { exact: true }).check()
    await dialog.getByLabel('Link (optional)').fill('/about')
    await expectNoViolations(page)
    await doubleClick(
      page,
      dialog.getByRole('button', { name: 'Publish' }),
      '**/trpc/admin.announcements.save*',
    )
    await eventually(() => dialog.count()).toBe(0)
    // At once on the page itself.
    await page
      .getByRole('region', { name: 'Messages of this site' })
      .getByText('Maintenance tonight')
      .waitFor()
    expect(await page.getByRole('main').getByText('Maintenance tonight').count()).toBe(1)
    await expectNoViolations(page)

    const visitor = await site.visit('/')
    const banner = visitor.page.getByRole('region', { name: 'Messages of this site' })
    await banner.getByText('Maintenance tonight').waitFor()
    expect(await banner.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe('/about')
    await expectNoViolations(visitor.page)
    await banner.getByRole('button', { name: 'Dismiss' }).click()
    await eventually(() => banner.count()).toBe(0)

    await visitor.page.addInitScript(() => {
      const seen: boolean[] = []
      Object.assign(window, { seen })
      const look = () => {
        const element = document.querySelector('[data-announcement]')
        if (element) seen.push(element.getBoundingClientRect().height > 0)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await visitor.page.goto('/about')
    await eventually(() => banner.count()).toBe(0)
    expect(await visitor.page.evaluate(() => (window as unknown as { seen: boolean[] }).seen)).not.toContain(
      true,
    )
  })

  test('the audit log says in words what administrators did', async () => {
    const { page } = await site.visit('/admin', { as: meera })
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { level: 2, name: 'Audit log' }).waitFor()
    await eventually(() => focused(page)).toBe('Audit log')
    await page.getByText('Meera published an announcement.').waitFor()
    await page.getByLabel('Show').selectOption({ label: 'Users' })
    await eventually(() => page.getByText('Meera published an announcement.').count()).toBe(0)
  })
})

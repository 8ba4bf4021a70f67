import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User
let ravi: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  ravi = await signUp(site.url, 'Ravi Kumar')
})

test('the bell counts what is new, opening it marks it as read in every tab, and settings switch kinds off', async () => {
  const { id } = await asha.share('A lotus at dawn')
  await asha.trpc.notifications.markRead.mutate({ until: new Date().toISOString() })
  await ravi.trpc.posts.like.mutate({ id })
  const { page, openTab } = await site.visit('/about', { as: asha })
  const other = await openTab('/about')
  const bell = page.getByRole('button', { name: 'Notifications 1 unread' })
  await other.page.getByRole('button', { name: 'Notifications 1 unread' }).waitFor()

  await bell.click()
  const latest = page.getByRole('dialog', { name: 'Notifications' })
  const entry = latest.getByRole('link', { name: /Ravi.* liked “A lotus at dawn”/ })
  expect(await entry.textContent()).toContain('Unread')
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await other.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => latest.isVisible()).toBe(false)

  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await latest.getByRole('link', { name: 'All notifications' }).click()
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  await eventually(() => latest.isVisible()).toBe(false)
  await page.getByRole('heading', { level: 2, name: 'Today' }).waitFor()
  const listed = page.getByRole('main').getByRole('link', { name: /Ravi.* liked/ })
  expect(await listed.textContent()).not.toContain('Unread')

  // Without SMTP there is no column for mails, and without the service worker none for pushes.
  await eventually(() => page.getByRole('columnheader').allTextContents()).toEqual(['Event', 'Here'])
  await page.getByRole('checkbox', { name: 'Likes: Here' }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.getByText('Nothing yet.').waitFor()
  expect(await page.getByRole('checkbox', { name: 'Likes: Here' }).isChecked()).toBe(false)
})

test('visitors see why they need an account', async () => {
  const { page } = await site.visit('/notifications')
  await page.getByText('you need to be signed in to see them').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).waitFor()
})

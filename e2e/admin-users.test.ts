import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { doubleClick } from './support/network.ts'
import { dialogOn, focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite()
let meera: User

beforeAll(async () => {
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await site.run(['account', 'make-admin', meera.email])
  expect(code).toBe(0)
})

/** The section, and the row of a user in it. */
async function openUsers(name = '') {
  const visitor = await site.visit(`/admin/users${name && `?q=${encodeURIComponent(name)}`}`, { as: meera })
  const { page } = visitor
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
  const row = rows.filter({ hasText: name })
  return { ...visitor, rows, row }
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await row.getByRole('button', { name: 'More actions' }).click()
  await row.getByRole('menuitem', { name: action, exact: true }).click()
}

const toast = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' })

test('an administrator finds a user while typing, and the address keeps the search', async () => {
  await signUp(site.url, 'आशा राव')
  const { page, rows } = await openUsers()
  await page.getByRole('heading', { name: 'Users', level: 2 }).waitFor()
  await rows.filter({ hasText: meera.email }).getByText('You', { exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Search users' }).fill('आशा')
  await page.getByText('1 user matches.', { exact: true }).waitFor()
  await eventually(() => rows.count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('q')).toBe('आशा')
  await page.reload()
  await page.getByText('1 user matches.', { exact: true }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Search users' }).inputValue()).toBe('आशा')
  await expectNoViolations(page)
  await page.getByRole('searchbox', { name: 'Search users' }).fill('no such user')
  await page.getByText('No user matches.', { exact: true }).waitFor()
  await expectNoViolations(page)
})

test('a blocked user is signed out, and told so at the next sign-in', async () => {
  const ravi = await signUp(site.url, 'Ravi Shah')
  const visitor = await site.visit('/create-post', { as: ravi })
  const { page, row } = await openUsers('Ravi Shah')
  await choose(page, 'Ravi Shah', 'Block')
  const question = page.getByRole('alertdialog', { name: 'Block Ravi Shah?' })
  await expectNoViolations(page)
  await doubleClick(
    page,
    question.getByRole('button', { name: 'Block', exact: true }),
    '**/trpc/admin.users.update*',
  )
  await toast(page, 'The user is blocked.')
  await row.getByText('Blocked', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('More actions')

  await visitor.page.reload()
  await visitor.page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  const parts = dialogOn(visitor.page)
  await parts.email.fill(ravi.email)
  await parts.password.fill(password)
  await parts.signIn.click()
  await parts.dialog.getByText('An administrator has blocked this account.').waitFor()
  await expectPageErrors(visitor, /403/)

  await choose(page, 'Ravi Shah', 'Unblock')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock', exact: true }).click()
  // The rows behind the dialog have no role while it is open.
  await toast(page, 'The user is no longer blocked.')
  await eventually(() => row.getByText('Blocked', { exact: true }).count()).toBe(0)
  await parts.signIn.click()
  await visitor.page.getByRole('banner').getByRole('button', { name: 'Ravi' }).waitFor()
})

test('a moderator sees the reports, but neither deletes posts of others nor sees the operator’s page', async () => {
  const lila = await signUp(site.url, 'Lila Das')
  await lila.trpc.viewer.query()
  const asha = await signUp(site.url, 'Asha Rao')
  const post = await asha.share('A disputed lamp')
  await meera.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
  const { page, row } = await openUsers('Lila Das')
  await choose(page, 'Lila Das', 'Change role')
  const dialog = page.getByRole('dialog', { name: 'Role of Lila Das' })
  await dialog.getByRole('radio', { name: 'Moderator' }).check()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'The role is saved.')
  await row.getByText('Moderator', { exact: true }).waitFor()

  const moderator = await site.visit('/', { as: lila })
  await moderator.page.getByRole('banner').getByRole('button', { name: 'Lila' }).click()
  await moderator.page.getByRole('menuitem', { name: 'Reports 1 waiting', exact: true }).waitFor()
  expect(await moderator.page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
  await moderator.page.getByRole('menuitem', { name: 'Reports 1 waiting', exact: true }).click()
  const entry = moderator.page.getByRole('main').getByRole('listitem').filter({ hasText: 'A disputed lamp' })
  await entry.first().getByRole('button', { name: 'Dismiss the report', exact: true }).waitFor()
  expect(await entry.first().getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
  await entry.first().getByRole('button', { name: 'Dismiss the report', exact: true }).click()
  await moderator.page.getByText('Nothing to review.', { exact: true }).waitFor()
  await moderator.page.goto(`${site.url}/admin/users`)
  await moderator.page.getByText('This page is for administrators of this site.').waitFor()
})

test('an administrator sets an own daily limit, and corrects a wrong number', async () => {
  const asha = await signUp(site.url, 'Asha of the limit')
  const { page, row } = await openUsers('Asha of the limit')
  await choose(page, 'Asha of the limit', 'Daily image limit')
  const dialog = page.getByRole('dialog', { name: 'Daily image limit of Asha of the limit' })
  const field = dialog.getByRole('textbox', { name: 'Images per day' })
  await field.fill('-3')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Enter a whole number from 0 to 1,000,000, or nothing.').waitFor()
  await expectNoViolations(page)
  await field.fill('3')
  await field.press('Enter')
  await row.getByText('3 images a day', { exact: true }).waitFor()
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 3 })
})

test('signs a user out everywhere, and deletes the account with its posts', async () => {
  const asha = await signUp(site.url, 'Asha to be gone')
  const post = await asha.share('A lotus to be gone')
  const { page, rows } = await openUsers('to be gone')
  await choose(page, 'Asha to be gone', 'Sign out everywhere')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await toast(page, 'The user is signed out everywhere.')
  await expect(asha.trpc.images.quota.query()).rejects.toThrow('Please sign in first.')
  await choose(page, 'Asha to be gone', 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete Asha to be gone?' })
  await dialog.getByRole('radio', { name: 'Delete the posts too' }).check()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No user matches.', { exact: true }).waitFor()
  expect(await rows.count()).toBe(0)
  await eventually(() => focused(page)).toBe('No user matches.')
  expect((await fetch(`${site.url}/posts/${post.id}`)).status).toBe(404)
})

test('offers administrators nothing that would lock them out', async () => {
  const { page, row } = await openUsers(meera.email)
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem').first().waitFor()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Daily image limit',
    'Sign out everywhere',
  ])
})

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/browser.ts'
import { doubleClick } from './support/network.ts'
import { dialogOn, focused, openDialog } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User
let meera: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await site.run(['account', 'make-admin', meera.email])
  expect(code).toBe(0)
})

test('the page of the operator is in the menu of administrators only', async () => {
  const member = (await site.visit('/', { as: asha })).page
  await member.getByRole('button', { name: 'Asha' }).click()
  await member.getByRole('menuitem', { name: 'Your account' }).waitFor()
  expect(await member.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)

  const { page } = await site.visit('/', { as: meera })
  await page.getByRole('button', { name: 'Meera' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await eventually(() => focused(page)).toBe('Overview')
  expect(await page.title()).toMatch(/^Administration — /)
})

test('an administrator finds a user while typing, and the address keeps the search', async () => {
  await signUp(site.url, 'आशा राव')
  const { page } = await site.visit('/admin/users', { as: meera })
  const rows = rowsOn(page)
  await rows.filter({ hasText: meera.email }).getByText('You', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await page.getByRole('columnheader', { name: 'Email' }).and(page.locator('[aria-sort=ascending]')).waitFor()
  await eventually(() => rows.first().getByRole('rowheader').textContent()).toBe('Asha Rao')
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await eventually(() => rows.first().getByRole('rowheader').textContent()).not.toBe('Asha Rao')
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill('आशा')
  await page.getByText('1 user matches.', { exact: true }).waitFor()
  await eventually(() => rows.count()).toBe(1)
  await page.reload()
  await page.getByText('1 user matches.', { exact: true }).waitFor()
  expect(await search.inputValue()).toBe('आशा')
  await eventually(() => rows.count()).toBe(1)
  await rows.click()
  const drawer = page.getByRole('dialog', { name: 'आशा राव' })
  await drawer.getByText('Limit of the site').waitFor()
  await page.goBack()
  await eventually(() => drawer.count()).toBe(0)
  await eventually(() => focused(page)).toBe('आशा राव')
  await page.keyboard.press('Enter')
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => drawer.count()).toBe(0)
  await eventually(() => focused(page)).toBe('आशा राव')
})

/** Rows of the table of users. */
const rowsOn = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })

test('an administrator limits, blocks, unblocks and deletes a user', async () => {
  const ravi = await signUp(site.url, 'Ravi Shah')
  const post = await ravi.share('A lotus to be gone')
  const visitor = await site.visit('/create-post', { as: ravi })
  const { page } = await site.visit('/admin/users?q=Ravi+Shah', { as: meera })
  const row = rowsOn(page)
  await row.click()
  const drawer = page.getByRole('dialog', { name: 'Ravi Shah' })
  const choose = (action: string) => drawer.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /limit of|Delete Ravi/ })
  const question = page.getByRole('alertdialog')

  await choose('Daily image limit')
  const field = dialog.getByRole('textbox', { name: 'Images per day' })
  await field.fill('-3')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Enter a whole number from 0 to 1,000,000.').waitFor()
  await field.fill('3')
  await field.press('Enter')
  await drawer.getByText('3 images a day', { exact: true }).waitFor()
  expect(await ravi.trpc.images.quota.query()).toMatchObject({ limit: 3 })

  await choose('Block')
  await doubleClick(
    page,
    question.getByRole('button', { name: 'Block', exact: true }),
    '**/trpc/admin.users.update*',
  )
  await drawer.getByText('Blocked', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('Unblock')
  await visitor.page.reload()
  const parts = await openDialog(visitor.page)
  await parts.email.fill(ravi.email)
  await parts.password.fill(password)
  await parts.signIn.click()
  await parts.dialog.getByText('An administrator has blocked this account.').waitFor()
  await expectPageErrors(visitor, /403/)

  await choose('Unblock')
  await question.getByRole('button', { name: 'Unblock', exact: true }).click()
  await eventually(() => drawer.getByText('Blocked', { exact: true }).count()).toBe(0)
  await parts.signIn.click()
  await visitor.page.getByRole('banner').getByRole('button', { name: 'Ravi' }).waitFor()

  await choose('Delete')
  await dialog.getByRole('radio', { name: 'Delete the posts too' }).check()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No user matches.', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('No user matches.')
  expect((await fetch(`${site.url}/posts/${post.id}`)).status).toBe(404)
})

test('a moderator sees the reports, but neither deletes posts of others nor sees the operator’s page', async () => {
  const lila = await signUp(site.url, 'Lila Das')
  const post = await asha.share('A disputed lamp')
  await meera.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
  const { page } = await site.visit('/admin/users?q=Lila+Das', { as: meera })
  await rowsOn(page).click()
  await page.getByRole('button', { name: 'Change role', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Role of Lila Das' })
  await dialog.getByRole('radio', { name: 'Moderator' }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: /^Lila/ }).getByText('Moderator', { exact: true }).waitFor()

  const moderator = (await site.visit('/', { as: lila })).page
  await moderator.getByRole('banner').getByRole('button', { name: 'Lila' }).click()
  expect(await moderator.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
  await moderator.getByRole('menuitem', { name: 'Reports 1 waiting', exact: true }).click()
  await moderator.getByRole('link', { name: 'Reports 1 waiting', exact: true }).waitFor()
  expect(await moderator.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
  const entry = moderator.getByRole('region', { name: 'Post of Asha Rao' })
  const dismiss = entry.getByRole('button', { name: 'Dismiss the report', exact: true })
  await dismiss.waitFor()
  expect(await entry.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
  await dismiss.click()
  await moderator.getByText('Nothing to review.', { exact: true }).waitFor()
  await moderator.goto(`${site.url}/admin/users`)
  await moderator.getByText('This page is for administrators of this site.').waitFor()
})

test('an administrator publishes an announcement; a visitor dismisses it, also before the first paint of later pages', async () => {
  const { page } = await site.visit('/admin/announcements', { as: meera })
  await page.getByRole('button', { name: 'New announcement' }).click()
  const dialog = page.getByRole('dialog', { name: 'New announcement' })
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.getByText('Please write what to announce.').waitFor()
  await dialog.getByLabel('Text').fill('Maintenance tonight from 20:00')
  await dialog.getByLabel('Warning', { exact: true }).check()
  await dialog.getByLabel('Link (optional)').fill('/about')
  await doubleClick(
    page,
    dialog.getByRole('button', { name: 'Publish' }),
    '**/trpc/admin.announcements.save*',
  )
  await eventually(() => dialog.count()).toBe(0)
  // At once on the page itself.
  await page.getByRole('region', { name: 'Messages of this site' }).getByText('Maintenance tonight').waitFor()
  expect(await page.getByRole('main').getByText('Maintenance tonight').count()).toBe(1)

  const visitor = await site.visit('/')
  const banner = visitor.page.getByRole('region', { name: 'Messages of this site' })
  await banner.getByText('Maintenance tonight').waitFor()
  expect(await banner.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe('/about')
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

  await page.getByRole('main').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await eventually(() => focused(page)).toBe('New announcement')
  // The audit log says it in words.
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await eventually(() => focused(page)).toBe('Audit log')
  await page.getByText('Meera published an announcement.').waitFor()
  await page.getByLabel('Show').selectOption({ label: 'Users' })
  await eventually(() => page.getByText('Meera published an announcement.').count()).toBe(0)
})

test('texts of the appearance that are not saved stay while those of another language are shown', async () => {
  const { page } = await site.visit('/admin/appearance', { as: meera })
  const name = page.getByRole('textbox', { name: 'Name of the site' })
  await name.fill('Kolam House')
  for (const label of ['हिन्दी', 'All languages']) await page.getByLabel('Texts in').selectOption({ label })
  expect(await name.inputValue()).toBe('Kolam House')
})

test('an administrator restricts sign-up to invitations, and a guest joins by a link that works once', async () => {
  const { page } = await site.visit('/admin/settings', { as: meera })
  await page.getByRole('radio', { name: 'Users with an invitation' }).check()
  await page.getByLabel('Images per user and day').fill('1.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a whole number from 0 to 1,000,000.').waitFor()
  await page.getByLabel('Images per user and day').fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('The settings are saved.').waitFor()
  await page.reload()
  await eventually(() => page.getByLabel('Images per user and day').inputValue()).toBe('12')
  expect(await page.getByRole('radio', { name: 'Users with an invitation' }).isChecked()).toBe(true)

  const stranger = (await site.visit('/')).page
  const parts = await openDialog(stranger)
  await parts.dialog.getByText('To create an account you need an invitation.').waitFor()
  expect(await parts.toSignUp.count()).toBe(0)

  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByLabel('Note (optional)').fill('For Ravi')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = await page.getByLabel('Link of the new invitation').inputValue()
  expect(link).toMatch(/\/invitation\/[0-9a-f]{32}$/)

  const { page: guest } = await site.visit(new URL(link).pathname)
  await guest.getByRole('heading', { level: 1, name: 'You are invited to' }).waitFor()
  await guest.getByRole('button', { name: 'Create an account' }).click()
  const form = dialogOn(guest)
  await form.name.fill('Ravi Kumar')
  await form.email.fill('ravi@example.org')
  await form.password.fill(password)
  await form.signUp.click()
  await guest.getByText('You are signed in.').waitFor()

  await page.reload()
  const item = page.getByRole('row').filter({ hasText: 'For Ravi' })
  await item.getByText('Used up').waitFor()
  await item.getByText('Ravi Kumar').waitFor()

  const { page: late } = await site.visit(new URL(link).pathname)
  await late.getByText('This invitation has been used already.').waitFor()
  expect(await late.getByRole('main').getByRole('button', { name: 'Create an account' }).count()).toBe(0)
})

test('an administrator pauses the engine, which its users see, and resumes it', async () => {
  const { page } = await site.visit('/admin/engines', { as: meera })
  await rowsOn(page).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await eventually(() => focused(page)).toBe('Resume')
  const { page: create, alerts, expectedErrors } = await site.visit('/create-post', { as: meera })
  expectedErrors.push(/status of 503/)
  await create.getByLabel('Prompt').fill('A lotus')
  await create.getByRole('button', { name: 'Generate', exact: true }).click()
  const message = 'The engine Patterns is paused. Choose another one, or try again later.'
  await eventually(() => alerts.splice(0)).toEqual([message])
  await create.getByText(message).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
})

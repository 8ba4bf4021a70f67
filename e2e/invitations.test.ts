import { beforeAll, expect, test } from 'vitest'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { dialogOn, openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite()
let meera: User

beforeAll(async () => {
  meera = await signUp(site.url, 'Meera Iyer')
  const { code } = await site.run(['account', 'make-admin', meera.email])
  expect(code).toBe(0)
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
  await expectNoViolations(page)

  const { page: guest } = await site.visit(new URL(link).pathname)
  await guest.getByRole('heading', { level: 1, name: 'You are invited to' }).waitFor()
  await expectNoViolations(guest)
  await guest.getByRole('button', { name: 'Create an account' }).click()
  const form = dialogOn(guest)
  await form.name.fill('Ravi Kumar')
  await form.email.fill('ravi@example.org')
  await form.password.fill(password)
  await form.signUp.click()
  await guest.getByText('You are signed in.').waitFor()

  await page.reload()
  const item = page.getByRole('listitem').filter({ hasText: 'For Ravi' })
  await item.getByText('Used up').waitFor()
  await item.getByText('Ravi Kumar').waitFor()

  const { page: late } = await site.visit(new URL(link).pathname)
  await late.getByText('This invitation has been used already.').waitFor()
  expect(await late.getByRole('main').getByRole('button', { name: 'Create an account' }).count()).toBe(0)
})

test('an administrator revokes an invitation after a confirmation', async () => {
  const { page } = await site.visit('/admin/invitations', { as: meera })
  await page.getByLabel('Number of accounts').fill('2000')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByText('Enter a number from 1 to 1,000.').waitFor()
  await page.getByLabel('Number of accounts').fill('30')
  // Unique also if the test is repeated.
  const note = `For class ${Date.now()}`
  await page.getByLabel('Note (optional)').fill(note)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = await page.getByLabel('Link of the new invitation').inputValue()
  const item = page.getByRole('listitem').filter({ hasText: note })
  await item.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await item.getByText('Revoked').waitFor()
  await eventually(() => page.getByLabel('Link of the new invitation').count()).toBe(0)
  const { page: guest } = await site.visit(new URL(link).pathname)
  await guest.getByText('This invitation has been withdrawn.').waitFor()
})

test('an administrator pauses the engine, which its users see, and resumes it', async () => {
  const { page } = await site.visit('/admin/engines', { as: meera })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await expectNoViolations(page)
  const { page: create, alerts } = await site.visit('/create-post', { as: meera })
  await create.getByLabel('Prompt').fill('A lotus')
  await create.getByRole('button', { name: 'Generate', exact: true }).click()
  const message = 'The engine Patterns is paused. Choose another one, or try again later.'
  await eventually(() => alerts.splice(0)).toEqual([message])
  await create.getByText(message).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
})

import { afterAll, describe, expect, test } from 'vitest'
import { startMailServer } from '../test/support/mail.ts'
import { accountOn } from './support/account.ts'
import { eventually, expectPageErrors } from './support/browser.ts'
import { requestLog } from './support/network.ts'
import { openDialog } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { password, signUp } from './support/user.ts'

const mails = await startMailServer()
afterAll(() => mails.stop())

const site = useSite(mails.env)

/** Waits for a number of mails to an address with a subject, and returns the link of the newest. */
async function linkTo(email: string, subject: RegExp, count = 1): Promise<string> {
  const found = () => mails.mails.filter((mail) => mail.to === email && subject.test(mail.subject))
  await eventually(() => found().length).toBe(count)
  return found().at(-1)?.url ?? ''
}

const newPassword = 'a new password'

test('a forgotten password is replaced by the link of a mail, and signs in', async () => {
  const ravi = await signUp(site.url, 'Ravi Shah')
  const elsewhere = await site.visit('/account', { as: ravi })
  const { page } = await site.visit('/')
  const { dialog, email } = await openDialog(page)
  await email.fill(ravi.email)
  await dialog.getByRole('button', { name: 'Forgot your password?' }).click()
  const forgot = page.getByRole('dialog', { name: 'Forgot your password?' })
  const address = forgot.getByLabel('Email', { exact: true })
  await eventually(() => address.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await address.inputValue()).toBe(ravi.email)
  await forgot.getByRole('button', { name: 'Send the link' }).click()
  await forgot.getByRole('status').getByText('a link is on its way').waitFor()

  await page.goto(await linkTo(ravi.email, /^Choose a new password/))
  const main = page.getByRole('main')
  const field = main.getByLabel('New password', { exact: true })
  await field.fill(newPassword)
  const requests = requestLog(page, '')
  await main.getByRole('button', { name: 'Change password' }).click()
  await main.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  expect(requests.map((request) => request.url()).join()).not.toContain('token=')
  await main.getByRole('button', { name: 'Sign In' }).click()
  const again = page.getByRole('dialog')
  await again.getByLabel('Email', { exact: true }).fill(ravi.email)
  await again.getByLabel('Password', { exact: true }).fill(newPassword)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Ravi' }).waitFor()

  await elsewhere.page.reload()
  await elsewhere.page.getByRole('main').getByRole('button', { name: 'Sign In' }).waitFor()
})

test('an email is confirmed by the link that the account page sends', async () => {
  const meera = await signUp(site.url, 'Meera Iyer')
  await linkTo(meera.email, /^Confirm your email/)
  const { page, openTab } = await site.visit('/account', { as: meera })
  const section = page.getByRole('main').getByRole('region', { name: 'Email', exact: true })
  await section.getByText('is not confirmed yet').waitFor()
  await section.getByRole('button', { name: 'Send a link to confirm it' }).click()
  await section.getByRole('status').getByText('The link is on its way.').waitFor()
  const link = await linkTo(meera.email, /^Confirm your email/, 2)
  const tab = await openTab(link.slice(site.url.length))
  await tab.page.getByRole('button', { name: 'Confirm email' }).click()
  await tab.page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
  await tab.page.close()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await section.getByText('is confirmed.').waitFor()
})

test('an email is changed by a link to the new one, after signing in where the link is opened', async () => {
  const lata = await signUp(site.url, 'Lata Rao')
  const newEmail = `new-${lata.email}`
  const visitor = await site.visit('/account', { as: lata })
  const section = visitor.page.getByRole('main').getByRole('region', { name: 'Email', exact: true })
  await section.getByLabel('New email', { exact: true }).fill(newEmail)
  await section.getByLabel('Your password', { exact: true }).fill(password)
  await section.getByRole('button', { name: 'Change email' }).click()
  await section.getByRole('status').getByText(`We sent a link to ${newEmail}.`).waitFor()

  const link = await linkTo(newEmail, /^Confirm your new email/)
  const phone = await site.visit(link.slice(site.url.length))
  const main = phone.page.getByRole('main')
  await main.getByRole('button', { name: 'Sign In' }).click()
  const dialog = phone.page.getByRole('dialog')
  await dialog.getByLabel('Email', { exact: true }).fill(lata.email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await main.getByRole('button', { name: 'Confirm email' }).click()
  await main.getByRole('heading', { name: 'Your email is changed' }).waitFor()
  await linkTo(lata.email, /^Your email for .* was changed/)
  await visitor.page.reload()
  await accountOn(visitor.page).email.getByText(newEmail, { exact: true }).waitFor()
})

describe('REQUIRE_VERIFIED_EMAIL', () => {
  const strict = useSite({ ...mails.env, REQUIRE_VERIFIED_EMAIL: 'on' })

  test('lets a new user sign in once the email is confirmed', async () => {
    const visitor = await strict.visit('/')
    const { page } = visitor
    const parts = await openDialog(page)
    await parts.toSignUp.click()
    await parts.name.fill('Noor Ali')
    await parts.email.fill('noor@example.org')
    await parts.password.fill(newPassword)
    await parts.signUp.click()
    const step = page.getByRole('dialog', { name: 'Confirm your email' })
    await step.getByText('We sent a link to noor@example.org.').waitFor()
    await step.getByRole('button', { name: 'Back to sign-in' }).click()
    await parts.email.fill('noor@example.org')
    await parts.password.fill(newPassword)
    await parts.signIn.click()
    await step.getByText('You have not confirmed yet that noor@example.org is yours.').waitFor()
    await expectPageErrors(visitor, /status of 403/)
    await step.getByRole('button', { name: 'Send the link again' }).click()
    await step.getByRole('status').getByText('Another link is on its way.').waitFor()
    await page.goto(await linkTo('noor@example.org', /^Confirm your email/, 2))
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Confirm email' }).click()
    await main.getByRole('button', { name: 'Sign In' }).click()
    await parts.email.fill('noor@example.org')
    await parts.password.fill(newPassword)
    await parts.signIn.click()
    await page.getByRole('banner').getByRole('button', { name: 'Noor' }).waitFor()
  })
})

test('a user switches notices off, with the last of quick clicks', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  const { page } = await site.visit('/account', { as: asha })
  const notices = page.getByRole('region', { name: 'Notices by email' })
  await notices.getByText(asha.email).waitFor()
  const checkbox = notices.getByRole('checkbox', { name: 'Send me notices by email' })
  await eventually(() => checkbox.isChecked()).toBe(true)
  await checkbox.dblclick()
  await checkbox.click()
  await notices.getByText('Saved.').waitFor()
  await page.reload()
  await eventually(() => checkbox.isChecked()).toBe(false)
})

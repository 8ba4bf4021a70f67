import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { holdBack, requestLog } from './support/network.ts'
import { password, signUp, type User } from './support/user.ts'
import { focused, openDialog } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('traps the focus in the dialog in both directions', async () => {
  const { page } = await site.visit('/')
  const { dialog } = await openDialog(page)
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press(key)
      const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
      await eventually(isInside).toBe(true)
    }
  }
})

test('closes by Escape and by its button, and restores the focus', async () => {
  const { page } = await site.visit('/')
  for (const means of ['Escape', 'the button']) {
    const { dialog } = await openDialog(page)
    if (means === 'Escape') await page.keyboard.press('Escape')
    else await dialog.getByRole('button', { name: /^Close/ }).click()
    await eventually(() => dialog.count()).toBe(0)
    await eventually(() => focused(page)).toBe('Sign In')
  }
  expect(page.url()).toBe(`${site.url}/`)
})

test('reports missing and invalid input at its field', async () => {
  const { page } = await site.visit('/')
  const parts = await openDialog(page)
  await parts.signIn.click()
  await eventually(() => focused(page)).toBe('Email')
  for (const field of [parts.email, parts.password]) {
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const described = await field.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described ?? ''}"]`).textContent()).toMatch(/\w/)
  }
  await parts.toSignUp.click()
  await parts.name.fill('Ravi')
  await parts.email.fill('ravi')
  await parts.password.fill('short')
  await parts.signUp.click()
  await parts.dialog.getByText('This does not look like an email address.').waitFor()
  await parts.dialog.getByText('Use at least 8 characters.').waitFor()
  expect(await parts.name.inputValue()).toBe('Ravi')
})

test.each([
  { name: 'x'.repeat(81), field: 'name', sentence: 'Use at most 80 characters.' },
  { secret: 'qwertyuiop', field: 'password', sentence: /too easy to guess/ },
] as const)('reports "$sentence" at the $field when signing up', async ({ field, sentence, ...wrong }) => {
  const visitor = await site.visit('/')
  visitor.expectedErrors.push(/status of 400/)
  const parts = await openDialog(visitor.page)
  await parts.toSignUp.click()
  const given = { name: 'Ravi', email: 'ravi@example.org', secret: 'a long password', ...wrong }
  await parts.name.fill(given.name)
  await parts.email.fill(given.email)
  await parts.password.fill(given.secret)
  await parts.signUp.click()
  await parts.dialog.getByText(sentence).waitFor()
  expect(await parts[field].getAttribute('aria-invalid')).toBe('true')
  await eventually(() => parts[field].evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await parts.name.inputValue()).toBe(given.name)
  expect(await parts.email.inputValue()).toBe(given.email)
  expect(await parts.password.inputValue()).toBe(given.secret)
})

test('tells users who forgot their password whom to ask', async () => {
  const { page } = await site.visit('/')
  const parts = await openDialog(page)
  const way = parts.dialog.getByText('Forgot your password? Ask the operator of this site for a new one.')
  await way.waitFor()
  await parts.toSignUp.click()
  await eventually(() => way.count()).toBe(0)
})

test('sends a sign-up once when submitted twice', async () => {
  const { page } = await site.visit('/')
  const parts = await openDialog(page)
  const sent = requestLog(page, '/sign-up/email')
  const release = await holdBack(page, '**/api/auth/sign-up/email')
  await parts.toSignUp.click()
  await parts.name.fill('Lata')
  await parts.email.fill('lata@example.org')
  await parts.password.fill('a long password')
  await parts.dialog.locator('form').evaluate((form) => {
    for (let times = 0; times < 3; times += 1) if (form instanceof HTMLFormElement) form.requestSubmit()
  })
  await eventually(() => parts.signUp.isDisabled()).toBe(true)
  await parts.password.press('Enter')
  release()
  await page.getByRole('banner').getByRole('button', { name: 'Lata' }).waitFor()
  expect(sent).toHaveLength(1)
})

test('reports an email that already has an account', async () => {
  const visitor = await site.visit('/')
  const parts = await openDialog(visitor.page)
  await parts.toSignUp.click()
  await parts.name.fill('Asha again')
  await parts.email.fill(asha.email.toUpperCase())
  await parts.password.fill('another password')
  await parts.signUp.click()
  await parts.dialog.getByText('There is already an account with this email.').waitFor()
  await expectPageErrors(visitor, /status of 4/)
})

test('explains too many attempts', async () => {
  const visitor = await site.visit('/')
  const parts = await openDialog(visitor.page)
  await parts.email.fill(asha.email)
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await parts.password.fill(`guess ${attempt}`)
    await parts.signIn.click()
    await parts.failure.waitFor()
    await eventually(() => parts.signIn.isEnabled()).toBe(true)
  }
  await parts.signIn.click()
  await parts.failure.getByText(/^Too many attempts\. Try again in \d+ seconds?\.$/).waitFor()
  await expectPageErrors(visitor, /status of 4(01|29)/)
})

test('explains an unreachable server', async () => {
  const visitor = await site.visit('/')
  const parts = await openDialog(visitor.page)
  await visitor.page.route('**/api/auth/**', (route) => route.abort())
  await parts.email.fill(asha.email)
  await parts.password.fill(password)
  await parts.signIn.click()
  await parts.failure.getByText(/could not be reached/).waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
})

import { expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { expectToday, formOn, imageReady } from './support/form.ts'
import { calls, holdBack } from './support/network.ts'
import { settled, useSite } from './support/site.ts'
import { password, signUp } from './support/user.ts'

const site = useSite()

test('draws while a visitor types, and generates the image after they join', async () => {
  const { page } = await site.visit('/')
  const answer = await holdBack(page, calls.viewer)
  await page.reload()
  const idea = page.getByLabel('What shall we draw?')
  await idea.pressSequentially('A blue lotus')
  const preview = page.getByRole('main').getByAltText('Preview of: A blue lotus', { exact: true })
  await preview.waitFor()
  expect(await preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  // Before the page knows that it is a visitor's.
  await idea.press('Enter')
  await page.waitForURL('/create-post')
  answer()
  const dialog = page.getByRole('dialog', { name: /^Join .* to keep this drawing$/ })
  const drawing = dialog.locator('img')
  await eventually(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await dialog.getByLabel('Name').fill('Asha Rao')
  await dialog.getByLabel('Email').fill('first-visit@example.org')
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
  const form = formOn(page)
  await imageReady(form)
  expect(await form.prompt.inputValue()).toBe('A blue lotus')
  expect(await form.image.getAttribute('alt')).toBe('A blue lotus')
  await expectToday(page, 1)
  await page.reload()
  await imageReady(form)
  await expectToday(page, 1)
})

test('asks no visitor to join who has left the form before the page knows them', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  const answer = await holdBack(page, calls.viewer)
  await page.reload()
  // Loads the dialog, which would open at once.
  await page.locator('#sign-in').dispatchEvent('click')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('What shall we draw?').fill('A red lotus')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL('/create-post')
  await page.goBack()
  answer()
  await settled(visitor)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('keeps a visitor’s words and offers examples, and generates after sign-in', async () => {
  const asha = await signUp(site.url)
  const visitor = await site.visit('/create-post')
  const { page } = visitor
  const main = page.getByRole('main')
  const words = main.getByLabel('What should the image show?')
  const examples = main.getByRole('region', { name: 'Start from an example' }).getByRole('button')
  await examples.first().click()
  expect(await examples.count()).toBe(3)
  expect(await words.inputValue()).toBe(await examples.first().innerText())
  const preview = main.getByAltText(/^Preview of: /)
  await preview.waitFor()
  // More than a preview is drawn of.
  await words.fill('Two red foxes '.repeat(22))
  await preview.waitFor({ state: 'detached' })
  await words.fill('Two red foxes')
  await main.getByRole('button', { name: 'Continue', exact: true }).click()
  await page
    .getByRole('dialog', { name: /^Join / })
    .getByRole('button', { name: 'Sign in instead' })
    .click()
  const signIn = page.getByRole('dialog', { name: /^Sign in to keep/ })
  await signIn.getByLabel('Email').fill(asha.email)
  await signIn.getByLabel('Password').fill(password)
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
  await imageReady(formOn(page))
  expect(await formOn(page).image.getAttribute('alt')).toBe('Two red foxes')
  await settled(visitor)
})

test('leads to the form with the words without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false, settle: false })
  await page.getByLabel('What shall we draw?').fill('A kite')
  await page.getByRole('button', { name: 'Make it', exact: true }).click()
  await page.waitForURL('/create-post?prompt=A+kite')
})

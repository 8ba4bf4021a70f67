import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { formOn } from './support/form.ts'
import { password, signUp, type User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('visitors see why there is no form, and sign in in place', async () => {
  const { page } = await site.visit('/create-post')
  await page
    .getByRole('main')
    .getByText(/signed in/)
    .waitFor()
  expect(await formOn(page).prompt.count()).toBe(0)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(asha.email)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await formOn(page).prompt.waitFor()
  expect(page.url()).toBe(`${site.url}/create-post`)
  expect(await formOn(page).name.inputValue()).toBe('Asha')
  await eventually(() => dialog.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('signed-in users follow the Create link', async () => {
  const { page } = await site.visit('/', { as: asha })
  await page.getByRole('banner').getByRole('link', { name: 'Create', exact: true }).click()
  await formOn(page).prompt.waitFor()
  expect(page.url()).toBe(`${site.url}/create-post`)
})

test('offers to try again if the session could not be loaded', async () => {
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  await page.route('**/trpc/**', (route) => route.abort())
  await page.goto('/create-post')
  const failure = page.getByRole('main').getByRole('alert').filter({ hasText: /\w/ })
  await failure.waitFor()
  await page.getByRole('banner').getByText('Sign-in is unavailable', { exact: true }).waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.unroute('**/trpc/**')
  await failure.getByRole('button').click()
  await formOn(page).prompt.waitFor()
  await settled(visitor)
})

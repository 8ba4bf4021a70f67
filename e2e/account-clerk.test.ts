import { expect, test } from 'vitest'
import type { AccountData } from '../shared/account.ts'
import { accountOn } from './support/account.ts'
import { readArchive } from './support/archive.ts'
import { expectNoViolations } from './support/axe.ts'
import { useClerkSite } from './support/clerk/clerk-site.ts'

const { site, newUser } = useClerkSite()

test('name, password and deletion are in the profile dialog of Clerk', async () => {
  const { page } = await site.visit('/account', { as: newUser() })
  const main = page.getByRole('main')
  const manage = main.getByRole('button', { name: 'Manage your account', exact: true })
  await manage.waitFor()
  await expectNoViolations(page)
  expect(await main.getByRole('textbox').count()).toBe(1)
  expect(await accountOn(page).apiKeyName.count()).toBe(1)
  expect(await accountOn(page).signOutEverywhere.count()).toBe(0)
  expect(await accountOn(page).openDeletion.count()).toBe(0)
  await manage.click()
  await page.getByRole('dialog').getByText('Profile details').first().waitFor()
})

test('the dialog of Clerk is in the language of the page', async () => {
  const { page } = await site.visit('/')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es')
  await page.locator('html[lang=es]').waitFor()
  await page.getByRole('button', { name: /^(Sign In|Iniciar sesión)$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar', exact: true }).waitFor()
})

test('the data can be downloaded', async () => {
  const asha = newUser()
  const post = await asha.share('A lotus at dawn')
  const { page } = await site.visit('/account', { as: asha })
  const [saved] = await Promise.all([page.waitForEvent('download'), accountOn(page).download.click()])
  const archive = await readArchive(saved)
  const data = JSON.parse(archive.get('data.json')?.toString() ?? '') as AccountData
  expect(data.user).toMatchObject({ name: 'User', email: null, createdAt: null })
  expect(data.posts.map(({ id }) => id)).toEqual([post.id])
  const [image] = data.images
  const original = Buffer.from(await (await fetch(site.url + post.photo)).arrayBuffer())
  expect(archive.get(`images/${image?.id}.jpg`)?.equals(original)).toBe(true)
})

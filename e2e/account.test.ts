import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountData } from '../server/client-package/rangoli-client.ts'
import { accountOn, callAccount, deletionOn, returnToTab, signInAgain } from './support/account.ts'
import { readArchive } from './support/archive.ts'
import { eventually } from './support/browser.ts'
import { formOn, imageCount } from './support/form.ts'
import { requestLog } from './support/network.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { password, signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('a visit renews the session once per page load', async () => {
  const month = 30 * 24 * 60 * 60_000
  await letSessionsAge(20 * 24 * 60 * 60_000)
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  await eventually(async () => {
    const [cookie] = await visitor.context.cookies()
    return (cookie?.expires ?? 0) * 1_000 - Date.now()
  }).toBeGreaterThan(month - 60 * 60_000)
  const asked = requestLog(page, '/api/auth/get-session')
  await page.reload()
  await eventually(() => asked.length).toBe(1)
  await page.getByRole('banner').getByRole('link', { name: 'Create', exact: true }).click()
  await formOn(page).prompt.waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Rangoli' }).click()
  await page.waitForURL('/')
  await returnToTab(page)
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
  expect(asked).toHaveLength(1)
})

/** Backdates every session. */
async function letSessionsAge(milliseconds: number): Promise<void> {
  const db = new Database(path.join(site.folder, 'data/rangoli.db'))
  const rows = db.prepare('select id, expiresAt from session').all() as { id: string; expiresAt: string }[]
  const age = db.prepare('update session set expiresAt = ? where id = ?')
  for (const { id, expiresAt } of rows) {
    age.run(new Date(Date.parse(expiresAt) - milliseconds).toISOString(), id)
  }
  db.close()
}

test('the name is saved for new posts', async () => {
  const meera = await signUp(site.url, 'Meera Iyer')
  const { page } = await site.visit('/create-post', { as: meera })
  await eventually(() => formOn(page).name.inputValue()).toBe('Meera')
  await page.getByRole('banner').getByRole('button', { name: 'Meera' }).click()
  await page.getByRole('menuitem', { name: 'Your account', exact: true }).click()
  const account = accountOn(page)
  await account.nameField.waitFor()
  expect(await account.nameField.inputValue()).toBe('Meera Iyer')
  await account.name.getByText(meera.email, { exact: true }).waitFor()
  await account.nameField.fill('  मीरा अय्यर ')
  await account.saveName.click()
  await account.name.getByRole('status').getByText('Your name is saved.', { exact: true }).waitFor()
  expect(await account.nameField.inputValue()).toBe('मीरा अय्यर')
  await page.getByRole('banner').getByRole('button', { name: 'मीरा' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Create', exact: true }).click()
  await eventually(() => formOn(page).name.inputValue()).toBe('मीरा')
})

describe('the password', () => {
  test('is changed, which signs out other devices; signing out everywhere ends this session too', async () => {
    const meera = await signUp(site.url, 'Meera Iyer')
    const elsewhere = await site.visit('/', { as: meera })
    const { page, context } = await site.visit('/account')
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await signInAgain(page, meera)
    const account = accountOn(page)
    await account.current.fill(password)
    await account.fresh.fill('a marigold at noon')
    await account.changePassword.click()
    await account.secret
      .getByRole('status')
      .getByText(/Your password is changed/)
      .waitFor()
    expect(await account.current.inputValue()).toBe('')
    expect(await account.fresh.inputValue()).toBe('')
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await page.reload()
    await account.signOutEverywhere.click()
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await page.getByRole('status').getByText('You are signed out everywhere.', { exact: true }).waitFor()
    await eventually(() => focused(page)).not.toBe(null)
    expect(await context.cookies()).toEqual([])
  })

  test('is recognized by password managers, can be shown, and is reported at its field', async () => {
    const visitor = await site.visit('/account', { as: asha })
    visitor.expectedErrors.push(/status of 400/)
    const account = accountOn(visitor.page)
    for (const { current, fresh, field, sentence } of [
      { current: password, fresh: 'short', field: 'fresh', sentence: 'Use at least 8 characters.' },
      { current: 'a guess', fresh: 'a new lotus', field: 'current', sentence: 'This is not your password.' },
    ] as const) {
      await account.current.fill(current)
      await account.fresh.fill(fresh)
      await account.changePassword.click()
      await account.secret.getByText(sentence).waitFor()
      const faulty = account[field]
      expect(await faulty.getAttribute('aria-invalid')).toBe('true')
      await eventually(() => faulty.evaluate((it) => it === document.activeElement)).toBe(true)
      expect(await account.current.inputValue()).toBe(current)
      expect(await account.fresh.inputValue()).toBe(fresh)
    }
    expect(await account.current.getAttribute('autocomplete')).toBe('current-password')
    expect(await account.fresh.getAttribute('autocomplete')).toBe('new-password')
    expect(await account.secret.locator('[autocomplete=username]').inputValue()).toBe(asha.email)
    expect(await account.fresh.getAttribute('type')).toBe('password')
    await account.secret.getByRole('checkbox', { name: 'Show passwords' }).check()
    expect(await account.current.getAttribute('type')).toBe('text')
    expect(await account.fresh.getAttribute('type')).toBe('text')
  })
})

test('deletes the account and keeps the posts with the names they show', async () => {
  const lata = await signUp(site.url, 'Lata')
  await lata.share('A lamp of Lata', 'Lata of the lake')
  const unshared = await lata.generate('Nobody saw this')
  const visitor = await site.visit('/create-post', { as: lata })
  const { page } = visitor
  await formOn(page).prompt.fill('Half a thought')
  await eventually(() => imageCount(page)).toBe('2')
  const otherTab = await visitor.openTab('/create-post')
  await formOn(otherTab.page).prompt.fill('The other half')
  await page.bringToFront()
  const elsewhere = await site.visit('/', { as: lata })
  await page.getByRole('banner').getByRole('button', { name: 'Lata' }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await accountOn(page).openDeletion.click()
  const parts = deletionOn(page)
  expect(await parts.keepPosts.isChecked()).toBe(true)
  await parts.password.fill(password)
  await parts.confirm.click()
  await page.waitForURL('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  await page.getByRole('status').getByText('Your account is deleted.', { exact: true }).waitFor()
  await eventually(() => parts.dialog.count()).toBe(0)
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.getItem('imageCount')])).toEqual([
    0,
    null,
  ])
  await eventually(() => otherTab.page.evaluate(() => sessionStorage.length)).toBe(0)
  await otherTab.page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await visitor.context.cookies()).toEqual([])
  const card = page.getByRole('listitem').filter({ hasText: 'A lamp of Lata' })
  await card.getByText('Lata of the lake', { exact: true }).waitFor({ state: 'attached' })
  expect((await fetch(site.url + unshared.photo)).status).toBe(404)
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  expect(await callAccount(site.url, '/sign-in/email', { email: lata.email, password })).toBe(401)
})

test('the archive of an account contains its data and each image byte for byte', async () => {
  const lila = await signUp(site.url, 'Lila Das')
  await lila.share('A lotus at dawn')
  await lila.generate('A kite that is not shared')
  const { page } = await site.visit('/account', { as: lila })
  const [saved] = await Promise.all([page.waitForEvent('download'), accountOn(page).download.click()])
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  expect(saved.suggestedFilename()).toBe(`rangoli-data-${today}.zip`)
  await accountOn(page).data.getByRole('status').getByText('Your data is in your downloads.').waitFor()
  const archive = await readArchive(saved)
  const { user, files } = JSON.parse(archive.get('data.json')?.toString() ?? '') as AccountData & {
    files: { file: string; photo: string }[]
  }
  expect(user).toMatchObject({ name: 'Lila Das', email: lila.email })
  expect([...archive.keys()]).toEqual([...files.map(({ file }) => file), 'data.json'])
  expect(files).toHaveLength(2)
  for (const { file, photo } of files) {
    const headers = { cookie: `${lila.cookie.name}=${lila.cookie.value}` }
    const response = await fetch(site.url + photo, { headers })
    expect(archive.get(file)?.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  }
})

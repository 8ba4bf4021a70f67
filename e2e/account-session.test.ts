import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { callAccount, returnToTab, signInAgain } from './support/account.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { formOn, generate } from './support/form.ts'
import { requestLog } from './support/network.ts'
import { chooseInMenu } from './support/post-card.ts'
import { openDialog } from './support/sign-in-dialog.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User
let ashaId: string | undefined

beforeEach(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  ashaId = (await asha.trpc.viewer.query())?.id
})

/** Lists the posts of the test's user. */
async function sharedPosts() {
  const { posts } = await asha.trpc.posts.list.query({ search: 'A cabin', limit: 1_000 })
  return posts.filter(({ authorId }) => authorId === ashaId)
}

/** Ends the session without the page noticing. */
const endSession = () => callAccount(site.url, '/revoke-sessions', {}, asha)

test('a session that has ended is detected on returning to the tab: the draft and its image are kept', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const form = formOn(page)
  await generate(page, 'A cabin')
  await form.prompt.fill('A cabin in the snow')
  // The image is for its owner: it may be loaded, or loaded again, while there is no session.
  visitor.expectedErrors.push(/status of 404/)
  await endSession()
  await returnToTab(page)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await signInAgain(page, asha)
  await form.share.waitFor()
  expect(await form.prompt.inputValue()).toBe('A cabin in the snow')
  expect(await form.image.getAttribute('alt')).toBe('A cabin')
  await form.share.click()
  await page.waitForURL('/')
  expect(await sharedPosts()).toHaveLength(1)
})

test('the dialog that deletes a post says that the session has ended, and offers to sign in', async () => {
  const prompt = `A lotus to go, of ${asha.email}`
  await asha.share(prompt)
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  const card = page.locator('li', { hasText: prompt })
  await chooseInMenu(card, 'Delete post')
  const question = page.getByRole('alertdialog')
  await endSession()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question
    .getByRole('alert')
    .getByText('You are signed out. Sign in again, then delete the post.')
    .waitFor()
  await question.getByRole('button', { name: 'Sign In', exact: true }).click()
  await signInAgain(page, asha)
  await eventually(() => question.count()).toBe(0)
  await chooseInMenu(card, 'Delete post')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => card.count()).toBe(0)
})

test('the next user of a tab does not get the settings of the former one', async () => {
  await asha.trpc.account.updateSettings.mutate({ defaultVisibility: 'private' })
  const ravi = await signUp(site.url, 'Ravi Shah')
  const { page } = await site.visit('/account', { as: asha })
  const visibility = page.getByRole('group', { name: 'Visibility of new posts' })
  const isChecked = (name: string) => visibility.getByRole('radio', { name }).isChecked()
  await eventually(() => isChecked('Private')).toBe(true)
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await openDialog(page)
  await signInAgain(page, ravi)
  await eventually(() => isChecked('Public')).toBe(true)
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

test('a failed renewal does not affect the visit', async () => {
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  await page.route('**/api/auth/get-session', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.reload()
  await failed
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
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

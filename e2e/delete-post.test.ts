import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { calls } from './support/network.ts'
import { chooseInMenu, menuItemOf } from './support/post-card.ts'
import { signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User
let ravi: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  ravi = await signUp(site.url, 'Ravi Kumar')
  await asha.share('A lotus that stays')
})

test('offers deletion to the author only', async () => {
  await ravi.share('A kite of Ravi')
  const { page } = await site.visit('/', { as: asha })
  const card = (prompt: string) => page.getByRole('listitem').filter({ hasText: prompt })
  await (await menuItemOf(card('A lotus that stays'), 'Delete post')).waitFor()
  await page.keyboard.press('Escape')
  expect(await (await menuItemOf(card('A kite of Ravi'), 'Delete post')).count()).toBe(0)
})

test('lets an administrator delete any post, naming its author', async () => {
  const admin = await signUp(site.url, 'Meera Admin')
  const made = await site.run(['account', 'make-admin', admin.email])
  expect(made).toMatchObject({ code: 0 })
  // An author of their own, because the image is deleted with the post.
  const author = await signUp(site.url, 'Asha of the hills')
  await author.share('A lotus against the rules')
  const { page } = await site.visit('/', { as: admin })
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus against the rules' })
  await chooseInMenu(card, 'Delete post')
  const question = page.getByRole('alertdialog', { name: 'Delete Asha of the hills’s post?' })
  await question.getByText(/^Asha of the hills shared this post, not you\./).waitFor()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.waitFor({ state: 'detached' })
  expect(await card.count()).toBe(0)
  const { total } = await author.trpc.posts.list.query({ search: 'A lotus against the rules' })
  expect(total).toBe(0)
  await admin.share('A lotus of the administrator')
  await page.reload()
  const own = page.getByRole('listitem').filter({ hasText: 'A lotus of the administrator' })
  await chooseInMenu(own, 'Delete post')
  await page.getByRole('alertdialog', { name: 'Delete this post?', exact: true }).waitFor()
})

test('asks for confirmation and keeps the post on Keep it and Escape', async () => {
  await asha.share('A lotus in question')
  const { page } = await site.visit('/', { as: asha })
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus in question' })
  const question = page.getByRole('alertdialog')
  for (const way of ['Keep it', 'Escape']) {
    await chooseInMenu(card, 'Delete post')
    await question.waitFor()
    expect(await focused(page)).not.toBe('Delete')
    if (way === 'Escape') await page.keyboard.press('Escape')
    else await question.getByRole('button', { name: way, exact: true }).click()
    await eventually(() => question.count()).toBe(0)
    await eventually(() => focused(page)).toBe('More actions')
  }
  expect(await card.count()).toBe(1)
})

test('removes a deleted post from list and count and focuses its neighbor', async () => {
  const post = await asha.share('A lotus to delete')
  const { page } = await site.visit('/', { as: asha })
  const { total } = await asha.trpc.posts.list.query()
  await page.getByText(`Showing ${total} posts`, { exact: true }).waitFor()
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus to delete' })
  await card.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(`Showing ${total - 1} posts`, { exact: true }).waitFor()
  await eventually(() => question.count()).toBe(0)
  expect(await card.count()).toBe(0)
  await eventually(() => page.evaluate(() => document.activeElement?.closest('li')?.tagName)).toBe('LI')
  await page.reload()
  await page.getByText(`Showing ${total - 1} posts`, { exact: true }).waitFor()
  expect((await fetch(site.url + post.photo)).status).toBe(200)
})

test('shows a failure in the dialog and keeps the post', async () => {
  await asha.share('A lotus that fails to delete')
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  await page.route(calls.delete, (route) => route.abort())
  // Elements behind the modal dialog have no role.
  const card = page.locator('li', { hasText: 'A lotus that fails to delete' })
  await chooseInMenu(card, 'Delete post')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question
    .getByRole('alert')
    .getByText(/could not be deleted/)
    .waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  expect(await card.count()).toBe(1)
  await page.unroute(calls.delete)
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => card.count()).toBe(0)
})

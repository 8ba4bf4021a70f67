import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { calls } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { launch } from './support/server-process.ts'
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

test('only the author is offered to delete a post', async () => {
  await ravi.share('A kite of Ravi')
  const { page } = await site.visit('/', { as: asha })
  const card = (prompt: string) => page.getByRole('listitem').filter({ hasText: prompt })
  await card('A lotus that stays').getByRole('button', { name: 'Delete post' }).waitFor({ state: 'attached' })
  expect(await card('A kite of Ravi').getByRole('button', { name: 'Delete post' }).count()).toBe(0)
})

test('an administrator may delete any post, and is told whose it is', async () => {
  const admin = await signUp(site.url, 'Meera Admin')
  const made = await launch(site.folder, ['account', 'make-admin', admin.email]).finished
  expect(made).toMatchObject({ code: 0 })
  // TestUser whose image no other test shares: it is deleted with the post.
  const author = await signUp(site.url, 'Asha of the hills')
  await author.share('A lotus against the rules')
  const { page } = await site.visit('/', { as: admin })
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus against the rules' })
  await card.hover()
  await card.getByRole('button', { name: 'Delete post' }).click()
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
  await own.hover()
  await own.getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog', { name: 'Delete this post?', exact: true }).waitFor()
})

test('a question comes first, and no harm is done by leaving it', async () => {
  await asha.share('A lotus in question')
  const { page } = await site.visit('/', { as: asha })
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus in question' })
  const question = page.getByRole('alertdialog')
  for (const way of ['Keep it', 'Escape']) {
    await card.hover()
    await card.getByRole('button', { name: 'Delete post' }).click()
    await question.waitFor()
    expect(await focused(page)).not.toBe('Delete')
    if (way === 'Escape') await page.keyboard.press('Escape')
    else await question.getByRole('button', { name: way, exact: true }).click()
    await eventually(() => question.count()).toBe(0)
    await eventually(() => focused(page)).toBe('Delete post')
  }
  expect(await card.count()).toBe(1)
})

test('a confirmed post is gone, from the count too, and the focus goes to its neighbour', async () => {
  const post = await asha.share('A lotus that goes')
  const { page } = await site.visit('/', { as: asha })
  const { total } = await asha.trpc.posts.list.query()
  await page.getByText(`Showing ${total} posts`, { exact: true }).waitFor()
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus that goes' })
  await card.getByRole('button', { name: 'Delete post' }).focus()
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

test('the last post that goes leaves the empty gallery', async () => {
  const meera = await signUp(site.url, 'Meera Iyer')
  await meera.share('Only of Meera')
  const { page } = await site.visit('/?q=only+of+meera', { as: meera })
  const card = page.getByRole('listitem')
  await card.hover()
  await card.getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { name: 'No Search Results Found', exact: true }).waitFor()
  await page.getByText('Showing 0 posts', { exact: true }).waitFor()
  await eventually(() => focused(page)).not.toBe(null)
})

test('a failure is said in the question, and the post stays', async () => {
  await asha.share('A lotus that would go')
  const visitor = await site.visit('/', { as: asha })
  const { page } = visitor
  await page.route(calls.delete, (route) => route.abort())
  // Behind the question nothing has a role.
  const card = page.locator('li', { hasText: 'A lotus that would go' })
  await card.hover()
  await card.getByRole('button', { name: 'Delete post' }).click()
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

test('a post that is gone already is gone', async () => {
  const post = await asha.share('A lotus deleted elsewhere')
  const { page } = await site.visit('/', { as: asha })
  const card = page.locator('li', { hasText: 'A lotus deleted elsewhere' })
  await card.hover()
  await asha.trpc.posts.delete.mutate({ id: post.id })
  await card.getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(() => card.count()).toBe(0)
  await eventually(() => page.getByRole('alertdialog').count()).toBe(0)
})

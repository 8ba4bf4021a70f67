import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/browser.ts'
import { calls, holdBack } from './support/network.ts'
import { chooseInMenu } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  for (const prompt of ['A lotus at dawn', 'Kites over Jaipur', 'Lanterns on the river'])
    await asha.share(prompt)
})

test('collects posts, orders them, and shows them on a wall', async () => {
  const { page, expectedErrors } = await site.visit('/collections', { as: asha })
  await page.getByText('No collections yet').waitFor()
  await page.getByRole('button', { name: 'New collection' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Evening lights')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Evening lights' }).waitFor()
  await page.getByText('No images yet').waitFor()
  const address = page.url()

  // From the menu of a card, and into one that is created there.
  const knowViewer = await holdBack(page, calls.viewer)
  await page.goto('/')
  for (const prompt of ['A lotus at dawn', 'Kites over Jaipur']) {
    const card = page.getByRole('article', { name: prompt })
    await chooseInMenu(card, 'Add to collection')
    knowViewer()
    const entry = page.getByRole('dialog').getByRole('button', { name: 'Evening lights' })
    await entry.click()
    await eventually(() => entry.getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await chooseInMenu(page.getByRole('article', { name: 'Lanterns on the river' }), 'Add to collection')
  await page.getByLabel('New collection').fill('Rivers')
  // A change waits for the one before it.
  const release = await holdBack(page, '**/trpc/collections.removePosts*')
  expectedErrors.push(/ERR_FAILED.*addPosts/)
  await page.route('**/trpc/collections.addPosts*', (route) => route.abort(), { times: 1 })
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rivers', pressed: false }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rivers', pressed: true }).click()
  const entry = page.getByRole('dialog').getByRole('button', { name: 'Evening lights' })
  await entry.click()
  release()
  await eventually(() => entry.getAttribute('aria-pressed')).toBe('true')

  const images = page.locator('main article h2 img')
  const prompts = () => images.evaluateAll((all) => all.map((image) => image.getAttribute('alt')))
  await page.goto(address)
  await eventually(prompts).toEqual(['Lanterns on the river', 'Kites over Jaipur', 'A lotus at dawn'])
  await chooseInMenu(page.getByRole('article', { name: 'A lotus at dawn' }), 'Move earlier')
  await eventually(prompts).toEqual(['Lanterns on the river', 'A lotus at dawn', 'Kites over Jaipur'])
  await page.getByText('Moved to place 2 of 3.').waitFor({ state: 'attached' })

  await page.getByRole('link', { name: 'Wall', exact: true }).click()
  const shown = page.locator('img[data-shown]')
  await eventually(() => shown.getAttribute('alt')).toBe('Lanterns on the river')
  expect(await page.getByRole('button').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await eventually(() => shown.getAttribute('alt')).toBe('A lotus at dawn')
  expect(await page.locator('img').count()).toBeLessThanOrEqual(3)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Evening lights' }).waitFor()

  await chooseInMenu(page.getByRole('article', { name: 'Kites over Jaipur' }), 'Remove from the collection')
  await eventually(prompts).toEqual(['Lanterns on the river', 'A lotus at dawn'])
  await page.locator('article button:focus').waitFor()
})

test('shows visitors the posts of a public collection without JavaScript, and nothing of a private one', async () => {
  const { id } = await asha.trpc.collections.create.mutate({ title: 'Reading room' })
  const [post] = (await asha.trpc.posts.list.query({ limit: 1 })).posts
  await asha.trpc.collections.addPosts.mutate({ id, postIds: [post?.id ?? ''] })
  const { page } = await site.visit('/collections', { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Reading room' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reading room' }).waitFor()
  expect(await page.getByRole('listitem').locator('h2 img').count()).toBe(1)
  await asha.trpc.collections.update.mutate({ id, visibility: 'private' })
  expect((await fetch(`${site.url}/collections/${id}`)).status).toBe(404)
  const owner = await site.visit(`/collections/${id}`, { as: asha })
  await owner.page.getByRole('heading', { level: 1, name: 'Reading room' }).waitFor()
  await owner.page.getByRole('article').waitFor()
})

test('an invited user joins by the link and adds posts', async () => {
  const { id } = await asha.trpc.collections.create.mutate({ title: 'Class 5b', visibility: 'private' })
  const { page } = await site.visit(`/collections/${id}`, { as: asha })
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Invite people' }).click()
  const release = await holdBack(page, '**/trpc/collections.createInvitation*')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page.getByRole('button', { name: 'Make a link', disabled: true }).waitFor()
  // The link is shown only once.
  await page.keyboard.press('Escape')
  release()
  const link = await page.getByLabel('Link to share').inputValue()
  const guest = await signUp(site.url, 'Ravi')
  const joining = await site.visit(new URL(link).pathname, { as: guest })
  await joining.page.getByRole('button', { name: 'Join the collection' }).click()
  await joining.page.getByRole('heading', { level: 1, name: 'Class 5b' }).waitFor()
  await joining.page.getByText('Choose “Add to collection”').waitFor()
})

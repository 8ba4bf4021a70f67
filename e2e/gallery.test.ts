import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually, expectPageErrors } from './support/browser.ts'
import { calls, holdBack, requestLog } from './support/network.ts'
import { focused, menuItemOf, opacityOf } from './support/page-parts.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  for (const prompt of ['A lotus at dawn', 'A lotus at dusk', 'Kites over Jaipur', 'Lanterns on the river'])
    await asha.share(prompt)
})

const promptsOn = (page: Page) =>
  page
    .locator('main article h2 img')
    .evaluateAll((images) => images.map((image) => image.getAttribute('alt')))

test('shows visitors the posts, newest first, with their images, and does not fetch them again', async () => {
  const visitor = await site.visit('/robots.txt', { settle: false })
  const { page } = visitor
  const asked = requestLog(page, 'posts.list')
  await page.goto('/')
  await settled(visitor)
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([
    'Rangoli — Text-to-Image AI Generator',
  ])
  expect(await page.title()).toBe('Rangoli — Text-to-Image AI Generator')
  expect(await page.getByRole('main').getByRole('list').count()).toBe(1)
  expect(await promptsOn(page)).toEqual([
    'Lanterns on the river',
    'Kites over Jaipur',
    'A lotus at dusk',
    'A lotus at dawn',
  ])
  const images = page.getByRole('listitem').locator('h2 img')
  await eventually(() =>
    images.evaluateAll((all) =>
      all.map((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    ),
  ).toEqual([true, true, true, true])
  expect(await page.getByRole('link', { name: 'Create', exact: true }).count()).toBe(0)
  expect(await page.getByRole('menuitem', { name: 'Delete post' }).count()).toBe(0)
  expect(asked).toEqual([])
})

test('shows and searches posts without JavaScript', async () => {
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  await page.getByText('Showing 4 posts', { exact: true }).waitFor()
  expect(await page.getByRole('listitem').locator('h2 img').count()).toBe(4)
  await page.getByRole('listitem').first().hover()
  await eventually(() => page.getByText('Lanterns on the river', { exact: true }).isVisible()).toBe(true)
  await page.getByLabel('Search Posts').fill('kites')
  await page.getByLabel('Search Posts').press('Enter')
  await page.waitForURL('/?q=kites')
  await page.getByRole('heading', { name: 'Results for kites', exact: true }).waitFor()
  await page.getByText('Showing 1 post', { exact: true }).waitFor()
})

test.each(['/no/such/page', '/rules'])(
  '%s shows Page not found, with 404 and a link to the gallery',
  async (path) => {
    const visitor = await site.visit(path)
    const { page } = visitor
    await expectPageErrors(visitor, /status of 404/)
    await page.getByRole('heading', { level: 1, name: 'Page not found', exact: true }).waitFor()
    expect(await page.title()).toBe('Page not found — Rangoli')
    await page.getByRole('main').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Rangoli — Text-to-Image AI Generator' }).waitFor()
    expect(page.url()).toBe(`${site.url}/`)
    expect(await page.title()).toBe('Rangoli — Text-to-Image AI Generator')
    await page.goBack()
    await eventually(() => page.title()).toBe('Page not found — Rangoli')
  },
)

test('orders the posts by likes, and lists those of an author, in addresses', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const [post] = (await asha.trpc.posts.list.query({ search: 'dusk' })).posts
  for (const { trpc } of [asha, ravi]) await trpc.posts.like.mutate({ id: post?.id ?? '' })
  const { page } = await site.visit('/')
  const order = page.getByRole('navigation', { name: 'Order' })
  expect(await order.getByRole('link').allTextContents()).toEqual(['Newest', 'Most liked'])
  await order.getByRole('link', { name: 'Most liked' }).click()
  await page.waitForURL('/?sort=top')
  await eventually(async () => (await promptsOn(page))[0]).toBe('A lotus at dusk')
  await order.getByRole('link', { name: 'Week' }).click()
  await page.waitForURL('/?sort=top&period=week')
  expect(await order.locator('[aria-current]').allTextContents()).toEqual(['Most liked', 'Week'])
  await page.getByLabel('Search Posts').fill('lotus')
  await page.getByLabel('Search Posts').press('Enter')
  await page.getByText('Showing 2 posts', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toMatch(/sort=top&period=week/)

  const card = page.getByRole('listitem').filter({ hasText: 'A lotus at dawn' })
  await card.hover()
  await card.getByRole('link', { name: 'Asha Rao' }).click()
  await page.waitForURL(`/authors/${post?.authorId}`)
  await page.getByRole('heading', { level: 1, name: 'Asha Rao' }).waitFor()
  await eventually(() => page.title()).toBe('Asha Rao — Rangoli')
  await page.getByLabel('Search Posts').fill('dawn')
  await page.waitForURL(`/authors/${post?.authorId}?q=dawn`)
  await eventually(() => promptsOn(page)).toEqual(['A lotus at dawn'])
})

test('has 1, 2, 3 or 4 columns by viewport width', async () => {
  const { page } = await site.visit('/')
  const columns: Record<number, number> = {}
  for (const width of [360, 479, 480, 767, 768, 1023, 1024, 3840]) {
    await page.setViewportSize({ width, height: 800 })
    const lefts = await page
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
    columns[width] = new Set(lefts).size
  }
  expect(columns).toEqual({ 360: 1, 479: 1, 480: 2, 767: 2, 768: 3, 1023: 3, 1024: 4, 3840: 4 })
})

test('shows prompt, author and Download image on hover, below which the pointer reaches the image', async () => {
  const { page } = await site.visit('/')
  const card = page.getByRole('listitem').first()
  const prompt = card.getByText('Lanterns on the river', { exact: true })
  await eventually(() => opacityOf(prompt)).toBe(0)
  await card.hover()
  await eventually(() => opacityOf(prompt)).toBe(1)
  expect(await card.getByText('Asha Rao', { exact: true }).isVisible()).toBe(true)
  expect(await card.getByText('A', { exact: true }).isVisible()).toBe(true)
  expect(await card.getByRole('button', { name: 'Download image', exact: true }).isVisible()).toBe(true)
  const { x = 0, y = 0 } = (await prompt.boundingBox()) ?? {}
  const reached = ([left, top]: readonly [number, number]) => document.elementFromPoint(left, top)?.localName
  expect(await page.evaluate(reached, [x + 5, y + 5] as const)).toBe('img')
  await page.getByRole('heading', { level: 1 }).hover()
  await eventually(() => opacityOf(prompt)).toBe(0)

  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
  const touched = (await site.visit('/', phone)).page.getByRole('listitem').first()
  expect(await opacityOf(touched.getByText('Lanterns on the river', { exact: true }))).toBe(1)
  expect(await opacityOf(touched.getByRole('button', { name: 'Download image' }))).toBe(1)
})

test('shows images in true shapes where the browser has chosen so, in all tabs and from the first paint', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  const view = page.getByRole('navigation', { name: 'View' })
  const image = page.getByRole('listitem').first().locator('h2 img')
  const { page: other } = await visitor.openTab('/?q=lotus')
  const isWhole = (shown: Locator) =>
    shown.evaluate((element: HTMLImageElement) => /fit-|original/.test(element.currentSrc))
  expect(await isWhole(image)).toBe(false)
  await view.getByRole('link', { name: 'True shapes' }).click()
  await eventually(() => isWhole(image)).toBe(true)
  await eventually(() => isWhole(other.locator('main li h2 img').first())).toBe(true)
  expect(page.url()).toBe(`${site.url}/`)
  const html = await page.request.get('/')
  expect(await html.text()).toContain('data-view="shapes"')
  await page.reload()
  await eventually(() => isWhole(image)).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  const lefts = () =>
    page.getByRole('listitem').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
  await eventually(async () => new Set(await lefts()).size).toBe(2)
  await view.getByRole('link', { name: 'Squares' }).click()
  await eventually(() => isWhole(image)).toBe(false)

  const { page: plain } = await site.visit('/?q=lotus', { javaScriptEnabled: false })
  await plain.getByRole('link', { name: 'True shapes' }).click()
  await plain.waitForURL('/?q=lotus')
  await plain.goto('/')
  expect(await plain.locator('main ul').getAttribute('data-view')).toBe('shapes')
})

test('begins with the images at the top: typing covers them, and a search and later visits fold the heading', async () => {
  const { page } = await site.visit('/', { viewport: { width: 1440, height: 900 } })
  const top = async () => (await page.getByRole('listitem').first().boundingBox())?.y ?? 0
  const first = await top()
  expect(first).toBeLessThanOrEqual(300)
  await page.getByLabel('What shall we draw?').pressSequentially('A blue lotus')
  await page.getByAltText('Preview of: A blue lotus', { exact: true }).waitFor()
  expect(await top()).toBe(first)
  await page.reload()
  expect(await top()).toBeLessThan(first - 80)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
})

test('likes on cards, and the most liked end where likes end', async () => {
  const meera = await signUp(site.url, 'Meera Nair')
  const { id } = await asha.share('A post that is gone')
  const { page, expectedErrors } = await site.visit('/', { as: meera })
  await asha.trpc.posts.delete.mutate({ id })
  const gone = page.locator(`#post-${id}`)
  expectedErrors.push(/status of 404/)
  await gone.hover()
  await gone.getByRole('button', { name: 'Like' }).click()
  await gone.waitFor({ state: 'detached' })
  const card = page.getByRole('listitem').filter({ hasText: 'Kites over Jaipur' })
  await card.hover()
  const liked = async () => (await meera.trpc.posts.list.query({ sort: 'top', isLiked: true })).total
  const before = await liked()
  await card.getByRole('button', { name: 'Like' }).click()
  await eventually(() => card.getByRole('button', { name: 'Liked' }).innerText()).toMatch(/1$/)
  // A call that a navigation interrupts is lost.
  await eventually(liked).toBe(before + 1)
  await page.goto('/?sort=top')
  await page.getByText(`Showing ${before + 1} post`).waitFor()
  await page.getByText('Nothing else has been liked yet.').waitFor()
  await eventually(() => page.getByRole('listitem').count()).toBe(before + 1)
})

test('downloads an image with its recipe under its post id, again after a failure', async () => {
  const [post] = (await asha.trpc.posts.list.query({ search: 'Kites' })).posts
  const visitor = await site.visit('/?q=kites')
  const { page } = visitor
  const card = page.getByRole('listitem')
  const failure = card.getByRole('alert').getByText(/could not be downloaded/)
  await page.route(calls.downloads, (route) => route.fulfill({ status: 404, body: 'gone' }))
  await card.hover()
  await card.getByRole('button', { name: 'Download image' }).click()
  await failure.waitFor()
  await expectPageErrors(visitor, /could not download file|status of 404/)
  await page.unroute(calls.downloads)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download image' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`download-${post?.id}.jpg`)
  const bytes = await readFile(await download.path())
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(bytes.toString('latin1')).toContain('<rangoli:Prompt>Kites over Jaipur<')
  await failure.waitFor({ state: 'detached' })
})

test('deletes a post after a confirmation, and focuses its neighbor', async () => {
  await asha.share('A lotus to delete')
  const { page } = await site.visit('/', { as: asha })
  const { total } = await asha.trpc.posts.list.query()
  const card = page.getByRole('listitem').filter({ hasText: 'A lotus to delete' })
  const question = page.getByRole('alertdialog')
  const knowViewer = await holdBack(page, calls.viewer)
  await page.reload()
  const deletion = await menuItemOf(card, 'Delete post')
  await page.keyboard.press('End')
  knowViewer()
  await eventually(() => focused(page)).toBe('Like')
  await deletion.click()
  await question.waitFor()
  expect(await focused(page)).not.toBe('Delete')
  await question.getByRole('button', { name: 'Keep it', exact: true }).click()
  await eventually(() => focused(page)).toBe('More actions')

  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(`Showing ${total - 1} posts`, { exact: true }).waitFor()
  expect(await card.count()).toBe(0)
  await eventually(() => page.evaluate(() => document.activeElement?.closest('li')?.tagName)).toBe('LI')
  await page.reload()
  await page.getByText(`Showing ${total - 1} posts`, { exact: true }).waitFor()
})

test('narrows the gallery by words and shapes in its address, without JavaScript, too', async () => {
  await eventually(async () => (await asha.trpc.posts.words.query()).words.map(({ word }) => word)).toContain(
    'lotus',
  )
  const { id } = await asha.share('A lotus seen again')
  const { page } = await site.visit('/', { javaScriptEnabled: false })
  const filters = page.getByRole('navigation', { name: 'Filters' })
  await page.getByRole('navigation', { name: 'Frequent words' }).getByRole('link', { name: 'lotus' }).click()
  await filters.getByRole('link', { name: 'Square' }).click()
  await page.waitForURL('/?q=lotus&shape=square')
  await page.getByText('Showing 3 posts', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Clear lotus' }).click()
  await page.waitForURL('/?shape=square')
  await filters.getByRole('link', { name: 'Clear Square' }).click()
  await page.waitForURL('/')

  const { page: other } = await site.visit('/?q=lotsu')
  await other.getByRole('main').getByRole('link', { name: 'lotus' }).last().click()
  await other.waitForURL('/?q=lotus')
  await asha.trpc.posts.delete.mutate({ id })
})

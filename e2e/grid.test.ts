import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { opacityOf } from './support/page-inspection.ts'
import { signUp, type User } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  for (const number of [1, 2, 3, 4, 5]) await asha.share(`Kites over Jaipur, number ${number}`)
})

test('has 1, 2, 3 or 4 columns by viewport width', async () => {
  const { page } = await site.visit('/')
  const columns: Record<number, number> = {}
  for (const width of [360, 400, 479, 480, 600, 767, 768, 900, 1023, 1024, 1280, 3840]) {
    await page.setViewportSize({ width, height: 800 })
    const lefts = await page
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
    columns[width] = new Set(lefts).size
  }
  expect(columns).toEqual({
    360: 1,
    400: 1,
    479: 1,
    480: 2,
    600: 2,
    767: 2,
    768: 3,
    900: 3,
    1023: 3,
    1024: 4,
    1280: 4,
    3840: 4,
  })
})

test('shows whole images in the same squares where the browser has chosen so, in all tabs', async () => {
  const visitor = await site.visit('/', { isNew: true })
  const { page } = visitor
  const image = page.getByRole('listitem').first().locator('img')
  const toggle = page.getByRole('button', { name: 'Whole images', exact: true })
  const { page: other } = await visitor.openTab(`/authors/${(await theNewestPost()).authorId}`)
  const square = await image.boundingBox()
  expect(await shownImage(image)).toEqual({ isWhole: false, isUncropped: false })
  await toggle.click()
  await eventually(() => shownImage(image)).toEqual({ isWhole: true, isUncropped: true })
  expect(await image.boundingBox()).toEqual(square)
  await eventually(() => shownImage(other.locator('main li img').first())).toEqual({
    isWhole: true,
    isUncropped: true,
  })
  await page.reload()
  await eventually(() => toggle.getAttribute('aria-pressed')).toBe('true')
  await eventually(() => shownImage(image)).toEqual({ isWhole: true, isUncropped: true })
  await toggle.click()
  await eventually(() => shownImage(image)).toEqual({ isWhole: false, isUncropped: false })
})

test('the first image begins in the upper half of a small phone', async () => {
  const { page } = await site.visit('/', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 640 },
  })
  const image = page.getByRole('listitem').first().locator('img')
  await eventually(async () => (await image.boundingBox())?.y).toBeLessThanOrEqual(300)
  const controls = page.locator('main').getByRole('button', { name: 'Whole images' })
  expect((await controls.boundingBox())?.width).toBeGreaterThanOrEqual(44)
  expect((await controls.boundingBox())?.height).toBeGreaterThanOrEqual(44)
})

test('shows prompt, author with initial, and Download image on hover', async () => {
  const { page } = await site.visit('/')
  const card = page.getByRole('listitem').first()
  const prompt = card.getByText('Kites over Jaipur, number 5', { exact: true })
  await eventually(() => opacityOf(prompt)).toBe(0)
  await card.hover()
  await eventually(() => opacityOf(prompt)).toBe(1)
  expect(await card.getByText('Asha Rao', { exact: true }).isVisible()).toBe(true)
  expect(await card.getByText('A', { exact: true }).isVisible()).toBe(true)
  expect(await card.getByRole('button', { name: 'Download image', exact: true }).isVisible()).toBe(true)
  await page.getByRole('heading', { level: 1 }).hover()
  await eventually(() => opacityOf(prompt)).toBe(0)
})

test('the pointer reaches the image below the overlay, which links to the page of the post', async () => {
  const { page } = await site.visit('/')
  const card = page.getByRole('listitem').first()
  await card.hover()
  const prompt = await card.getByText('Kites over Jaipur').boundingBox()
  if (!prompt) throw new Error('The card is not on the screen.')
  const reached = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.localName, [
    prompt.x + 5,
    prompt.y + 5,
  ] as const)
  expect(reached).toBe('img')
  const link = card.getByRole('link', { name: 'Kites over Jaipur, number 5', exact: true })
  const { id } = await theNewestPost()
  expect(await link.getAttribute('href')).toBe(`/posts/${id}`)
})

test('shows post details without hover on touch screens', async () => {
  const { page } = await site.visit('/', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  })
  const card = page.getByRole('listitem').first()
  expect(await opacityOf(card.getByText('Kites over Jaipur, number 5', { exact: true }))).toBe(1)
  expect(await opacityOf(card.getByText('Asha Rao', { exact: true }))).toBe(1)
  expect(await opacityOf(card.getByRole('button', { name: 'Download image' }))).toBe(1)
})

async function theNewestPost() {
  const [post] = (await asha.trpc.posts.list.query()).posts
  if (!post) throw new Error('There is no post.')
  return post
}

/** Whether the whole image fits into its box, and whether an uncropped copy has loaded. */
function shownImage(image: Locator) {
  return image.evaluate((element) => ({
    isWhole: getComputedStyle(element).objectFit === 'contain',
    isUncropped:
      element instanceof HTMLImageElement &&
      element.currentSrc.endsWith('/fit-640.webp') &&
      element.naturalWidth > 0,
  }))
}

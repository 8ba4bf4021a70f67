import { beforeAll, describe, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/browser.ts'
import { expectToday, formOn, generate, generationOn, imageCount, imageReady } from './support/form.ts'
import { calls, holdBack, requestLog, retryAtOnce } from './support/network.ts'
import { focused } from './support/page-parts.ts'
import { settled, useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('The first post')
})

test('offers prompts, requires one, and shows the generation, its image and the count of the day', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const form = formOn(page)
  expect(await form.name.inputValue()).toBe('Asha')
  expect(await form.name.getAttribute('placeholder')).toMatch(/\w/)
  expect(await form.prompt.inputValue()).toBe('')
  for (const field of [form.name, form.prompt]) expect(await field.getAttribute('required')).not.toBe(null)
  expect(await form.share.count()).toBe(0)
  await form.surprise.click()
  const first = await form.prompt.inputValue()
  expect(await page.getByRole('status').textContent()).toBe(first)
  await form.surprise.click()
  expect(await form.prompt.inputValue()).not.toBe(first)

  await expectToday(page, 1)
  expect(await imageCount(page)).toBe('1')
  const requests = requestLog(page, 'images.generate')
  for (const prompt of ['', '   \n']) {
    await form.prompt.fill(prompt)
    await form.generate.click()
    await expectAlert(visitor, 'Please provide a prompt')
  }
  await form.failure.getByText('Please provide a prompt', { exact: true }).waitFor()
  expect(requests).toEqual([])

  const preview = page.getByRole('main').locator('[aria-busy]')
  expect(await preview.boundingBox()).toMatchObject({ width: 256, height: 256 })
  expect(await preview.locator('svg').count()).toBe(1)
  const release = await holdBack(page, calls.generate)
  await form.prompt.fill('A lotus at dawn')
  await form.generate.press('Enter')
  await form.generating.waitFor()
  expect(await form.generating.isDisabled()).toBe(true)
  expect(await focused(page)).toBe('Generating…')
  // Refused: the test would see two images.
  await page.keyboard.press('Enter')
  await form.spinner.waitFor()
  expect(await form.share.count()).toBe(0)
  expect(await form.image.count()).toBe(0)
  release()
  await imageReady(form)
  expect(await form.generate.isEnabled()).toBe(true)
  expect(await focused(page)).toBe('Generate')
  expect(await form.spinner.count()).toBe(0)
  expect(await form.image.getAttribute('alt')).toBe('A lotus at dawn')
  expect(await preview.boundingBox()).toMatchObject({ width: 256, height: 256 })
  expect(await preview.locator('svg').count()).toBe(0)
  await expectToday(page, 2)
  await eventually(() => imageCount(page)).toBe('2')
})

test('keeps the image when the prompt changes, and the draft after a reload', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await form.name.fill('Asha of the hills')
  await generate(page, 'A cabin')
  expect(await page.getByText(/prompt has changed/).count()).toBe(0)
  await form.prompt.fill('A cabin in the snow')
  await page.getByText(/prompt has changed/).waitFor()
  await page.reload()
  await imageReady(form)
  expect(await form.name.inputValue()).toBe('Asha of the hills')
  expect(await form.prompt.inputValue()).toBe('A cabin in the snow')
  expect(await form.image.getAttribute('alt')).toBe('A cabin')
  await form.prompt.fill(' A cabin ')
  await eventually(() => page.getByText(/prompt has changed/).count()).toBe(0)
})

test('alerts “Something went wrong!” without a network, and keeps the image before', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A lotus')
  await visitor.page.route(calls.generate, (route) => route.abort())
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  await form.failure.getByText('Something went wrong!').waitFor()
  expect(await form.image.count()).toBe(1)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await visitor.page.unroute(calls.generate)
  await form.generate.click()
  await imageReady(form)
  expect(await form.failure.count()).toBe(0)
})

describe('options', () => {
  /** Opens the form as a new user. */
  async function openForm() {
    const meera = await signUp(site.url, 'Meera Iyer')
    const visitor = await site.visit('/create-post', { as: meera })
    const { page } = visitor
    const main = page.getByRole('main')
    return {
      meera,
      page,
      form: generationOn(page),
      options: main.getByRole('button', { name: 'Options', exact: true }),
      seed: main.getByLabel('Seed', { exact: true }),
      count: (number: number) => main.getByRole('radio', { name: String(number), exact: true }),
      main,
    }
  }

  test('keeps options behind a button that remembers its state, and names what differs from the defaults', async () => {
    const { page, form, options, seed, count, main } = await openForm()
    await form.prompt.fill('A kolam with options')
    expect(await options.getAttribute('aria-expanded')).toBe('false')
    expect(await seed.count()).toBe(0)
    await options.click()
    await seed.fill('7')
    await count(2).check()
    await main.getByRole('radio', { name: '2:3' }).check()
    await main.getByText(/^832 × 1216 · seed 7 · 2 images$/).waitFor()
    await page.reload()
    await seed.waitFor()
    expect(await seed.inputValue()).toBe('7')
    await options.click()
    await main.getByText(/^832 × 1216 · seed 7 · 2 images$/).waitFor()
    await page.reload()
    await form.prompt.waitFor()
    expect(await options.getAttribute('aria-expanded')).toBe('false')
  })

  test('generates the chosen number of images, of which the selected one is shared', async () => {
    const { meera, page, form, options, count, main } = await openForm()
    await form.prompt.fill('A kolam four times')
    await options.click()
    await main.getByText('Each image counts: 20 left today.').waitFor()
    await count(3).check()
    await form.generate.click()
    await imageReady(form)
    await expectToday(page, 3)
    const { images } = await meera.trpc.images.list.query()
    expect(images.map(({ recipe }) => recipe?.seed).toReversed()).toEqual([null, 1, 2])
    const batch = main.getByRole('radio', { name: /^Image \d of 3, ready$/ })
    expect(await batch.count()).toBe(3)
    await batch.nth(2).check({ force: true })
    await page.reload()
    await imageReady(form)
    expect(await batch.nth(2).isChecked()).toBe(true)
    await form.share.click()
    await page.waitForURL('/')
    const { posts } = await meera.trpc.posts.list.query({})
    expect(posts[0]?.photo).toBe(images[0]?.photo)
  })

  test('shows the existing pattern of the same prompt uncounted, and varies it', async () => {
    const { page, form, main } = await openForm()
    await form.prompt.fill('The same kolam')
    await form.generate.click()
    await imageReady(form)
    await form.generate.click()
    await main.getByText(/The same words make the same pattern/).waitFor()
    await expectToday(page, 1)
    await main.getByRole('button', { name: 'Vary', exact: true }).click()
    await expectToday(page, 2)
    await imageReady(form)
    await main.getByText('seed 1', { exact: true }).waitFor()
    expect(await main.getByText(/The same words/).count()).toBe(0)
  })
})

describe('sharing', () => {
  test('shows a shared image first in the gallery, and in another tab after a reload', async () => {
    const { total } = await asha.trpc.posts.list.query()
    const visitor = await site.visit('/', { as: asha })
    const other = await visitor.openTab('/')
    await settled(other)
    const { page } = visitor
    await page.getByRole('banner').getByRole('link', { name: 'Create' }).click()
    await generate(page, 'A lantern on the lake')
    await formOn(page).name.fill('Asha of the lake')
    const release = await holdBack(page, calls.share)
    await formOn(page).share.click()
    await formOn(page).sharing.waitFor()
    expect(await formOn(page).sharing.isDisabled()).toBe(true)
    release()
    await page.waitForURL('/')
    expect(page.url()).toBe(`${site.url}/`)
    await page.goBack()
    await formOn(page).prompt.waitFor()
    expect(await formOn(page).prompt.inputValue()).toBe('')
    await page.goForward()
    for (const tab of [page, other.page]) {
      if (tab === other.page) await tab.reload()
      await tab.getByText(`Showing ${total + 1} posts`, { exact: true }).waitFor()
      const first = tab.getByRole('listitem').first()
      expect(await first.getByRole('link').first().getAttribute('aria-label')).toBe('A lantern on the lake')
      expect(await first.getByText('Asha of the lake', { exact: true }).count()).toBe(1)
    }
  })

  test('requires a prompt, and keeps the form without a network', async () => {
    const visitor = await site.visit('/create-post', { as: asha })
    const form = formOn(visitor.page)
    await generate(visitor.page, 'A patient boat')
    await form.prompt.fill('  ')
    await form.share.click()
    const missing = 'Please enter a prompt and generate an image'
    await expectAlert(visitor, missing)
    await form.failure.getByText(missing, { exact: true }).waitFor()
    await form.prompt.fill('A patient boat')
    await visitor.page.route(calls.share, (route) => route.abort())
    await form.share.click()
    await expectAlert(visitor, 'Failed to share post')
    await expectPageErrors(visitor, /net::ERR_FAILED/)
    await form.failure.getByText('Failed to share post', { exact: true }).waitFor()
    expect(await form.prompt.inputValue()).toBe('A patient boat')
    expect(await form.image.count()).toBe(1)
    await visitor.page.unroute(calls.share)
    await form.share.click()
    await visitor.page.waitForURL('/')
  })

  test('shares for people with the link only, without the prompt', async () => {
    const { page } = await site.visit('/create-post', { as: asha })
    await generate(page, 'A quiet pond')
    await page.getByText('Sharing options', { exact: true }).click()
    await page.getByRole('radio', { name: /^Unlisted/ }).check()
    await page.getByLabel('Hide the prompt from others').check()
    await formOn(page).share.click()
    await page.waitForURL('/posts/*')
    const post = await asha.trpc.posts.get.query({ id: page.url().split('/').at(-1) ?? '' })
    expect(post).toMatchObject({ visibility: 'unlisted', isPromptHidden: true })
    expect((await asha.trpc.posts.list.query({ search: 'quiet pond' })).total).toBe(0)
  })

  test('fills the form from a post, and the shared image names it as its parent', async () => {
    const parent = await (await signUp(site.url, 'Ravi Kumar')).share('A fox in the snow')
    const { page } = await site.visit(`/create-post?remix=${parent.id}`, { as: asha })
    const form = formOn(page)
    await page.getByText('by Ravi Kumar').filter({ hasText: 'Remix of “A fox in the snow”' }).waitFor()
    expect(await form.prompt.inputValue()).toBe('A fox in the snow')
    await page.waitForURL('/create-post')
    await form.prompt.fill('A fox in the snow at dusk')
    await form.prompt.press('Control+Enter')
    await form.share.click()
    await page.waitForURL('/')
    await page.getByRole('link', { name: 'View post', exact: true }).click()
    await page.waitForURL('/posts/*')
    const post = await asha.trpc.posts.get.query({ id: page.url().split('/').at(-1) ?? '' })
    expect(post).toMatchObject({ prompt: 'A fox in the snow at dusk', parent: parent.id })
    await page.goto('/create-post')
    await form.prompt.waitFor()
    expect(await page.getByText('Remix of').count()).toBe(0)
  })
})

describe('with a daily limit of one image', () => {
  const limited = useSite({ DAILY_IMAGE_LIMIT: '1' })
  const limitMessage = 'You have reached your daily image limit.'

  test('alerts without a request when the daily limit is reached', async () => {
    const visitor = await limited.visit('/create-post', { as: await signUp(limited.url) })
    const { page } = visitor
    const form = formOn(page)
    await generate(page, 'A lotus')
    await page.getByText('Generated today: 1', { exact: true }).waitFor()
    await eventually(() => imageCount(page)).toBe('1')
    const count = page.locator(`#${await form.generate.getAttribute('aria-describedby')}`)
    expect(await count.innerText()).toContain('0 left today')
    const requests = requestLog(page, 'images.generate')
    await form.generate.click()
    await expectAlert(visitor, limitMessage)
    await form.failure.getByText(limitMessage, { exact: true }).waitFor()
    expect(requests).toEqual([])
    expect(await form.share.isEnabled()).toBe(true)
    await form.share.click()
    await page.waitForURL('/')
  })
})

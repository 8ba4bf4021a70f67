import { beforeAll, expect, test } from 'vitest'
import { eventually, expectAlert, expectPageErrors } from './support/expectations.ts'
import { formOn, generate, imageCount, imageReady } from './support/form.ts'
import { calls, holdBack, requestLog, retryAtOnce } from './support/network.ts'
import { focused } from './support/sign-in-dialog.ts'
import { signUp, type User } from './support/user.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
})

test('shows the user’s first name and an empty prompt', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await form.name.waitFor()
  expect(await form.name.inputValue()).toBe('Asha')
  expect(await form.name.getAttribute('placeholder')).toMatch(/\w/)
  expect(await form.prompt.inputValue()).toBe('')
  for (const field of [form.name, form.prompt]) expect(await field.getAttribute('required')).not.toBe(null)
  expect(await form.share.count()).toBe(0)
})

test('never picks the current prompt with Surprise me', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await form.surprise.click()
  const prompts = [await form.prompt.inputValue()]
  expect(await page.getByRole('status').textContent()).toBe(prompts[0])
  // Clicks of the page itself take a tenth of the time.
  const clicked = await form.surprise.evaluate(async (button: HTMLButtonElement) => {
    const results: { prompt: string | undefined; status: string | null | undefined }[] = []
    for (let click = 0; click < 39; click += 1) {
      button.click()
      await new Promise(requestAnimationFrame)
      results.push({
        prompt: document.querySelector('textarea')?.value,
        status: document.querySelector('[role=status]')?.textContent,
      })
    }
    return results
  })
  for (const { prompt = '', status } of clicked) {
    expect(prompt.trim()).not.toBe('')
    expect(prompt).not.toBe(prompts.at(-1))
    expect(status).toBe(prompt)
    prompts.push(prompt)
  }
  expect(new Set(prompts).size).toBeGreaterThan(10)
})

test('alerts without a request if the prompt is empty', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  const requests = requestLog(visitor.page, 'images.generate')
  for (const prompt of ['', '   \n']) {
    await form.prompt.fill(prompt)
    await form.generate.click()
    await expectAlert(visitor, 'Please provide a prompt')
  }
  await form.failure.getByText('Please provide a prompt', { exact: true }).waitFor()
  expect(requests).toEqual([])
  expect(await form.generate.isEnabled()).toBe(true)
})

test('shows a busy button and a spinner during a generation, then the image and Share', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
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
  await form.generate.waitFor()
  expect(await form.generate.isEnabled()).toBe(true)
  expect(await focused(page)).toBe('Generate')
  expect(await form.spinner.count()).toBe(0)
  expect(await form.image.getAttribute('alt')).toBe('A lotus at dawn')
  await eventually(() =>
    form.image.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
  ).toBeGreaterThan(255)
})

test('keeps the preview a square of 16 rem, with and without an image', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const preview = page.getByRole('main').locator('[aria-busy]')
  await preview.waitFor()
  expect(await preview.boundingBox()).toMatchObject({ width: 256, height: 256 })
  expect(await preview.locator('svg').count()).toBe(1)
  await generate(page, 'A lotus at dusk')
  expect(await preview.boundingBox()).toMatchObject({ width: 256, height: 256 })
  expect(await preview.locator('svg').count()).toBe(0)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await preview.boundingBox()).toMatchObject({ width: 256, height: 256 })

  const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }
  const onPhone = (await site.visit('/create-post', { as: asha, ...phone })).page
  const smallPreview = onPhone.getByRole('main').locator('[aria-busy]')
  expect(await smallPreview.boundingBox()).toMatchObject({ width: 256, height: 256 })
})

test('counts the images of the day on the page and in the browser', async () => {
  const ravi = await signUp(site.url, 'Ravi Kumar')
  const { page } = await site.visit('/create-post', { as: ravi })
  await page.getByText('Generated today: 0', { exact: true }).waitFor()
  expect(await imageCount(page)).toBe('0')
  await generate(page, 'A kite')
  await page.getByText('Generated today: 1', { exact: true }).waitFor()
  await eventually(() => imageCount(page)).toBe('1')
  await ravi.generate('Another kite, made elsewhere')
  await page.reload()
  await page.getByText('Generated today: 2', { exact: true }).waitFor()
  await eventually(() => imageCount(page)).toBe('2')
})

test('opens the whole image of the preview, and returns the focus', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  await generate(page, 'A lotus to look at')
  const open = page.locator('[aria-busy]').getByRole('button', { name: 'Open image', exact: true })
  await open.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'A lotus to look at' })
  await dialog.getByRole('img', { name: 'A lotus to look at' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await eventually(() => open.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('generates one image for a double click on Generate', async () => {
  const meera = await signUp(site.url, 'Meera')
  const { page } = await site.visit('/create-post', { as: meera })
  const form = formOn(page)
  await form.prompt.fill('A peacock')
  await form.generate.dblclick()
  await imageReady(form)
  await page.getByText('Generated today: 1', { exact: true }).waitFor()
  expect((await meera.trpc.images.list.query()).images.length).toBe(1)
})

test('keeps the image when the prompt changes, and notes that they differ', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await generate(page, 'A boat')
  expect(await page.getByText(/prompt has changed/).count()).toBe(0)
  await form.prompt.fill('A boat on the Ganga')
  await page.getByText(/prompt has changed/).waitFor()
  expect(await form.image.getAttribute('alt')).toBe('A boat')
  expect(await form.share.isVisible()).toBe(true)
  await form.prompt.fill(' A boat ')
  await eventually(() => page.getByText(/prompt has changed/).count()).toBe(0)
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

test('keeps the draft and its image after a reload', async () => {
  const { page } = await site.visit('/create-post', { as: asha })
  const form = formOn(page)
  await form.name.fill('Asha of the hills')
  await generate(page, 'A cabin')
  await form.prompt.fill('A cabin in the snow')
  await page.reload()
  await imageReady(form)
  expect(await form.name.inputValue()).toBe('Asha of the hills')
  expect(await form.prompt.inputValue()).toBe('A cabin in the snow')
  expect(await form.image.getAttribute('alt')).toBe('A cabin')
  await form.share.click()
  await page.waitForURL('/')
})

test('hides the draft from another user', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  await formOn(visitor.page).prompt.fill('My secret thought')
  const ravi = await signUp(site.url, 'Ravi Kumar')
  await visitor.context.addCookies([{ ...ravi.cookie, url: site.url }])
  await visitor.page.reload()
  await eventually(() => formOn(visitor.page).name.inputValue()).toBe('Ravi')
  expect(await formOn(visitor.page).prompt.inputValue()).toBe('')
})

test('alerts “Image not found.” if the image of the draft was deleted', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A ghost')
  await visitor.page.evaluate(() => {
    const draft = JSON.parse(sessionStorage.getItem('draft') ?? '') as { image: { id: string } }
    draft.image.id = 'no-such-image'
    sessionStorage.setItem('draft', JSON.stringify(draft))
  })
  await visitor.page.reload()
  await form.share.click()
  await expectAlert(visitor, 'Image not found.')
  await form.failure.getByText('Image not found.', { exact: true }).waitFor()
})

test('alerts the server’s message once and keeps it in the form if the server rejects a prompt', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  const prompt = 'a'.repeat(4_001)
  await form.name.fill('Asha of the lake')
  await form.prompt.fill(prompt)
  await form.generate.click()
  await expectAlert(visitor, 'A prompt may have at most 4,000 characters.')
  await form.failure.getByText('A prompt may have at most 4,000 characters.', { exact: true }).waitFor()
  await eventually(() => form.generate.isEnabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe(prompt)
  expect(await form.name.inputValue()).toBe('Asha of the lake')
  expect(await form.spinner.count()).toBe(0)
  expect(await form.share.count()).toBe(0)
})

test('alerts “Something went wrong!” without a network', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await visitor.page.route(calls.generate, (route) => route.abort())
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  await form.failure.getByText('Something went wrong!').waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED/)
  await visitor.page.unroute(calls.generate)
  await form.generate.click()
  await imageReady(form)
  expect(await form.failure.count()).toBe(0)
})

test.each([
  { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
  { status: 200, contentType: 'text/html', body: 'log in to the hotel network' },
])('alerts “Something went wrong!” after status $status with "$body"', async (response) => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  visitor.expectedErrors.push(/status of 50/)
  await visitor.page.route(calls.generate, (route) => route.fulfill(response))
  await form.prompt.fill('A lotus')
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  await eventually(() => form.generate.isEnabled()).toBe(true)
  expect(await form.prompt.inputValue()).toBe('A lotus')
})

test('keeps the previous image after a failure', async () => {
  const visitor = await site.visit('/create-post', { as: asha })
  const form = formOn(visitor.page)
  await generate(visitor.page, 'A lotus')
  await visitor.page.route(calls.generate, (route) => route.abort())
  await form.generate.click()
  await retryAtOnce(visitor)
  await expectAlert(visitor, 'Something went wrong!')
  expect(await form.image.count()).toBe(1)
  expect(await form.share.isEnabled()).toBe(true)
  await expectPageErrors(visitor, /net::ERR_FAILED/)
})

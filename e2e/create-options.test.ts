import { expect, test } from 'vitest'
import sharp from 'sharp'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { imageReady } from './support/form.ts'
import { expectToday, generationOn } from './support/generation.ts'
import { holdBack } from './support/network.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
/** Creates a PNG with settings as AUTOMATIC1111 writes them. */
async function lighthouse(): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const settings = 'Steps: 28, CFG scale: 6.5, Seed: 7, Size: 768x1280, Model: sd_xl'
  const text = Buffer.from(`parameters\0a lighthouse\nNegative prompt: blurry\n${settings}`)
  const chunk = Buffer.alloc(text.length + 12)
  chunk.writeUInt32BE(text.length)
  chunk.write('tEXt', 4)
  text.copy(chunk, 8)
  const headerEnd = 33
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)])
}

/** Opens the form as a new user. */
async function openForm() {
  const asha = await signUp(site.url, 'Asha Rao')
  const visitor = await site.visit('/create-post', { as: asha })
  const { page } = visitor
  const main = page.getByRole('main')
  return {
    asha,
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
  const { asha, page, form, options, count, main } = await openForm()
  await form.prompt.fill('A kolam four times')
  await options.click()
  await main.getByText('Each image counts: 20 left today.').waitFor()
  await count(3).check()
  await form.generate.click()
  await imageReady(form)
  await expectToday(page, 3)
  const { images } = await asha.trpc.images.list.query()
  expect(images.map(({ recipe }) => recipe?.seed).toReversed()).toEqual([null, 1, 2])
  const batch = main.getByRole('radio', { name: /^Image \d of 3, ready$/ })
  expect(await batch.count()).toBe(3)
  await expectNoViolations(page)
  await batch.nth(2).check({ force: true })
  await page.reload()
  await imageReady(form)
  expect(await batch.nth(2).isChecked()).toBe(true)
  await form.share.click()
  await page.waitForURL('/')
  const { posts } = await asha.trpc.posts.list.query({})
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

test('makes another pattern with words that are offered for the same ones', async () => {
  const { page, form, main } = await openForm()
  await form.prompt.fill('A known kolam')
  await form.generate.click()
  await imageReady(form)
  await form.generate.click()
  await main.getByRole('button', { name: '… at dusk', exact: true }).click()
  await expectToday(page, 2)
  await imageReady(form)
  expect(await form.prompt.inputValue()).toBe('A known kolam at dusk')
  await form.generate.click()
  await main.getByRole('button', { name: '… in gold', exact: true }).waitFor()
  expect(await main.getByRole('button', { name: '… at dusk', exact: true }).count()).toBe(0)
})

test('varies an image with its own settings, and keeps what was typed meanwhile', async () => {
  const { asha, page, form, options, count, main } = await openForm()
  await form.prompt.fill('A tall kolam')
  await options.click()
  await main.getByRole('radio', { name: '2:3' }).check()
  await form.generate.click()
  await imageReady(form)
  await form.prompt.fill('Other words')
  await main.getByRole('button', { name: 'Reset options' }).click()
  expect(await options.evaluate((button) => button === document.activeElement)).toBe(true)
  await count(2).check()
  await main.getByRole('button', { name: 'Vary', exact: true }).click()
  await expectToday(page, 3)
  await imageReady(form)
  const { images } = await asha.trpc.images.list.query()
  expect(images.map(({ prompt, recipe }) => [prompt, recipe?.size, recipe?.seed])).toEqual([
    ['A tall kolam', '832x1216', 2],
    ['A tall kolam', '832x1216', 1],
    ['A tall kolam', '832x1216', null],
  ])
  expect(await form.prompt.inputValue()).toBe('Other words')
})

test('shows the settings of an image and uses them again', async () => {
  const { form, options, seed } = await openForm()
  await form.prompt.fill('A kolam with a recipe')
  await options.click()
  await seed.fill('42')
  await form.generate.click()
  await imageReady(form)
  await seed.fill('')
  await form.prompt.fill('Other words')
  const card = form.imageOf('A kolam with a recipe')
  await card.getByRole('button', { name: 'Settings' }).click()
  await card.getByText('1024 × 1024').waitFor()
  await card.getByRole('button', { name: 'Use these settings' }).click()
  expect(await seed.inputValue()).toBe('42')
  expect(await form.prompt.inputValue()).toBe('A kolam with a recipe')
  await eventually(() => form.announcement.textContent()).toMatch(/^Taken: prompt, .*seed 42/)
})

test('imports settings from a file without uploading it, and says what it left out', async () => {
  const { page, form, options, seed, main } = await openForm()
  await options.click()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(request.url())
  })
  const file = main.getByLabel('Image with settings')
  await file.setInputFiles({
    name: 'lighthouse.png',
    mimeType: 'image/png',
    buffer: await lighthouse(),
  })
  await main
    .getByText(/^AUTOMATIC1111: Taken: prompt, size 768 × 1280, seed 7\. Left out: negative prompt,/)
    .waitFor()
  expect(await form.prompt.inputValue()).toBe('a lighthouse')
  expect(await seed.inputValue()).toBe('7')
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await main.getByText('This file could not be read. Choose a JPEG, PNG or WebP image.').waitFor()
  expect(requests).toEqual([])
})

test('sends the options of a draft even if Generate is pressed before the engines are known', async () => {
  const { asha, page, form, options, seed } = await openForm()
  await form.prompt.fill('A kolam in haste')
  await options.click()
  await seed.fill('9')
  const release = await holdBack(page, '**/trpc/**engines.list*')
  await page.reload()
  await form.generate.click()
  release()
  await imageReady(form)
  const { images } = await asha.trpc.images.list.query()
  expect(images[0]?.recipe?.seed).toBe(9)
})

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { startAutomatic1111 } from '../test/support/automatic1111/server.ts'
import { eventually } from './support/browser.ts'
import { formOn, generate, imageReady } from './support/form.ts'
import { drag, focused } from './support/page-parts.ts'
import { makeFolder } from './support/server-process.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const forge = await startAutomatic1111()
const folder = await makeFolder()
const enginesFile = path.join(folder.path, 'engines.json')
await writeFile(
  enginesFile,
  JSON.stringify([
    { id: 'rangoli', kind: 'rangoli', label: 'Patterns' },
    { id: 'forge', kind: 'automatic1111', label: 'Forge', url: forge.url },
  ]),
)
const site = useSite({ ENGINES_FILE: enginesFile })
afterAll(async () => {
  await forge.stop()
  await folder.remove()
})

const byPointerAndTouch = [
  ['a pointer', {}],
  ['a finger', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const

/** Opens the form as a new user with a finished image on the stage. */
async function openWithImage(count = 1, options: object = {}) {
  const asha = await signUp(site.url, 'Asha Rao')
  const { page } = await site.visit('/create-post', { as: asha, ...options })
  const main = page.getByRole('main')
  if (count > 1) {
    await main.getByRole('button', { name: 'Options', exact: true }).click()
    await main.getByRole('radio', { name: String(count), exact: true }).check()
  }
  await generate(page, 'A heron at dawn')
  return { asha, page, main, form: formOn(page) }
}

/** Returns the place and size of an element. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return box
}

test.each(byPointerAndTouch)('compares images of a batch by %s and by keys', async (_how, options) => {
  const { page } = await openWithImage(3, options)
  await page.getByRole('radio', { name: 'Image 1 of 3, ready' }).click()
  await page.getByRole('button', { name: 'Open image' }).click()
  const viewer = page.getByRole('dialog')
  const toggle = viewer.getByRole('button', { name: 'Compare', exact: true })
  await toggle.click()
  const slider = viewer.getByRole('slider', { name: 'Compare with: Image 2' })
  await slider.waitFor()
  expect(await slider.getAttribute('aria-valuetext')).toBe('50% of Image 2')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await slider.inputValue()).toBe('52')
  await viewer.getByLabel('Compare with', { exact: true }).selectOption('Image 3')
  const { x, y, width } = await boxOf(viewer.getByRole('slider'))
  await drag(page, [x + width / 2, y + 40], [x + width / 2 - (width - 44) / 4, y + 60])
  expect(await viewer.getByRole('slider').getAttribute('aria-valuetext')).toBe('25% of Image 3')
  expect(await viewer.getByText('1 of 3', { exact: true }).count()).toBe(1)
  await toggle.click()
  expect(await slider.count()).toBe(0)
  await viewer.getByRole('link', { name: 'Original image' }).press('Enter')
  await viewer.locator('[data-zoomed]').waitFor()
})

/** Drags from one part of an element to another. */
async function dragOn(element: Locator, from: readonly [number, number], to: readonly [number, number]) {
  const { x, y, width, height } = await boxOf(element)
  const spot = ([across, down]: typeof from) => [x + across * width, y + down * height] as const
  await drag(element.page(), spot(from), spot(to))
}

/** Generates with what the form has, and reads the image and the mask that the engine got. */
async function changeWith(page: Page, prompt: string) {
  await eventually(() => focused(page)).toBe('Prompt')
  await page.keyboard.type(prompt)
  const calls = forge.calls.length
  await page.keyboard.press('Control+Enter')
  await eventually(() => forge.calls.length).toBe(calls + 1)
  await imageReady(formOn(page))
  const body = forge.calls.at(-1)?.body ?? {}
  const [reference] = body['init_images'] as string[]
  const read = (base64: string) => sharp(Buffer.from(base64, 'base64')).greyscale().raw()
  const mask = await read(String(body['mask'])).toBuffer({ resolveWithObject: true })
  const image = await read(reference ?? '').toBuffer({ resolveWithObject: true })
  const { width, height } = mask.info
  return {
    body,
    sizes: [mask.info, image.info].map((info) => [info.width, info.height]),
    /** White where the image changes. */
    levelsAt: (...parts: readonly (readonly [number, number])[]) =>
      parts
        .map(([across, down]) => {
          const level = mask.data[Math.floor(down * height) * width + Math.floor(across * width)] ?? 128
          return level > 200 ? 'white' : level < 55 ? 'black' : level
        })
        .join(' '),
  }
}

test('paints, erases and undoes by pointer, and redraws what is painted, in five clicks from the gallery', async () => {
  const { asha } = await openWithImage()
  const { page } = await site.visit('/', { as: asha })
  await page.getByRole('banner').getByRole('link', { name: 'Create', exact: true }).click()
  await page
    .getByRole('region', { name: 'Your images' })
    .getByRole('button', { name: 'Edit & share' })
    .click()
  await page.getByRole('main').getByRole('button', { name: 'Change part of it' }).click()
  const editor = page.getByRole('dialog', { name: 'Change part of it' })
  const canvas = editor.locator('canvas')
  const done = editor.getByRole('button', { name: 'Done', exact: true })
  await canvas.waitFor()
  expect(await done.isDisabled()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('hidden')

  await dragOn(canvas, [0.2, 0.25], [0.8, 0.25])
  await editor.getByText('Painted.', { exact: true }).waitFor()
  await page.keyboard.press(']')
  await dragOn(canvas, [0.2, 0.75], [0.8, 0.75])
  await page.keyboard.press('Control+z')
  await editor.getByText('Undone.', { exact: true }).waitFor()
  await page.keyboard.press('e')
  await dragOn(canvas, [0.5, 0.1], [0.5, 0.4])
  await editor.getByText('Erased.', { exact: true }).waitFor()
  await done.click()

  const { body, levelsAt, sizes } = await changeWith(page, 'A crown')
  expect(body).toMatchObject({ prompt: 'A crown', width: 1024, height: 1024 })
  expect(sizes).toEqual([
    [1024, 1024],
    [1024, 1024],
  ])
  expect(levelsAt([0.3, 0.25], [0.7, 0.25], [0.5, 0.25], [0.5, 0.75], [0.3, 0.5])).toBe(
    'white white black black black',
  )
  // The changed image is compared with the one that it was made from.
  await page.getByRole('main').getByRole('button', { name: 'Open image' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('slider', { name: 'Compare with: Before' }).waitFor()
})

test('marks a rectangle and inverts it by keyboard', async () => {
  const { page } = await openWithImage()
  await page.goto(`${site.url}/your-images`)
  await page.getByRole('button', { name: 'Open image' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Change part of it' }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Change part of it' })
  await editor.locator('canvas').waitFor()
  await editor.press('x')
  await editor.getByLabel('Top', { exact: true }).press('Enter')
  await editor.getByText('The image is 1024 × 1024 pixels now.', { exact: true }).waitFor()
  expect(await editor.getByRole('button', { name: 'Done', exact: true }).isDisabled()).toBe(true)
  await editor.getByRole('button', { name: 'Rectangle', exact: true }).press('Enter')
  for (const [side, pixels] of [
    ['Left', 0],
    ['Right', 512],
    ['Top', 256],
    ['Bottom', 0],
  ] as const)
    await editor.getByLabel(side, { exact: true }).fill(String(pixels))
  await page.keyboard.press('Enter')
  await editor.getByText('Rectangle added.', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('hidden')
  await page.getByRole('dialog').getByRole('button', { name: 'Change part of it' }).press('Enter')
  await editor.getByRole('button', { name: 'Invert' }).press('Enter')
  await editor.getByRole('button', { name: 'Done', exact: true }).press('Enter')
  await page.waitForURL('/create-post')
  const { levelsAt } = await changeWith(page, 'A moon')
  expect(levelsAt([0.1, 0.1], [0.1, 0.3], [0.45, 0.9], [0.55, 0.9])).toBe('white black black white')
})

test.each(byPointerAndTouch)('paints and extends an image by %s and by fields', async (_how, options) => {
  const { page, main } = await openWithImage(1, options)
  await main.getByRole('button', { name: 'Change part of it' }).click()
  const editor = page.getByRole('dialog', { name: 'Change part of it' })
  await dragOn(editor.locator('canvas'), [0.2, 0.9], [0.8, 0.9])
  await editor.getByText('Painted.', { exact: true }).waitFor()
  await editor.getByRole('button', { name: 'Extend', exact: true }).click()
  const { width } = await boxOf(editor.locator('canvas'))
  const handle = editor.locator('[data-side=right]')
  await dragOn(handle, [0.5, 0.5], [0.5 + width / 4 / (await boxOf(handle)).width, 0.5])
  const right = editor.getByLabel('Right', { exact: true })
  await eventually(async () => Math.abs(Number(await right.inputValue()) - 256)).toBeLessThan(17)
  await right.fill('250')
  await editor.getByLabel('Top', { exact: true }).fill('512')
  await page.keyboard.press('Enter')
  await editor.getByText('The image is 1280 × 1536 pixels now.', { exact: true }).waitFor()
  await editor.getByRole('button', { name: 'Done', exact: true }).click()
  const { body, levelsAt, sizes } = await changeWith(page, 'A wide sky')
  expect(body).toMatchObject({ width: 1280, height: 1536 })
  expect(sizes).toEqual([
    [1280, 1536],
    [1280, 1536],
  ])
  const seam = 1024 / 1280
  expect(levelsAt([0.1, 0.1], [0.4, 0.6], [0.4, 0.93], [seam - 0.005, 0.6], [0.9, 0.9])).toBe(
    'white black white white white',
  )
  // Neither the mask nor the extended image is among them.
  await page.goto(`${site.url}/your-images`)
  await main.getByRole('status').getByText('2 images', { exact: true }).waitFor()
})

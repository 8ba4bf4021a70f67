import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startAutomatic1111 } from '../test/support/automatic1111/server.ts'
import { startFakeComfyUi } from '../test/support/comfyui/fake-comfyui.ts'
import { eventually } from './support/browser.ts'
import { generationOn, imageReady } from './support/form.ts'
import { images } from './support/provider.ts'
import { makeFolder } from './support/server-process.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const forge = await startAutomatic1111({ stepMs: 10 })
const comfy = await startFakeComfyUi({
  definitions: {
    Look: { look: [['ink', 'oil'], {}] },
    LoadImage: { image: [['example.png'], { image_upload: true }] },
  },
})
const workflow = {
  1: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%' } },
  2: { class_type: 'Look', inputs: { look: 'ink' }, _meta: { title: 'input:Look' } },
  3: { class_type: 'LoadImage', inputs: { image: 'example.png' }, _meta: { title: 'input:Start frame' } },
  9: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
}
const folder = await makeFolder()
const enginesFile = path.join(folder.path, 'engines.json')
await writeFile(path.join(folder.path, 'workflow.json'), JSON.stringify(workflow))
await writeFile(
  enginesFile,
  JSON.stringify([
    { id: 'rangoli', kind: 'rangoli', label: 'Patterns' },
    { id: 'forge', kind: 'automatic1111', label: 'Forge', url: forge.url },
    { id: 'studio', kind: 'comfyui', label: 'Studio', url: comfy.url, workflow: 'workflow.json' },
    { id: 'away', kind: 'automatic1111', label: 'Away', url: 'http://127.0.0.1:9' },
  ]),
)
const site = useSite({ ENGINES_FILE: enginesFile })
afterAll(async () => {
  await forge.stop()
  await comfy.stop()
  await folder.remove()
})

/** Opens the form with its options as a new user. */
async function openForm() {
  const asha = await signUp(site.url, 'Asha Rao')
  const { page } = await site.visit('/create-post', { as: asha })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Options', exact: true }).click()
  const engine = main.getByLabel('Engine', { exact: true })
  await engine.waitFor()
  return {
    page,
    main,
    form: generationOn(page),
    engine,
    negativePrompt: main.getByLabel('Negative prompt', { exact: true }),
  }
}

test('offers the engines that are available, and sends what the chosen one takes', async () => {
  const { main, form, engine, negativePrompt } = await openForm()
  expect(await engine.locator('option').allTextContents()).toEqual([
    'Patterns',
    'Forge',
    'Studio',
    'Away (unavailable)',
  ])
  expect(await engine.locator('option[value=away]').isDisabled()).toBe(true)
  expect(await negativePrompt.count()).toBe(0)
  await engine.selectOption('forge')
  await negativePrompt.fill('rain')
  await main.getByRole('radio', { name: '2:3' }).check()
  await main.getByText('Forge · 832 × 1216 · negative prompt', { exact: true }).waitFor()
  await engine.focus()
  await engine.selectOption('rangoli')
  expect(await engine.evaluate((field) => field === document.activeElement)).toBe(true)
  await main.getByText('832 × 1216', { exact: true }).first().waitFor()
  expect(await negativePrompt.count()).toBe(0)
  await engine.selectOption('forge')
  expect(await negativePrompt.inputValue()).toBe('rain')
  await form.prompt.fill('A heron at dawn')
  await form.generate.click()
  await imageReady(form)
  expect(forge.calls.at(-1)?.body).toMatchObject({
    prompt: 'A heron at dawn',
    negative_prompt: 'rain',
    width: 832,
    height: 1216,
  })
})

test('adds LoRAs of the engine, and enlarges the image from the form and from the viewer', async () => {
  const { page, main, form, engine } = await openForm()
  await engine.selectOption('forge')
  const loras = main.getByLabel('LoRAs', { exact: true })
  await loras.selectOption('ink')
  await main.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByLabel('Weight of ink', { exact: true }).fill('0.6')
  expect(await loras.locator('option').allTextContents()).toEqual(['Add a LoRA'])
  await main.getByText('Forge · ink 0.6', { exact: true }).waitFor()
  await form.prompt.fill('A heron in ink')
  await form.generate.click()
  await imageReady(form)
  expect(forge.calls.at(-1)?.body).toMatchObject({ prompt: 'A heron in ink <lora:ink:0.6>' })
  await main.getByRole('button', { name: 'Upscale', exact: true }).click()
  await page.getByRole('menuitem', { name: '2×', exact: true }).click()
  await eventually(() => forge.calls.at(-1)?.body['upscaling_resize']).toBe(2)
  await imageReady(form)
  await main.getByRole('button', { name: 'Settings', exact: true }).click()
  await main.getByText('Enlarged', { exact: true }).waitFor()
  await page.goto(`${site.url}/your-images`)
  await page.getByRole('button', { name: 'Open image' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Upscale', exact: true }).click()
  await page.getByRole('menuitem', { name: '4×', exact: true }).click()
  await eventually(() => forge.calls.at(-1)?.body['upscaling_resize']).toBe(4)
})

test('offers the inputs of a workflow, an image of the user among them, and keeps them in the settings', async () => {
  const { main, form, engine } = await openForm()
  await engine.selectOption('studio')
  await main.getByLabel('Look', { exact: true }).selectOption('oil')
  await main
    .getByLabel('Start frame: file')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(images.jpeg) })
  await main.getByRole('button', { name: 'Remove image 1' }).waitFor()
  await main.getByText('Studio · Look oil · Start frame', { exact: true }).waitFor()
  await form.prompt.fill('A heron in oil')
  await form.generate.click()
  await imageReady(form)
  expect(comfy.submissions.at(-1)?.workflow).toMatchObject({
    2: { inputs: { look: 'oil' } },
    3: { inputs: { image: expect.stringMatching(/^rangoli\/.*-input-0\.jpg \[temp\]$/) as string } },
  })
  await main.getByRole('button', { name: 'Settings', exact: true }).click()
  await main.locator('dt', { hasText: 'Start frame' }).waitFor()
})

test('shows the reported progress in a bar, with a preview', async () => {
  const { main, form, engine } = await openForm()
  await engine.selectOption('forge')
  await form.prompt.fill('A heron by degrees')
  const jobs = forge.calls.length
  await form.generate.click()
  await eventually(() => forge.calls.length).toBeGreaterThan(jobs)
  await eventually(() => forge.running?.step ?? 0).toBeGreaterThan(4)
  const release = forge.hold()
  const bar = main.getByRole('progressbar')
  await eventually(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  await main
    .getByText(/^\d+ %$/)
    .first()
    .waitFor()
  await form.partial.waitFor()
  release()
  await imageReady(form)
  expect(await bar.count()).toBe(0)
})

test('starts from a reference image that is uploaded, or is one of the user’s own', async () => {
  const { page, main, form, engine } = await openForm()
  await engine.selectOption('forge')
  await main
    .getByLabel('Reference image: file')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(images.jpeg) })
  const remove = main.getByRole('button', { name: 'Remove image 1' })
  await remove.waitFor()
  await main.getByLabel('Strength', { exact: true }).fill('0.4')
  await form.prompt.fill('A heron like this one')
  await form.generate.click()
  await imageReady(form)
  expect(forge.calls.at(-1)).toMatchObject({ path: '/sdapi/v1/img2img', body: { denoising_strength: 0.4 } })
  await remove.click()
  await main.getByRole('button', { name: 'From your images' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'A heron like this one' }).click()
  await remove.waitFor()
  await eventually(() => dialog.count()).toBe(0)
})

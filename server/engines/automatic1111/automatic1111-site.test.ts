import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAutomatic1111, type DoubleOptions } from '../../../test/support/automatic1111/server.ts'
import { makeFolder } from '../../../test/support/folder.ts'
import { follow } from '../../../test/support/generations.ts'
import { images } from '../../../test/support/openai/images.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

/** Starts a site whose engines file has a double and the embedded engine. */
async function openSite(double: DoubleOptions = {}, env: Record<string, string> = {}) {
  const gpu = await startAutomatic1111({ credentials: 'ana:gpu-secret-1', stepMs: 60, ...double })
  onTestFinished(() => gpu.stop())
  const file = path.join(await makeFolder(), 'engines.json')
  const forge = {
    id: 'forge',
    kind: 'automatic1111',
    label: 'Forge',
    url: gpu.url,
    username: 'ana',
    password: { env: 'GPU_SECRET' },
    sampler: 'Euler a',
  }
  await writeFile(file, JSON.stringify([{ id: 'patterns', kind: 'rangoli', label: 'Patterns' }, forge]))
  const site = await startTestServer({ env: { ENGINES_FILE: file, GPU_SECRET: 'gpu-secret-1', ...env } })
  const asha = await site.signUp()
  return { gpu, site, asha }
}

test('generates an image with the requested settings, and stores those that the server reports', async () => {
  const { gpu, asha } = await openSite({ stepMs: 5 })
  const release = gpu.hold()
  const { images: started } = await asha.trpc.images.generate.mutate({
    prompt: 'A heron',
    negativePrompt: 'blurry',
    engine: 'forge',
    model: 'dreamshaper_8',
    size: '512x768',
    seed: 7,
  })
  const own = follow(asha.trpc, { id: started[0]?.id ?? '' })
  const preview = await own.seen('preview')
  expect(preview.dataUrl).toBe(`data:image/jpeg;base64,${images.preview.toString('base64')}`)
  release()
  const image = await own.ended
  expect(own.events).toContainEqual(expect.objectContaining({ type: 'progress', progress: 0.5 }))
  expect(image).toMatchObject({
    engine: 'forge',
    engineKind: 'automatic1111',
    model: 'dreamshaper_8',
    recipe: {
      engineLabel: 'Forge',
      model: 'dreamshaper_8',
      negativePrompt: 'blurry',
      size: '512x768',
      seed: 7,
      steps: 20,
      sampler: 'Euler a',
      scheduler: 'Karras',
      cfgScale: 7,
    },
  })
  expect(gpu.calls).toHaveLength(1)
})

test('lists the models of the server, but not its address and credentials', async () => {
  const { gpu, asha } = await openSite()
  const { engines } = await asha.trpc.engines.list.query()
  expect(engines[1]).toMatchObject({
    id: 'forge',
    isAvailable: true,
    models: ['v1-5-pruned', 'sdxl_juggernaut', 'dreamshaper_8'],
  })
  for (const secret of [gpu.url, new URL(gpu.url).host, 'gpu-secret-1']) {
    expect(JSON.stringify(engines)).not.toContain(secret)
  }
})

test('informs the user what happened, and counts no image, if the job was interrupted at the server', async () => {
  const { gpu, asha } = await openSite({ stepMs: 20 }, { DAILY_IMAGE_LIMIT: '1' })
  gpu.hold()
  const { images: started } = await asha.trpc.images.generate.mutate({ prompt: 'A heron', engine: 'forge' })
  const own = follow(asha.trpc, { id: started[0]?.id ?? '' })
  await own.seen('preview')
  gpu.interruptAsOperator()
  await expect(own.ended).rejects.toThrow()
  const [image] = (await asha.trpc.images.list.query()).images
  expect(image).toMatchObject({
    state: 'failed',
    failure: 'engine_failed',
    failureDetail: 'The image was stopped at the image engine before it was finished. Try again.',
  })
  await asha.generate('A lotus')
})

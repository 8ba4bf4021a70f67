import { onTestFinished, describe, expect, test } from 'vitest'
import { startFakeComfyUi } from '../../../test/support/comfyui/fake-comfyui.ts'
import { createEngine } from '../../../test/support/comfyui/scenario.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { eventually, expectState } from '../../../test/support/generations.ts'
import { startTestServer, userOf, type TestServer } from '../../../test/support/test-server.ts'

async function startComfyUi() {
  const comfy = await startFakeComfyUi()
  onTestFinished(comfy.stop)
  return comfy
}

/** Simulates a killed server, which is not notified: it has lost its generations to others. */
async function endLeases({ services: { db } }: TestServer): Promise<void> {
  await db.updateTable('images').set({ worker: 'killed', leased_until: 0 }).execute()
}

describe('a site with ComfyUI', () => {
  test('generates an image with its recipe', async () => {
    const comfy = await startComfyUi()
    const server = await startTestServer({ engine: createEngine(comfy) })
    const asha = await server.signUp()
    const { images } = await asha.trpc.images.generate.mutate({
      prompt: 'A lotus',
      negativePrompt: 'rain',
      size: '512x768',
      seed: 41,
      count: 2,
    })
    for (const [index, { id }] of images.entries()) {
      await expectState(asha, id, {
        state: 'succeeded',
        width: 512,
        height: 768,
        recipe: expect.objectContaining({
          engine: 'comfy',
          model: 'sdxl.safetensors',
          negativePrompt: 'rain',
          seed: 41 + index,
          steps: 20,
          sampler: 'euler',
        }) as never,
      })
    }
    expect(comfy.submissions.map(({ id }) => id)).toEqual(images.map(({ id }) => id))
  })

  test('tells the owner which model is missing, and refunds the image', async () => {
    const comfy = await startComfyUi()
    comfy.behavior.models = []
    const server = await startTestServer({ engine: createEngine(comfy) })
    const asha = await server.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
    await expectState(asha, images[0]?.id ?? '', { state: 'failed', failure: 'engine_misconfigured' })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect(JSON.stringify(await asha.trpc.images.list.query())).toContain(
      'The model sdxl.safetensors is not installed on this engine.',
    )
  })

  test.each([
    ['killed', 'running'],
    ['killed', 'finished'],
    ['stopped', 'running'],
    ['stopped', 'finished'],
  ])('finds the job again after it was %s, if the job is %s then', async (end, state) => {
    const folder = await tempFolder()
    const comfy = await startComfyUi()
    comfy.behavior.holdAt = 'sampling'
    const first = await startTestServer({ folder, engine: createEngine(comfy) })
    const asha = await first.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', size: '512x512' })
    const [image] = images
    await eventually(() => comfy.isHolding()).toBe(true)
    if (end === 'stopped') await first.stop()
    else await endLeases(first)
    if (state === 'finished') {
      comfy.release()
      await eventually(() => comfy.queuedIds()).toEqual([])
    }

    const second = await startTestServer({ folder, engine: createEngine(comfy) })
    const again = userOf(second, asha.id, asha.cookie)
    if (state === 'running') {
      await eventually(() => comfy.requests.some(({ path }) => path === `/history/${image?.id}`)).toBe(true)
      comfy.release()
    }
    await expectState(again, image?.id ?? '', { state: 'succeeded', width: 512, height: 512 })
    expect(comfy.submissions).toHaveLength(1)
    expect(comfy.interrupted).toEqual([])
    expect(await again.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('submits the job again if ComfyUI was restarted, too', async () => {
    const folder = await tempFolder()
    const comfy = await startComfyUi()
    comfy.behavior.holdAt = 'sampling'
    const first = await startTestServer({ folder, engine: createEngine(comfy) })
    const asha = await first.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
    await eventually(() => comfy.isHolding()).toBe(true)
    await first.stop()
    comfy.behavior.holdAt = null
    comfy.restart()

    const second = await startTestServer({ folder, engine: createEngine(comfy) })
    await expectState(userOf(second, asha.id, asha.cookie), images[0]?.id ?? '', { state: 'succeeded' })
    expect(comfy.submissions.map(({ id }) => id)).toEqual([images[0]?.id, images[0]?.id])
  })

  test('cancels the job of an image that its owner cancels', async () => {
    const comfy = await startComfyUi()
    comfy.behavior.holdAt = 'sampling'
    const server = await startTestServer({ engine: createEngine(comfy) })
    const asha = await server.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
    await eventually(() => comfy.isHolding()).toBe(true)
    await asha.trpc.images.cancel.mutate({ id: images[0]?.id ?? '' })
    await eventually(() => comfy.interrupted).toEqual([images[0]?.id])
  })
})

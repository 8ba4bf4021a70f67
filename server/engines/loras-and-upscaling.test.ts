import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../../test/support/automatic1111/engine.ts'
import { setUp } from '../../test/support/comfyui/scenario.ts'
import {
  collectEvents,
  expectFailure,
  imageOf,
  requestFor,
} from '../../test/support/image-engine-contract.ts'
import { images } from '../../test/support/openai/images.ts'
import { createTestEngine, startSdCpp } from '../../test/support/sdcpp/server.ts'
import type { EngineRequest, ImageEngine } from './image-engine.ts'
import type { OfferedLoras } from './loras.ts'

const { signal } = new AbortController()

async function capabilitiesOf(engine: ImageEngine) {
  return (await engine.check(signal)).capabilities ?? engine.capabilities
}

async function generate(engine: ImageEngine, of: Partial<EngineRequest>) {
  return imageOf(await collectEvents(engine.generate({ ...requestFor('a heron'), ...of }, signal)))
}

const files = { loras: ['styles/ink.safetensors', 'paper.safetensors'] }

/** Servers with a LoRA “ink”; `sent` is the part of the last request that names LoRAs and the prompt. */
const servers = {
  async automatic1111(loras: OfferedLoras) {
    const { server, engine } = await openEngine({}, { loras })
    return { engine, sent: () => server.calls.at(-1)?.body }
  },
  async 'stable-diffusion.cpp as automatic1111'(loras: OfferedLoras) {
    const { server, engine } = await openEngine({ flavor: 'sdcpp' }, { loras })
    return { engine, sent: () => server.calls.at(-1)?.body }
  },
  async comfyui(loras: OfferedLoras) {
    const { comfy, engine } = await setUp(files, { loras })
    return { engine, sent: () => comfy.submissions.at(-1)?.workflow }
  },
  async sdcpp(loras: OfferedLoras) {
    const sd = await startSdCpp(images.png)
    onTestFinished(sd.stop)
    return { engine: createTestEngine(sd.url, loras), sent: () => sd.submissions.at(-1) }
  },
}

const loader = (weight: number) => ({
  class_type: 'LoraLoader',
  inputs: {
    lora_name: files.loras[0],
    strength_model: weight,
    strength_clip: weight,
    model: ['4', 0],
    clip: ['4', 1],
  },
})

describe.each([
  {
    kind: 'automatic1111',
    listed: ['ink'],
    request: { prompt: 'a heron <lora:ink:0.8>' },
    plain: { prompt: 'a heron  lora:ink:1>', negative_prompt: ' lyco:x:1>' },
  },
  {
    kind: 'stable-diffusion.cpp as automatic1111',
    listed: ['ink'],
    request: { prompt: 'a heron', lora: [{ path: 'ink.safetensors', multiplier: 0.8 }] },
    plain: { prompt: 'a heron  lora:ink:1>', negative_prompt: ' lyco:x:1>' },
  },
  {
    kind: 'comfyui',
    listed: ['styles/ink', 'paper'],
    request: {
      20: loader(0.8),
      3: { inputs: { model: ['20', 0] } },
      6: { inputs: { clip: ['20', 1], text: 'a heron' } },
      7: { inputs: { clip: ['20', 1] } },
    },
    plain: { 6: { inputs: { text: 'a heron  lora:ink:1>' } }, 7: { inputs: { text: ' lyco:x:1>' } } },
  },
  {
    kind: 'sdcpp',
    listed: ['ink', 'paper'],
    request: { prompt: 'a heron', lora: [{ path: 'styles/ink.safetensors', multiplier: 0.8 }] },
    plain: { prompt: 'a heron  lora:ink:1>', negative_prompt: ' lyco:x:1>' },
  },
] as const)('LoRAs of $kind', ({ kind, listed, request, plain }) => {
  const ink = listed[0]
  const typed = { prompt: 'a heron <lora:ink:1>', negativePrompt: '<lyco:x:1>' }

  test('are those of the server, and reach it with their weight', async () => {
    const { engine, sent } = await servers[kind](null)
    expect((await capabilitiesOf(engine)).loras).toEqual(listed)
    await generate(engine, { loras: [{ name: ink, weight: 0.8 }] })
    expect(sent()).toMatchObject(request)
  })

  test('are hidden or have other names as the operator says, and tags in prompts are text then', async () => {
    const { engine, sent } = await servers[kind]({ [ink]: 'Ink wash', gone: 'Gone' })
    expect((await capabilitiesOf(engine)).loras).toEqual(['Ink wash'])
    await generate(engine, { loras: [{ name: 'Ink wash', weight: 0.8 }] })
    expect(sent()).toMatchObject(request)
    await generate(engine, typed)
    expect(sent()).toMatchObject(plain)
  })

  test('that the server has no longer are an error for the user', async () => {
    const { engine } = await servers[kind](null)
    const message = 'The image engine no longer has the LoRA “gone”.'
    const generation = generate(engine, { loras: [{ name: 'gone', weight: 1 }] })
    await expectFailure(generation, 'engine_misconfigured', { message })
  })
})

test('tags of a prompt stay where the operator does not restrict LoRAs', async () => {
  const { server, engine } = await openEngine()
  await generate(engine, { prompt: 'a heron <lora:ink:1>' })
  expect(server.calls[0]?.body['prompt']).toBe('a heron <lora:ink:1>')
})

test.each(['combo', 'remote'] as const)('lists of ComfyUI may have the form %s', async (choices) => {
  const { engine } = await setUp({ ...files, upscaleModels: ['x.pth'], choices })
  const { loras, upscale } = await capabilitiesOf(engine)
  const isListed = choices === 'combo'
  expect({ loras, upscale }).toEqual({
    loras: isListed ? ['styles/ink', 'paper'] : [],
    upscale: isListed ? [2, 4] : [],
  })
})

describe('upscaling', () => {
  const source = () => sharp({ create: { width: 101, height: 67, channels: 3, background: 'teal' } })
  const enlarge = async (engine: ImageEngine, upscale: number) =>
    generate(engine, { prompt: '', references: [await source().jpeg().toBuffer()], upscale })

  test.each([2, 4])('by AUTOMATIC1111, %s times, uses an upscaler for any subject', async (factor) => {
    const { server, engine } = await openEngine()
    expect((await capabilitiesOf(engine)).upscale).toEqual([2, 4])
    const { bytes, settings } = await enlarge(engine, factor)
    expect((await sharp(bytes).metadata()).width).toBeGreaterThan(101 * factor * 0.9)
    const request = { resize_mode: 0, upscaling_resize: factor, upscaler_1: 'R-ESRGAN 4x+' }
    expect(server.calls.at(-1)?.body).toMatchObject(request)
    expect(settings).toEqual({ model: 'R-ESRGAN 4x+' })
  })

  test.each([2, 4])('by ComfyUI, %s times, scales to the size whatever the model does', async (factor) => {
    const { comfy, engine } = await setUp({ upscaleModels: ['2x_fast.pth', '4x_any.pth'] })
    expect((await capabilitiesOf(engine)).upscale).toEqual([2, 4])
    const { bytes, settings } = await enlarge(engine, factor)
    const { width, height } = await sharp(bytes).metadata()
    expect([width, height]).toEqual([101 * factor, 67 * factor])
    expect(comfy.uploads).toHaveLength(2)
    expect(settings).toEqual({ model: '4x_any.pth' })
  })

  test('is not offered by servers that only interpolate, or have no models for it', async () => {
    const plain = await openEngine({ upscalers: ['None', 'Lanczos', 'Nearest'] })
    const others = [
      plain,
      await openEngine({ flavor: 'koboldcpp' }),
      await setUp(),
      await servers.sdcpp(null),
    ]
    for (const { engine } of others) expect((await capabilitiesOf(engine)).upscale).toEqual([])
  })

  test('fails if the image comes back as it was', async () => {
    const same = await source().png().toBuffer()
    const { engine } = await openEngine({
      override({ path }, response) {
        if (!path.endsWith('extra-single-image')) return false
        response.end(JSON.stringify({ image: same.toString('base64'), html_info: '' }))
        return true
      },
    })
    await expectFailure(enlarge(engine, 2), 'engine_failed', { message: /did not enlarge/ })
    const { engine: comfy } = await setUp({ upscaleModels: ['4x.pth'], file: same })
    await expectFailure(enlarge(comfy, 2), 'engine_failed', { message: /did not enlarge/ })
  })
})

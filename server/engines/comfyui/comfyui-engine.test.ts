import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/support/generations.ts'
import {
  plainPng,
  plainPreviewMessage,
  previewMessage,
  rejectionOf,
} from '../../../test/support/comfyui/fake-comfyui.ts'
import {
  collect,
  createEngine,
  prompt,
  request,
  setUp,
  startHeld,
  token,
} from '../../../test/support/comfyui/scenario.ts'
import { expectFailure, imageOf } from '../../../test/support/image-engine-contract.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { parseConfig } from '../../config/config.ts'
import { AppError } from '../../errors/app-error.ts'
import { JobFeed } from './job-feed.ts'

const jpeg = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#c30' } })
  .jpeg()
  .toBuffer()

/** Mask whose left half is white. */
const leftHalf = { create: { width: 45, height: 60, channels: 3, background: 'white' } } as const
const mask = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'black' } })
  .composite([{ input: leftHalf, left: 0, top: 0 }])
  .png()
  .toBuffer()

const oom = {
  node_id: '3',
  node_type: 'KSampler',
  exception_type: 'torch.OutOfMemoryError',
  exception_message: `Allocation on device for ${prompt}`,
  traceback: ['File "/srv/comfy/execution.py", line 1'],
  current_inputs: { text: [prompt] },
}

describe('the built-in workflow', () => {
  test('generates an image with the settings of the request', async () => {
    const { comfy, engine } = await setUp()
    const of = request({ negativePrompt: 'rain', size: { width: 768, height: 512 }, seed: 4_294_967_295 })
    const image = imageOf(await collect(engine, of))
    expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 768, height: 512 })
    expect(image.settings).toEqual({
      model: 'sdxl.safetensors',
      seed: 4_294_967_295,
      steps: 20,
      sampler: 'euler',
      scheduler: 'normal',
      cfgScale: 7,
    })
    expect(comfy.submissions).toHaveLength(1)
    const { workflow } = comfy.submissions[0] ?? {}
    expect(workflow).toMatchObject({
      3: { inputs: { seed: 4_294_967_295, steps: 20, cfg: 7, denoise: 1, latent_image: ['5', 0] } },
      4: { inputs: { ckpt_name: 'sdxl.safetensors' } },
      5: { inputs: { width: 768, height: 512, batch_size: 1 } },
      6: { inputs: { text: prompt } },
      7: { inputs: { text: 'rain' } },
    })
    expect(comfy.uploads).toHaveLength(0)
  })

  test('uses the settings of the configuration and the model of the request', async () => {
    const sampling = { steps: 8, sampler: 'dpmpp_2m', scheduler: 'karras', cfgScale: 1.5 }
    const { engine } = await setUp({}, sampling)
    const image = imageOf(await collect(engine, request({ model: 'anime/dream.safetensors' })))
    expect(image.settings).toEqual({ ...sampling, model: 'anime/dream.safetensors', seed: 7 })
  })

  test('takes a random seed if the request has none, as ComfyUI rejects -1 and keeps images of equal requests', async () => {
    const { engine } = await setUp()
    const seeds = [1, 2].map(
      async () => imageOf(await collect(engine, request({ seed: null }))).settings?.seed,
    )
    const [first, second] = await Promise.all(seeds)
    expect(first).toBeGreaterThanOrEqual(0)
    expect(first).not.toBe(second)
  })

  test('scales a reference image to the size and uploads it to the temporary folder', async () => {
    const { comfy, engine } = await setUp()
    const size = { width: 512, height: 512 }
    await collect(engine, request({ references: [jpeg], strength: 0.3, size }))
    const [upload] = comfy.uploads
    expect(upload).toMatchObject({ type: 'temp', subfolder: 'rangoli' })
    expect(await sharp(upload?.bytes).metadata()).toMatchObject({ ...size, hasAlpha: false })
    expect(comfy.submissions[0]?.workflow).toMatchObject({
      3: { inputs: { denoise: 0.3, latent_image: ['11', 0] } },
      10: { inputs: { image: `rangoli/${upload?.name} [temp]` } },
      11: { inputs: { pixels: ['10', 0] } },
    })
    // Without a size, it keeps its proportions.
    await collect(engine, request({ references: [jpeg] }))
    expect(await sharp(comfy.uploads.at(-2)?.bytes).metadata()).toMatchObject({ width: 1256, height: 840 })
  })

  test('makes the white areas of a mask transparent', async () => {
    const { comfy, engine } = await setUp()
    const size = { width: 96, height: 64 }
    await collect(engine, request({ references: [jpeg], mask, size }))
    const { data, info } = await sharp(comfy.uploads[0]?.bytes).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ ...size, channels: 4 })
    const pixel = (x: number) => [...data.subarray((32 * 96 + x) * 4, (32 * 96 + x) * 4 + 4)]
    expect(pixel(10)[0]).toBeGreaterThan(180)
    expect(pixel(10)[3]).toBe(0)
    expect(pixel(80)[3]).toBe(255)
    expect(comfy.submissions[0]?.workflow).toMatchObject({
      3: { inputs: { latent_image: ['12', 0] } },
      12: { class_type: 'SetLatentNoiseMask', inputs: { samples: ['11', 0], mask: ['10', 1] } },
    })
  })
})

describe('a workflow of the operator', () => {
  const workflow = {
    1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'anime/dream.safetensors' } },
    2: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%', clip: ['1', 1] } },
    5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 640, batch_size: 1 } },
    3: {
      class_type: 'KSampler',
      inputs: {
        seed: '%seed%',
        steps: 4,
        cfg: 1,
        sampler_name: 'euler',
        scheduler: 'simple',
        latent_image: ['5', 0],
      },
    },
    9: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: '%year%' } },
  }

  test('offers only what its placeholders take', async () => {
    const { engine } = await setUp({}, { workflow, model: null })
    expect(engine.model).toBe('anime/dream.safetensors')
    expect(engine.capabilities).toMatchObject({
      sizes: [],
      customSizes: null,
      seed: true,
      negativePrompt: false,
      referenceImages: 0,
      strength: false,
      mask: false,
    })
  })

  test('replaces placeholders with typed values, and leaves a prompt that looks like one as it is', async () => {
    const { comfy, engine } = await setUp({}, { workflow, model: null })
    const image = imageOf(
      await collect(engine, request({ prompt: '%seed%', size: { width: 64, height: 64 } })),
    )
    expect(comfy.submissions[0]?.workflow).toMatchObject({
      2: { inputs: { text: '%seed%' } },
      3: { inputs: { seed: 7, steps: 4 } },
      5: { inputs: { width: 512, height: 640 } },
      9: { inputs: { filename_prefix: '%year%' } },
    })
    expect(image.settings).toEqual({
      model: 'anime/dream.safetensors',
      seed: 7,
      steps: 4,
      sampler: 'euler',
      scheduler: 'simple',
      cfgScale: 1,
    })
  })

  const imageWorkflow = (inputs: Record<string, string>) => ({
    ...workflow,
    7: { class_type: 'LoadImage', inputs: { image: '%image%' } },
    8: { class_type: 'VAEEncode', inputs },
  })
  const masked = {
    ...imageWorkflow({ denoise: '%denoise%' }),
    6: { class_type: 'LoadImageMask', inputs: { image: '%mask%', channel: 'red' } },
  }

  test('uploads a reference image as it is, and a white mask if there is none', async () => {
    const { comfy, engine } = await setUp({}, { workflow: masked, model: null })
    expect(engine.capabilities).toMatchObject({ referenceImages: 1, strength: true, mask: true })
    await collect(engine, request({ references: [jpeg], strength: 0.4 }))
    const [image, white] = comfy.uploads
    expect(image?.bytes.equals(jpeg)).toBe(true)
    expect(await sharp(white?.bytes).metadata()).toMatchObject({ width: 90, height: 60 })
    expect((await sharp(white?.bytes).stats()).channels[0]?.min).toBe(255)
    expect(comfy.submissions[0]?.workflow).toMatchObject({
      6: { inputs: { image: `rangoli/${white?.name} [temp]`, channel: 'red' } },
      7: { inputs: { image: `rangoli/${image?.name} [temp]` } },
      8: { inputs: { denoise: 0.4 } },
    })
  })

  test.each(['success', 'failure', 'cancellation'])(
    'leaves one pixel of a reference image and its mask after a %s',
    async (end) => {
      const { comfy, engine } = await setUp(
        { ...(end === 'failure' && { end: { event: 'execution_error', data: oom } }) },
        { workflow: masked, model: null },
      )
      const controller = new AbortController()
      if (end === 'cancellation') comfy.behavior.holdAt = 'sampling'
      const events = collect(engine, request({ references: [jpeg], mask }), controller.signal)
      if (end === 'cancellation') {
        await eventually(() => comfy.isHolding()).toBe(true)
        controller.abort(new AppError('canceled'))
      }
      await events.catch(() => {})
      const [image, white, ...pixels] = comfy.uploads
      expect(pixels.map(({ name }) => name)).toEqual([image?.name, white?.name])
      for (const { bytes } of pixels)
        expect(await sharp(bytes).metadata()).toMatchObject({ width: 1, height: 1 })
    },
  )

  test('asks for a reference image if the workflow needs one', async () => {
    const { comfy, engine } = await setUp({}, { workflow: imageWorkflow({}), model: null })
    await expectFailure(collect(engine), 'engine_failed', {
      message: 'This engine needs a reference image. Add one',
    })
    expect(comfy.submissions).toHaveLength(0)
  })

  test('returns a saved image instead of one that is only shown', async () => {
    const { comfy, engine } = await setUp({}, { workflow, model: null })
    comfy.behavior.outputs = {
      1: [{ filename: 'shown.png', subfolder: '', type: 'temp' }],
      2: [{ filename: 'film.mp4', subfolder: '', type: 'output' }],
      9: [{ filename: 'saved.png', subfolder: 'a b', type: 'output' }],
    }
    await collect(engine)
    const paths = () => comfy.requests.map(({ path }) => path).filter((path) => path.startsWith('/view'))
    expect(paths()).toEqual(['/view?filename=saved.png&subfolder=a+b&type=output'])
    comfy.behavior.outputs = { 1: [{ filename: 'shown.png', subfolder: '', type: 'temp' }] }
    await collect(engine)
    expect(paths().at(-1)).toBe('/view?filename=shown.png&subfolder=&type=temp')
  })
})

describe('inputs of a workflow', () => {
  const node = (title: string, type: string, inputs: Record<string, unknown>) => ({
    class_type: type,
    inputs,
    _meta: { title },
  })
  const workflow = {
    2: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%', clip: ['1', 1] } },
    3: node('input:Strength:denoise 0..0.8', 'KSampler', {
      seed: '%seed%',
      denoise: 0.5,
      sampler_name: 'euler',
    }),
    4: node('input:Style', 'StyleChoice', { style: 'ink', model: ['1', 0] }),
    5: node('input:Words', 'Note', { text: 'plain' }),
    6: node('input:Tiled', 'Tiling', { on: false }),
    7: node('input:Frame', 'LoadImage', { image: 'example.png', upload: 'image' }),
    8: node('input:Steps:count', 'Steps', { count: 4, other: 1 }),
    9: { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
  }
  const definitions = {
    KSampler: { denoise: ['FLOAT', { min: 0, max: 1 }] },
    StyleChoice: { style: [['ink', 'oil'], {}] as unknown },
    Note: { text: ['STRING', { multiline: true }] },
    Tiling: { on: ['BOOLEAN', {}] },
    LoadImage: { image: [['example.png'], { image_upload: true }] },
    Steps: { count: ['INT', { min: 1, max: 50 }] as unknown },
  }
  const options = { workflow, model: null }
  const check = async (changes: Partial<typeof definitions> = {}) => {
    const { comfy, engine } = await setUp({ definitions: { ...definitions, ...changes } }, options)
    comfy.behavior.responses['/internal/files/styles'] = (_request, response) =>
      void response.end('["ink", "oil"]')
    return engine.check(new AbortController().signal)
  }

  test.each([
    ['plain', [['ink', 'oil'], {}]],
    ['combo', ['COMBO', { options: ['ink', 'oil'] }]],
    ['remote', ['COMBO', { remote: { route: '/internal/files/styles' } }]],
  ])('are typed as the server describes them, with %s choices', async (_form, style) => {
    expect((await check({ StyleChoice: { style } })).modelDetails?.['']).toMatchObject({
      parameters: [
        { name: 'Strength', type: 'range', min: 0, max: 0.8 },
        { name: 'Style', type: 'enum', values: ['ink', 'oil'] },
        { name: 'Words', type: 'text' },
        { name: 'Tiled', type: 'boolean' },
        { name: 'Frame', type: 'image' },
        { name: 'Steps', type: 'range', min: 1, max: 50 },
      ],
    })
  })

  test.each([
    [
      { StyleChoice: { style: ['COMBO', { remote: { route: '/files' } }] } },
      /“Style” cannot be set: the server lists no values/,
    ],
    [
      { StyleChoice: { style: [['oil'], {}] } },
      /“Style” has the value “ink”, which the server does not list/,
    ],
    [
      { KSampler: { denoise: ['FLOAT', { min: 0, max: 0.5 }] } },
      /“Strength” goes beyond 0\.\.0\.5 of denoise/,
    ],
    [{ KSampler: { denoise: ['STRING', {}] } }, /“Strength” has bounds, but is no number/],
    [{ Steps: { count: ['INT', {}] } }, /“Steps” needs bounds/],
    [{ Steps: {} }, /“Steps” cannot be set/],
  ])('that do not fit the server are named: %j', async (changes, cause) => {
    await expectFailure(check(changes as Partial<typeof definitions>), 'engine_misconfigured', { cause })
  })

  test('are set in the workflow, which keeps its own values for others', async () => {
    const { comfy, engine } = await setUp({ definitions }, { ...options, loras: {} })
    const parameters = { Strength: 0.25, Words: '%seed% <lora:ink:1>', Tiled: true, Frame: 'an-id', on: 'x' }
    await collect(engine, request({ parameters, parameterImages: { Frame: jpeg } }))
    const [frame, pixel] = comfy.uploads
    expect(frame?.bytes.equals(jpeg)).toBe(true)
    expect(comfy.submissions[0]?.workflow).toEqual({
      ...workflow,
      2: { class_type: 'CLIPTextEncode', inputs: { text: prompt, clip: ['1', 1] } },
      3: { ...workflow[3], inputs: { seed: 7, denoise: 0.25, sampler_name: 'euler' } },
      5: { ...workflow[5], inputs: { text: '%seed%  lora:ink:1>' } },
      6: { ...workflow[6], inputs: { on: true } },
      7: { ...workflow[7], inputs: { image: `rangoli/${frame?.name} [temp]`, upload: 'image' } },
    })
    // The server keeps no image of the user.
    expect(pixel?.name).toBe(frame?.name)
    expect(await sharp(pixel?.bytes).metadata()).toMatchObject({ width: 1, height: 1 })
  })
})

test('runs the engines in the examples', async () => {
  const file = resolve('examples/comfyui/engines.json')
  const models = ['sd_xl_base_1.0.safetensors', 'flux1-schnell.safetensors']
  const { comfy } = await setUp({ models })
  for (const config of parseConfig({ ENGINES_FILE: file }, await tempFolder()).engines) {
    if (config.kind !== 'comfyui') throw new Error('These examples are for ComfyUI.')
    const engine = createEngine(comfy, { ...config, url: comfy.url })
    const [defaultModel] = (await engine.check(new AbortController().signal)).models
    expect(defaultModel).toBe(config.model ?? undefined)
    const image = imageOf(await collect(engine, request({ size: { width: 832, height: 1216 } })))
    expect(image.settings).toMatchObject({ seed: 7, model: config.model ?? 'flux1-schnell.safetensors' })
  }
  expect(comfy.submissions[1]?.workflow).toMatchObject({
    4: { inputs: { text: prompt } },
    6: { inputs: { width: 832, height: 1216 } },
    7: { inputs: { seed: 7 } },
  })
})

describe('progress', () => {
  test('increases with the steps of the sampler', async () => {
    const { engine } = await setUp()
    const events = await collect(engine)
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event.progress] : []))
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBeLessThanOrEqual(1)
  })

  test('shows previews of the own job only', async () => {
    const stranger = await plainPng(8, 8, 12)
    const { comfy, engine } = await setUp({
      extraMessages: [
        previewMessage(randomUUID(), '3', stranger),
        plainPreviewMessage(stranger),
        JSON.stringify({ type: 'executing', data: { node: null, prompt_id: randomUUID() } }),
        JSON.stringify({ type: 'execution_error', data: { prompt_id: randomUUID() } }),
      ],
    })
    const previews = (await collect(engine)).flatMap((event) =>
      event.type === 'partial' ? [event.bytes] : [],
    )
    expect(previews.length).toBeGreaterThan(0)
    for (const preview of previews) expect(Buffer.compare(preview, stranger)).not.toBe(0)
    expect(comfy.submissions[0]?.body['extra_data']).toEqual({ preview_method: 'auto' })
  })

  const head = Buffer.alloc(12)
  head.writeUInt32BE(4, 0)
  head.writeUInt32BE(4_000_000_000, 4)
  const texts = ['not JSON', '[]', 'null', '{"type":"progress"}']
  test.each([
    ['malformed', [new Uint8Array(), Buffer.from([0, 0]), head, ...texts]],
    ['too large', [Buffer.alloc(9_000_000)]],
  ])('needs no messages that are %s', async (_, extraMessages) => {
    const { engine } = await setUp({ extraMessages })
    expect(imageOf(await collect(engine)).bytes.length).toBeGreaterThan(0)
  })
})

describe('a lost connection', () => {
  test('does not lose the image', async () => {
    const { comfy, events } = await startHeld()
    await eventually(() => comfy.connections()).toBe(1)
    comfy.dropSockets()
    comfy.behavior.holdAt = null
    await eventually(() => comfy.connections()).toBe(0)
    comfy.release()
    expect(imageOf(await events).settings?.seed).toBe(7)
    expect(comfy.submissions).toHaveLength(1)
  })

  test('is replaced by polling if the server has no WebSocket', async () => {
    const { engine, lines } = await setUp({ hasWebSocket: false })
    expect((await collect(engine)).map(({ type }) => type)).toEqual(['complete'])
    expect(lines.join('')).toContain('no WebSocket to ComfyUI')
  })

  test('to a restarted server submits the lost job again with the same id', async () => {
    const { comfy, events, of, lines } = await startHeld()
    comfy.behavior.holdAt = null
    comfy.restart()
    expect(imageOf(await events).settings?.seed).toBe(7)
    expect(comfy.submissions.map(({ id }) => id)).toEqual([of.imageId, of.imageId])
    expect(lines.join('')).toContain('ComfyUI has lost a job')
  })

  test('uses the image that the job reported if the history was cleared', async () => {
    const { comfy, events, of } = await startHeld()
    comfy.behavior.responses['/view'] = (_request, response) => void response.end(jpeg)
    comfy.behavior.responses[`/history/${of.imageId}`] = (_request, response) => void response.end('{}')
    comfy.release()
    expect(Buffer.compare(imageOf(await events).bytes, jpeg)).toBe(0)
    expect(comfy.submissions).toHaveLength(1)
  })

  test.each([
    ['with a WebSocket', true],
    ['without one', false],
  ])('waits for a history that is late, %s', async (_name, hasWebSocket) => {
    const timing = { pollMs: 5, connectedPollMs: 60_000, maxOutageMs: 60_000, lostAfterMs: 60_000 }
    const outputs = { 9: [] }
    const { comfy, engine } = await setUp({ hasWebSocket, outputs }, { timing })
    const of = request()
    let polls = 0
    const { responses } = comfy.behavior
    const image = { filename: 'late.png', subfolder: '', type: 'output' }
    const entry = { outputs: { 9: { images: [image] } }, status: null }
    responses['/view'] = (_request, response) => void response.end(jpeg)
    responses[`/history/${of.imageId}`] = (_request, response) => {
      polls += 1
      // A proxy limits requests.
      response.statusCode = polls === 2 ? 429 : 200
      response.end(JSON.stringify(polls < 6 ? {} : { [of.imageId]: entry }))
    }
    expect(Buffer.compare(imageOf(await collect(engine, of)).bytes, jpeg)).toBe(0)
    expect(comfy.submissions).toHaveLength(1)
  })

  test('is noticed after garbage was collected', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const changed = new JobFeed('a job', {}).changed(50, new AbortController().signal)
    await nextTurn()
    collectGarbage()
    await changed
  })

  test('waits for a server that is down while the job runs, but not forever', async () => {
    const timing = { pollMs: 5, connectedPollMs: 5, maxOutageMs: 100, lostAfterMs: 20 }
    const { comfy, events } = await startHeld({}, { timing })
    await comfy.stop()
    await expectFailure(events, 'engine_unavailable', { cause: /ECONNREFUSED/ })
  })
})

describe('a resumed generation', () => {
  test.each(['pending', 'sampling'] as const)(
    'finds its %s job instead of submitting it twice',
    async (holdAt) => {
      const { comfy, engine } = await setUp({ holdAt })
      const of = request({ references: [jpeg] })
      const killed = new AbortController()
      const first = collect(engine, of, killed.signal)
      await eventually(() => comfy.queuedIds()).toEqual([of.imageId])
      killed.abort(new AppError('interrupted'))
      await expect(first).rejects.toMatchObject({ code: 'interrupted' })

      const second = collect(createEngine(comfy), { ...of, isResumed: true })
      comfy.behavior.holdAt = null
      await eventually(() => comfy.requests.some(({ path }) => path === '/queue')).toBe(true)
      comfy.release()
      expect(imageOf(await second).settings).toMatchObject({ seed: 7, model: 'sdxl.safetensors' })
      expect(comfy.submissions).toHaveLength(1)
      // The reference image, and the pixel that replaces it.
      expect(comfy.uploads).toHaveLength(2)
      expect(comfy.interrupted).toEqual([])
    },
  )

  test('submits a job that the server does not know', async () => {
    const { comfy, engine } = await setUp()
    const of = request({ isResumed: true })
    await collect(engine, of)
    expect(comfy.submissions.map(({ id }) => id)).toEqual([of.imageId])
  })

  test('waits for a server that is not started yet, but not forever', async () => {
    const { comfy, engine } = await setUp()
    let attempts = 0
    comfy.behavior.responses['/system_stats'] = (_request, response) => {
      attempts += 1
      if (attempts === 3) delete comfy.behavior.responses['/system_stats']
      response.writeHead(502).end()
    }
    expect(imageOf(await collect(engine, request({ isResumed: true }))).settings?.seed).toBe(7)
    expect(attempts).toBe(3)

    await comfy.stop()
    const timing = { pollMs: 5, connectedPollMs: 5, maxOutageMs: 50, lostAfterMs: 20 }
    const late = createEngine(comfy, { timing })
    await expectFailure(collect(late, request({ isResumed: true })), 'engine_unavailable')
  })
})

describe('a connection that is reset', () => {
  test('before the server has read the job submits it again', async () => {
    const { comfy, engine } = await setUp()
    comfy.behavior.responses['/prompt'] = (incoming) => {
      delete comfy.behavior.responses['/prompt']
      incoming.socket.resetAndDestroy()
    }
    expect(imageOf(await collect(engine)).settings?.seed).toBe(7)
    expect(comfy.submissions).toHaveLength(1)
  })

  test.each(['/queue', '/view', `/history/`])('by %s does not lose the job', async (path) => {
    const { comfy, engine } = await setUp({ hasWebSocket: false })
    const of = request()
    comfy.behavior.lostResponses.add(path === '/history/' ? `/history/${of.imageId}` : path)
    expect(imageOf(await collect(engine, of)).settings?.seed).toBe(7)
    expect(comfy.completed).toEqual([of.imageId])
  })

  test('after the server has accepted the job does not submit it again', async () => {
    const { comfy, events, of } = await startHeld({ lostResponses: new Set(['/prompt']) })
    await eventually(() => comfy.requests.some(({ path }) => path === '/queue')).toBe(true)
    comfy.release()
    expect((await events).map(({ type }) => type)).toContain('partial')
    expect(comfy.submissions).toHaveLength(1)
    expect(comfy.completed).toEqual([of.imageId])
  })
})

describe('a job that is queued twice', () => {
  test.each([
    ['with the endpoint for it', true],
    ['of versions without the endpoint for it', false],
  ])('is canceled twice, %s', async (_name, hasCancelEndpoint) => {
    const { comfy, events, of, abort } = await startHeld({ hasCancelEndpoint })
    comfy.repeatSubmission()
    comfy.addForeignJob('foreign')
    comfy.repeatSubmission()
    comfy.behavior.holdAt = 'pending'
    abort('canceled')
    await expect(events).rejects.toMatchObject({ code: 'canceled' })
    await eventually(() => comfy.queuedIds()).toEqual(['foreign'])
    expect(comfy.completed).toEqual([])
    expect(comfy.interrupted).toEqual([of.imageId])
  })

  test('runs once if the process is killed and continued by another', async () => {
    const { comfy, engine, events, of, abort } = await startHeld()
    comfy.repeatSubmission()
    abort('interrupted')
    await expect(events).rejects.toMatchObject({ code: 'interrupted' })
    const second = collect(engine, { ...of, isResumed: true })
    await eventually(() => comfy.requests.some(({ path }) => path === '/queue')).toBe(true)
    comfy.release()
    expect(imageOf(await second).settings?.seed).toBe(7)
    await eventually(() => comfy.queuedIds()).toEqual([])
    expect(comfy.completed).toEqual([of.imageId])
  })
})

describe('cancellation', () => {
  test('reaches a job whose submission got no response', async () => {
    const { comfy, events, abort } = await startHeld({ lostResponses: new Set(['/prompt']) })
    abort('canceled')
    await expect(events).rejects.toMatchObject({ code: 'canceled' })
    await eventually(() => comfy.queuedIds()).toEqual([])
    expect(comfy.completed).toEqual([])
  })

  test('is logged if it fails', async () => {
    const { comfy, events, abort, lines } = await startHeld()
    await comfy.stop()
    abort('canceled')
    await expect(events).rejects.toMatchObject({ code: 'canceled' })
    expect(lines.join('')).toContain('could not be canceled at ComfyUI')
  })
})

describe('a failed job', () => {
  const runtimeError = { ...oom, exception_type: 'RuntimeError' }
  const oomOfCpu = { ...runtimeError, exception_message: 'not enough memory: 9 bytes' }
  const exception = { ...runtimeError, exception_message: `/srv/x ${prompt}` }
  const failures = [
    ['out of memory', oom, 'engine_out_of_memory', /KSampler ran out of memory/],
    ['out of memory on the CPU', oomOfCpu, 'engine_out_of_memory', /KSampler/],
    ['an exception', exception, 'engine_failed', /the node KSampler failed with RuntimeError/],
    ['details of another type', { node_type: 7, exception_type: [prompt] }, 'engine_failed', /unknown/],
  ] as const

  test.each(failures)('is reported: %s', async (_name, data, code, cause) => {
    const { comfy, engine } = await setUp({ end: { event: 'execution_error', data } })
    await expectFailure(collect(engine), code, { cause })
    // The history contains the same without a WebSocket.
    comfy.behavior.hasWebSocket = false
    await expectFailure(collect(engine), code, { cause })
  })

  test('informs the user that it was interrupted at the server', async () => {
    const { comfy, events } = await startHeld()
    comfy.interruptRunning()
    await expectFailure(events, 'engine_failed', { message: 'The image was interrupted at the engine.' })
  })

  test('is not submitted again if it was removed from the queue at the server', async () => {
    const timing = { pollMs: 10, connectedPollMs: 10, maxOutageMs: 60_000, lostAfterMs: 20 }
    const { comfy, engine } = await setUp({ holdAt: 'pending' }, { timing })
    const of = request()
    const failure = expectFailure(collect(engine, of), 'engine_failed', {
      message: 'The image was interrupted',
    })
    await eventually(() => comfy.isHolding()).toBe(true)
    await fetch(`${comfy.url}/queue`, { method: 'POST', body: JSON.stringify({ delete: [of.imageId] }) })
    await failure
    expect(comfy.submissions).toHaveLength(1)
  })

  test.each([
    ['no files', {}],
    ['a film', { 9: [{ filename: 'film.mp4', subfolder: '', type: 'output' }] }],
  ])('is reported if it saves no image: %s', async (_name, outputs) => {
    const { engine } = await setUp({ outputs })
    await expectFailure(collect(engine), 'engine_failed', { cause: /without an image/ })
  })
})

describe('a rejected workflow', () => {
  test('names a missing model without its folder', async () => {
    const { engine, comfy } = await setUp({ models: [] })
    const failed = collect(engine, request({ model: 'anime/dream.safetensors' }))
    await expectFailure(failed, 'engine_misconfigured', {
      message:
        'The model dream.safetensors is not installed on this engine. Contact the operator of this site.',
      cause: /no model anime\/dream\.safetensors/,
    })
    expect(comfy.requests.filter(({ path }) => /cancel|interrupt/.test(path))).toEqual([])
  })

  const inputError = (type: string, nodeId: string, input: string) =>
    rejectionOf(type, nodeId, 'KSampler', { input_name: input }, prompt)
  const misconfigured = ['engine_misconfigured', /not set up correctly/] as const
  test.each([
    [
      'a size',
      inputError('value_bigger_than_max', '5', 'width'),
      'engine_failed',
      /does not accept this size/,
    ],
    ['a sampler', inputError('value_not_in_list', '3', 'sampler_name'), ...misconfigured],
    ['a number', inputError('value_smaller_than_min', '3', 'steps'), ...misconfigured],
    ['an image', inputError('custom_validation_failed', '10', 'image'), 'engine_failed', /Try again/],
    ['a link', inputError('bad_linked_input', '8', 'samples'), ...misconfigured],
    ['for no reason', {}, ...misconfigured],
  ] as const)('is reported: %s', async (_name, body, code, message) => {
    const { comfy, engine } = await setUp()
    comfy.behavior.responses['/prompt'] = (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    await expectFailure(collect(engine), code, { message })
  })

  test('is reported if the server accepts the job, but skips the image', async () => {
    const { comfy, engine } = await setUp({ holdAt: 'sampling' })
    comfy.behavior.nodeErrors = inputError('value_not_in_list', '3', 'sampler_name').node_errors
    await expectFailure(collect(engine), 'engine_misconfigured', { cause: /sampler_name of node 3/ })
    await eventually(() => comfy.queuedIds()).toEqual([])
  })
})

test.each([
  ['/prompt', 401, 'engine_misconfigured', /headers/],
  ['/prompt', 302, 'engine_misconfigured', /redirects/],
  ['/prompt', 404, 'engine_misconfigured', /url/],
  ['/prompt', 429, 'engine_busy', /./],
  ['/prompt', 500, 'engine_failed', /./],
  ['/system_stats', 502, 'engine_unavailable', /./],
  ['/view', 404, 'engine_failed', /no longer has the image/],
] as const)('reports an error of the server: %s %d', async (path, status, code, cause) => {
  const { comfy, engine } = await setUp()
  comfy.behavior.responses[path] = (_request, response) => {
    response.writeHead(status, { location: '/login' }).end(`<p>${prompt} /srv/comfy</p>`)
  }
  await expectFailure(collect(engine), code, { cause })
})

test('sends the configured headers with each request and on the WebSocket, but no origin', async () => {
  const { comfy, engine } = await setUp({ requiredHeaders: { authorization: token } })
  const events = await collect(engine, request({ references: [jpeg] }))
  expect(events.some(({ type }) => type === 'partial')).toBe(true)
  for (const { headers } of comfy.requests) {
    expect(headers.authorization).toBe(token)
    expect(headers).not.toHaveProperty('origin')
  }
})

test('keeps the path and the query of the URL', async () => {
  const { comfy } = await setUp()
  const engine = createEngine({ url: `${comfy.url}/api/?token=abc` })
  await collect(engine)
  for (const { path } of comfy.requests) expect(path).toMatch(/^\/api\/.*[?&]token=abc/)
  expect(engine.serialKey).toBe(`${comfy.url}/api`)
})

describe('the check', () => {
  const { signal } = new AbortController()

  test.each(['plain', 'combo'] as const)('lists the models, the default first: %s lists', async (choices) => {
    const { engine } = await setUp({ choices, models: ['a.safetensors', 'sdxl.safetensors'] })
    expect(await engine.check(signal)).toMatchObject({ models: ['sdxl.safetensors', 'a.safetensors'] })
  })

  test('accepts a server that describes neither itself nor its nodes', async () => {
    const { comfy, engine } = await setUp()
    for (const path of ['/system_stats', '/object_info/CheckpointLoaderSimple']) {
      comfy.behavior.responses[path] = (_request, response) => void response.writeHead(404).end()
    }
    expect(await engine.check(signal)).toMatchObject({ models: ['sdxl.safetensors'] })
    expect(imageOf(await collect(engine)).settings?.seed).toBe(7)
  })

  const lost = { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'lost.safetensors' } }
  const own = { 1: lost, 2: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%' } } }
  test.each([
    ['a model', { models: ['a.safetensors'] }, {}, /no model sdxl\.safetensors/],
    ['a node', { missingNodes: ['CheckpointLoaderSimple'] }, {}, /no node \w+: install it/],
    ['a model of the workflow', {}, { workflow: own, model: null }, /no model lost\.safetensors/],
  ])('reports %s that is not installed', async (_name, behavior, options, cause) => {
    const { engine } = await setUp(behavior, options)
    await expectFailure(engine.check(signal), 'engine_misconfigured', { cause })
  })

  test.each([
    [
      'koboldcpp, which mixes up users',
      { system: {}, devices: [{ name: 'koboldcpp' }] },
      /kind automatic1111/,
    ],
    ['another program', { status: 'ok' }, /not ComfyUI/],
  ])('rejects %s', async (_name, system, cause) => {
    const { comfy, engine } = await setUp({ system })
    await expectFailure(engine.check(signal), 'engine_misconfigured', { cause })
    await expectFailure(collect(engine), 'engine_misconfigured', { cause })
    expect(comfy.submissions).toHaveLength(0)
  })
})

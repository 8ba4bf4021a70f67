import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { urlAt } from '../engine-http.ts'
import { createEditMask } from './image-request.ts'
import { connect } from './openai-client.ts'
import { respondError, respondImage } from '../../../test/support/openai/provider-responses.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  compatibleParameters as compatible,
  drain,
  key,
  setUpScenario,
  runScenario,
  prompt,
} from '../../../test/support/openai/scenario.ts'

const image = respondImage(images.jpeg)
const openAi = [
  'model',
  'prompt',
  'n',
  'size',
  'output_format',
  'quality',
  'moderation',
  'stream',
  'partial_images',
]

describe('request', () => {
  test("has all parameters for OpenAI's models", async () => {
    const provider = await runScenario([image], images.jpeg)
    const [request] = provider.requests
    expect(request?.body).toEqual({
      model: 'gpt-image-2',
      prompt,
      n: 1,
      size: '1024x1024',
      output_format: 'jpeg',
      quality: 'medium',
      moderation: 'auto',
      stream: true,
      partial_images: 2,
    })
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(Object.keys(request?.headers ?? {})).not.toContain('openai-organization')
  })

  test.each([
    ['gpt-image-2', openAi],
    ['azure/gpt-image-1.5', openAi],
    ['chatgpt-image-latest', openAi],
    ['flux-1-schnell', compatible.filter((name) => name !== 'size')],
    ['grok-2-image', compatible.filter((name) => name !== 'size')],
  ])('has the parameters of the model %s, and no size unless one is chosen', async (model, names) => {
    const { provider, engine } = await setUpScenario([image], { model })
    await drain(engine, prompt, { size: null })
    expect(Object.keys(provider.requests[0]?.body ?? {}).sort()).toEqual([...names].sort())
    expect(provider.requests[0]?.body['model']).toBe(model)
  })

  test('has no credential without an API key', async () => {
    const { provider, engine } = await setUpScenario([image], { apiKey: null })
    await drain(engine)
    expect(provider.requests[0]?.headers.authorization).toBe(undefined)
  })

  test('is not sent for a prompt that contains only parameters', async () => {
    const { provider, engine } = await setUpScenario([image])
    await expect(drain(engine, '<SD_cpp_extra_args>{}')).rejects.toMatchObject({ code: 'prompt_blocked' })
    expect(provider.requests).toHaveLength(0)
  })
})

describe('request with reference images', () => {
  const references = [images.jpeg, images.signed]

  test("is an edit with all images and parameters for OpenAI's models", async () => {
    const { provider, engine } = await setUpScenario([image])
    await drain(engine, prompt, { references, size: { width: 1536, height: 1024 } })
    const [request] = provider.requests
    expect(request?.path).toBe('/v1/images/edits')
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(request?.body).toEqual({
      model: 'gpt-image-2',
      prompt,
      n: '1',
      size: '1536x1024',
      output_format: 'jpeg',
      quality: 'medium',
      stream: 'true',
      partial_images: '2',
    })
    expect(request?.files).toEqual(
      references.map((bytes) => ({ field: 'image[]', type: 'image/jpeg', bytes: Buffer.from(bytes) })),
    )
  })

  test('has one image for other models, and a mask that is transparent where it was white', async () => {
    const { provider, engine } = await setUpScenario([image], { model: 'flux' })
    const white = { r: 255, g: 255, b: 255 }
    const mask = await sharp({ create: { width: 8, height: 6, channels: 3, background: white } })
      .jpeg()
      .toBuffer()
    await drain(engine, prompt, { references: [images.jpeg], mask })
    const [request] = provider.requests
    expect(request?.files.map(({ field, type }) => [field, type])).toEqual([
      ['image', 'image/jpeg'],
      ['mask', 'image/png'],
    ])
    const { channels, isOpaque } = await sharp(request?.files[1]?.bytes).stats()
    expect([channels.length, isOpaque, channels[3]?.max]).toEqual([4, false, 0])
    expect(request?.body).toHaveProperty('response_format', 'b64_json')
  })

  test('is rejected apart from requests without', async () => {
    const rejected = respondError(400, { code: 'unknown_parameter', param: 'size' })
    const { provider, engine } = await setUpScenario([rejected, image, image, image])
    await drain(engine, prompt, { references })
    await drain(engine)
    await drain(engine, prompt, { references })
    expect(provider.requests.map(({ body }) => 'size' in body)).toEqual([true, false, true, false])
  })
})

test.each([
  ['gpt-image-2', { referenceImages: 4, mask: true, previews: true }, '1536x1024'],
  ['flux', { referenceImages: 1, mask: true, previews: false }, '832x1216'],
  ['grok-2-image', { referenceImages: 0, mask: false, previews: false }, undefined],
])('the model %s has the capabilities of its API', async (model, capabilities, size) => {
  const { engine } = await setUpScenario([], { model })
  expect(engine.capabilities).toMatchObject({ ...capabilities, count: 4, seed: false, negativePrompt: false })
  expect(engine.capabilities.sizes[1]).toBe(size)
})

test('has the headers of OPENAI_CUSTOM_HEADERS', async () => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Gateway: one:two\nno header\n Cookie : a=b ')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { provider, engine } = await setUpScenario([image])
  await drain(engine)
  expect(provider.requests[0]?.headers).toMatchObject({ 'x-gateway': 'one:two', cookie: 'a=b' })
})

test.each([
  [null, 'https://api.openai.com/v1/models', true],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1/models', true],
  ['http://localhost:8080', 'http://localhost:8080/models', false],
  [
    'https://me.openai.azure.com/openai/v1?api-version=preview',
    'https://me.openai.azure.com/openai/v1/models?api-version=preview',
    false,
  ],
])('are sent below OPENAI_BASE_URL %s: %s', (given, url, isOpenAi) => {
  const connection = connect(given, null)
  expect(urlAt(connection.base, '/models').href).toBe(url)
  expect(connection.isOpenAi).toBe(isOpenAi)
})

/** Draws a mask whose right half is white. */
const mask = sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="12"><rect x="8" width="8" height="12" fill="white"/></svg>',
  ),
)

test.each([
  ['JPEG', mask.clone().flatten().jpeg()],
  ['PNG', mask.clone().png()],
])('makes the white areas of a %s transparent, in the size of the reference image', async (_, file) => {
  const png = await createEditMask(await file.toBuffer(), images.jpeg)
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 32, height: 24, channels: 4 })
  const pixel = (x: number) => [...data.subarray(x * 4, x * 4 + 4)]
  expect([pixel(0), pixel(31)]).toEqual([
    [0, 0, 0, 255],
    [255, 255, 255, 0],
  ])
})

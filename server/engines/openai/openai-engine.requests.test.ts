import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  completedEvent,
  respondBytes,
  respondError,
  respondEvents,
  respondImage,
  respondJson,
  respondRedirect,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import {
  compatibleParameters as compatible,
  drain,
  key,
  prompt,
  runScenario,
  type Scenario,
  setUpScenario,
  testScenarios,
} from '../../../test/support/openai/scenario.ts'
import { urlAt } from '../engine-http.ts'
import { createEditMask } from './image-request.ts'
import { connect } from './openai-client.ts'
import { parseRetryAfter } from './provider-errors.ts'

const image = respondImage(images.jpeg)
const openAi = compatible.filter((name) => name !== 'response_format').concat('quality', 'moderation')

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

  test('has one image for other models, and a mask as PNG', async () => {
    const { provider, engine } = await setUpScenario([image], { model: 'flux' })
    await drain(engine, prompt, { references: [images.jpeg], mask: images.preview })
    const [request] = provider.requests
    expect(request?.files.map(({ field, type }) => [field, type])).toEqual([
      ['image', 'image/jpeg'],
      ['mask', 'image/png'],
    ])
    expect((await sharp(request?.files[1]?.bytes).metadata()).hasAlpha).toBe(true)
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

test('has the headers of OPENAI_CUSTOM_HEADERS, which engines of other kinds do not send', async () => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Gateway: one:two\nno header\n Cookie : a=b ')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { provider, engine } = await setUpScenario([image])
  await drain(engine)
  expect(provider.requests[0]?.headers).toMatchObject({ 'x-gateway': 'one:two', cookie: 'a=b' })
  expect(connect(provider.url, null).headers).not.toHaveProperty('cookie')
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

const unknown = (param: string) =>
  respondError(400, { code: 'unknown_parameter', param, message: `Unknown parameter: '${param}'.` })
const stringError = (error: string, status = 400) => respondJson({ error }, { status })
const detail = (value: unknown, status = 422) => respondJson({ detail: value }, { status })
const extra = (name: string) => ({
  type: 'extra_forbidden',
  loc: ['body', name],
  msg: 'Extra inputs are not permitted',
  input: prompt,
})

const stream = ['stream', 'partial_images']
const liteLlm = {
  message: "litellm.UnsupportedParamsError: model does not support parameters: ['stream', 'output_format']",
  type: 'None',
  param: 'None',
  code: '400',
}

/** Errors of a server, and the parameters that the request that succeeds and later ones do not have. */
const rejections: [server: string, responders: Responder[], without: string[]][] = [
  ['OpenAI', [unknown('response_format'), unknown('output_format')], ['response_format', 'output_format']],
  ['a rejected stream', [respondError(400, { param: 'stream', code: 'unsupported_value' })], stream],
  ['only in the message', [stringError('Streaming is not supported for this model')], stream],
  ['LiteLLM', [respondError(400, liteLlm)], [...stream, 'output_format']],
  [
    'xAI',
    [respondJson({ code: 'Invalid argument', error: 'Argument not supported: size' }, { status: 400 })],
    ['size'],
  ],
  ['sd.cpp', [stringError('invalid output_format, must be one of [png, jpeg]')], ['output_format']],
  ['vLLM, an array', [detail([extra('output_format'), extra('stream')])], [...stream, 'output_format']],
  ['vLLM, a string', [detail('Unsupported response_format. Only b64_json.', 400)], ['response_format']],
  [
    'no wrapper',
    [respondJson({ message: 'extra fields not permitted: n', code: 400 }, { status: 400 })],
    ['n'],
  ],
]

describe('rejected parameter', () => {
  test.each(rejections)(
    'is left out of this and later requests: %s',
    async (_server, responders, without) => {
      const { provider, engine } = await setUpScenario([...responders, image, image], { model: 'flux' })
      await drain(engine)
      await drain(engine)
      expect(provider.requests).toHaveLength(responders.length + 2)
      const remaining = compatible.filter((name) => !without.includes(name))
      for (const request of provider.requests.slice(-2))
        expect(Object.keys(request.body).sort()).toEqual(remaining.sort())
    },
  )

  test('is left out only once, and never if it is required', async () => {
    await runScenario([unknown('size'), unknown('size')], 'engine_failed')
    await runScenario([unknown('prompt')], 'engine_failed')
  })

  test('is sent again if it was rejected with another size', async () => {
    const { provider, engine } = await setUpScenario([unknown('size'), image, image, image])
    const wide = { size: { width: 1536, height: 1024 } }
    await drain(engine, prompt, wide)
    await drain(engine)
    await drain(engine, prompt, wide)
    const sizes = provider.requests.map(({ body }) => body['size'])
    expect(sizes).toEqual(['1536x1024', undefined, '1024x1024', undefined])
  })

  test('disables streaming after a stream without images', async () => {
    const empty = respondEvents([{ ...completedEvent(images.jpeg), b64_json: '' }])
    const { provider, engine } = await setUpScenario([empty, image, image])
    await drain(engine)
    await drain(engine)
    expect(provider.requests.map(({ body }) => body['stream'])).toEqual([true, undefined, undefined])
  })
})

/** Prompt that names every parameter in the wording of an error. */
const hostilePrompt =
  'unknown n, size, output_format, response_format, stream & partial_images: not supported'

describe('prompt that names parameters', () => {
  test('removes no parameter if `param` names the prompt', async () => {
    const cut = { param: 'prompt', message: `Unsupported: ${hostilePrompt.slice(0, 40)}` }
    const { provider, engine } = await setUpScenario([respondError(400, cut), image], { model: 'flux' })
    await expect(drain(engine, hostilePrompt)).rejects.toMatchObject({ code: 'engine_failed' })
    await drain(engine)
    expect(Object.keys(provider.requests[1]?.body ?? {}).sort()).toEqual([...compatible].sort())
  })

  test.each([
    [hostilePrompt.slice(0, 30), 5],
    [hostilePrompt.toUpperCase(), 2],
  ])(
    'is retried without those that the error quotes, without effect on later requests',
    async (quote, kept) => {
      const quoting = stringError(`Invalid prompt: "${quote}…"`)
      const { provider, engine } = await setUpScenario([quoting, image, image], { model: 'flux' })
      await drain(engine, hostilePrompt)
      await drain(engine)
      expect(provider.requests.map(({ body }) => Object.keys(body).length)).toEqual([8, kept, 8])
    },
  )

  test.each(['size', 'n'])(
    'that is only the word %j does not hide that parameter in errors',
    async (word) => {
      const rejected = stringError(`Argument not supported: ${word}`)
      const { provider, engine } = await setUpScenario([rejected, image, image], { model: 'flux' })
      await drain(engine, word)
      await drain(engine)
      expect(provider.requests.map(({ body }) => word in body)).toEqual([true, false, true])
    },
  )
})

test('sends a rejected parameter again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { provider, engine } = await setUpScenario([unknown('size'), image, image, image], { model: 'flux' })
  await drain(engine)
  vi.advanceTimersByTime(59 * 60_000)
  await drain(engine)
  vi.advanceTimersByTime(2 * 60_000)
  await drain(engine)
  expect(provider.requests.map(({ body }) => 'size' in body)).toEqual([true, false, false, true])
})

const echo = `Incorrect API key provided: ${key} for ${prompt}`
const invalidArgument = 'Client specified an invalid argument'
const stage = { moderation_details: { moderation_stage: 'input' } }

const openAiErrors: [status: number, error: Record<string, unknown>, expected: ErrorCode, logs?: RegExp][] = [
  [
    400,
    { code: 'moderation_blocked', message: echo, ...stage },
    'prompt_blocked',
    /"moderationStage":"input"/,
  ],
  [400, { code: 'content_policy_violation', type: 'invalid_request_error' }, 'prompt_blocked'],
  // Azure.
  [400, { code: 'contentFilter', message: 'size is invalid' }, 'prompt_blocked'],
  // LiteLLM.
  [400, { code: '400', message: 'litellm.ContentPolicyViolationError: blocked' }, 'prompt_blocked'],
  [400, { code: 'billing_hard_limit_reached', type: 'billing_limit_user_error' }, 'engine_out_of_credit'],
  [402, { message: 'Payment required' }, 'engine_out_of_credit'],
  [429, { code: 'insufficient_quota' }, 'engine_out_of_credit', /out of credit/],
  [429, { code: '429', message: 'You exceeded your current quota' }, 'engine_out_of_credit'],
  [400, { code: 'string_above_max_length', param: 'prompt', message: prompt }, 'engine_failed'],
  [500, { type: 'server_error', message: echo }, 'engine_failed', /req_fake/],
  [503, { message: 'overloaded' }, 'engine_failed'],
]
const moderated = { code: invalidArgument, error: 'Generated image rejected by content moderation.' }
// None of them is sent again, whatever its headers ask for.
const retry = { 'x-should-retry': 'true', 'retry-after': '0', 'retry-after-ms': '1' }

testScenarios('error', [
  ...openAiErrors.map(([status, error, expected, logs], index): Scenario => [
    `${index} with status ${status} is ${expected}`,
    respondError(status, error, retry),
    expected,
    { ...(logs && { logs }) },
  ]),
  ["recognizes xAI's moderation message", respondJson(moderated, { status: 400 }), 'prompt_blocked'],
  ['reads a plain string with status 500', respondJson({ error: echo }, { status: 500 }), 'engine_failed'],
  ['reads an HTML page', respondBytes(`<h1>Bad gateway ${key}</h1>`, 'text/html', 502), 'engine_failed'],
  ['reports status 504 as a timeout', respondBytes('', 'text/plain', 504), 'engine_timeout'],
  ['skips a long text', respondBytes(' '.repeat(2_000_000), 'text/html', 500), 'engine_failed'],
])

const limit = (headers?: Record<string, string>) =>
  respondError(429, { code: 'rate_limit_exceeded', message: 'Add a payment method at /billing' }, headers)

testScenarios('rate limit', [
  ['waits for ms', [limit({ 'retry-after-ms': '60' }), image], images.jpeg, { logs: /"milliseconds":60/ }],
  [
    'waits for retry-after in seconds, twice',
    [limit({ 'retry-after': '0.08' }), limit({ 'retry-after': '0' }), image],
    images.jpeg,
    { logs: /"milliseconds":80/ },
  ],
  ['fails if it is too long', limit({ 'retry-after': '3600' }), 'engine_busy', { retryAfter: 3_600 }],
  ['fails without a delay', limit(), 'engine_busy'],
  [
    'fails after five delays',
    Array.from({ length: 6 }, () => limit({ 'retry-after-ms': '1' })),
    'engine_busy',
    { retryAfter: 1 },
  ],
  ['stops waiting when aborted', limit({ 'retry-after': '50' }), 'abort on request'],
])

const names = { code: key, type: `x-${key}`, param: key, message: echo }
const configurationErrors: [name: string, responder: Responder, logs: string][] = [
  [
    'reports a rejected key',
    respondError(401, { code: 'invalid_api_key', message: echo }),
    'rejects the key',
  ],
  [
    'does not log a code that contains the key',
    respondError(401, names, { 'x-request-id': key }),
    'rejects the key',
  ],
  ['reports a key without permission', respondError(403, { message: echo }), 'no access'],
  [
    'reports an unknown model with status 404',
    respondError(404, { code: 'model_not_found' }),
    'no such model',
  ],
  [
    'reports an unknown model with status 400',
    respondError(400, { code: 'model_not_found' }),
    'no such model',
  ],
  ['reports a wrong address', respondBytes('<h1>404</h1>', 'text/html', 404), 'usually ends in /v1'],
  ['does not follow redirects', respondRedirect('/v1/images/generations', 308), 'redirects'],
]

testScenarios(
  'configuration error, whose fix is logged,',
  configurationErrors.map(([name, responder, logs]) => [
    name,
    responder,
    'engine_misconfigured',
    { logs: new RegExp(logs) },
  ]),
)

const now = Date.parse('2026-11-05T12:00:00Z')

test.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': 'Thu, 05 Nov 2026 12:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Thu, 05 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'tomorrow' }, undefined],
  [{}, undefined],
])('parses the delay of %o as %s ms', (headers, milliseconds) => {
  expect(parseRetryAfter(headers, now)).toBe(milliseconds)
})

import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  chatImage,
  dataUrl,
  respondBytes,
  respondChat,
  respondChatImage,
  respondError,
  respondJson,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  drain,
  key,
  prompt,
  runScenario,
  type Scenario,
  setUpScenario,
  testScenarios,
} from '../../../test/support/openai/scenario.ts'

const { jpeg, png, webp } = images
const image = respondChatImage(jpeg)
const textRejected = respondError(404, {
  message: 'No endpoints found that support the requested output modalities: image, text',
})
const ratioRejected = respondError(400, { message: 'Unrecognized request argument: image_config' })
const busy = respondError(429, { code: 429 }, { 'retry-after-ms': '1' })
const filtered = { choice: { finish_reason: 'content_filter' } }

testScenarios(
  'image',
  [
    ['is read from a data URL', image, jpeg],
    [
      'is the first of several, whatever the declared type',
      respondChat({ content: null, images: [{}, ...[webp, png].map(dataUrl).map(chatImage)] }),
      webp,
    ],
    ['is found in the content', respondChat({ content: [{ text: 'Here:' }, chatImage(dataUrl(png))] }), png],
    ['is found at a URL without a wrapper', respondChat({ images: [{ image_url: dataUrl(png) }] }), png],
    [
      'is fetched without a credential',
      respondChat((origin: string) => ({ images: [chatImage(`${origin}/files/1.png`)] })),
      png,
      { files: { '/files/1.png': respondBytes(png, 'text/html') }, fetches: 1 },
    ],
    [
      'has the model that generated it, and what it cost',
      respondChatImage(jpeg, { model: 'google/gemini-image:free', usage: { cost: 0.03 } }),
      jpeg,
      { settings: { model: 'google/gemini-image:free', cost: 0.03 } },
    ],
    ['is read although the content filter shortened the text', respondChatImage(jpeg, filtered), jpeg],
    [
      'is requested alone from a model that rejects text',
      [textRejected, image],
      jpeg,
      { logs: /"modalities\.text","forAnHour":true/ },
    ],
    ['is requested without a rejected aspect ratio', [ratioRejected, image], jpeg],
    ['is requested again after a rate limit', [busy, image], jpeg],
  ],
  { kind: 'chat' },
)

const moderated = {
  message: 'The model requires moderation, and your input was flagged',
  metadata: { reasons: ['violence'], flagged_input: 'a heron named Quentin', provider_name: 'x' },
}
const upstream = {
  message: 'Provider returned error',
  metadata: { raw: '{"error":{"code":"moderation_blocked"}}' },
}
const answered = (text: string) => ({ message: `The model generated no image. It answered: “${text}”.` })
const escapes = [{ text: ' I\u0000\u001b[31m will\r\n\n\u202enot\u2028 ' }, 7, null, { text: 'draw' }]

testScenarios(
  'refusal',
  [
    ['is quoted', respondChat({ content: null, refusal: 'No.' }), 'engine_failed', answered('No.')],
    [
      'is quoted on one line without control characters',
      respondChat({ content: escapes }),
      'engine_failed',
      answered('I [31m will not draw'),
    ],
    [
      'is quoted at its beginning if it is long',
      respondChat({ content: '🪔'.repeat(100_000) }),
      'engine_failed',
      answered(`${'🪔'.repeat(149)}…`),
    ],
    ['is not quoted if it has the key', respondChat({ content: `Your key is ${key}.` }), 'engine_failed'],
    ['of the content filter is recognized', respondChat({ content: 'No.' }, filtered), 'prompt_blocked'],
    [
      "of OpenRouter's moderation is recognized",
      respondError(403, moderated),
      'prompt_blocked',
      { logs: /"moderationStage":"input"/ },
    ],
    ['of the provider behind a gateway is recognized', respondError(400, upstream), 'prompt_blocked'],
    [
      'of reference images is named',
      respondError(404, { code: 404, message: 'No endpoints found that support image input' }),
      'engine_failed',
      {
        request: { references: [jpeg] },
        message: 'This engine cannot use reference images. Remove them, or choose another engine.',
      },
    ],
  ],
  { kind: 'chat' },
)

const failedChoice = { choice: { finish_reason: 'error', error: { code: 504, message: 'late' } } }
const fails: [name: string, responder: Responder][] = [
  ['reports a code that is no status', respondJson({ error: { code: -1 } })],
  ['reports an error that is a string', respondJson({ error: key })],
  ['rejects cut off JSON', respondBytes('{"choices":[{"message":', 'application/json')],
  ['rejects a response without choices', respondJson({ choices: 'none' })],
  ['rejects a choice without a message', respondJson({ choices: [null] })],
  ['rejects a message without content', respondChat({})],
  ['rejects images that are no images', respondChat({ images: [null, 3, { image_url: { url: 7 } }] })],
  ['rejects a URL of another scheme', respondChat({ images: [chatImage('file:///etc/passwd')] })],
  ['rejects a private address', respondChat({ images: [chatImage('http://169.254.169.254/latest')] })],
]

testScenarios(
  'error',
  [
    ['reports credit that is used up', respondError(402, { code: 402 }), 'engine_out_of_credit'],
    ['reports an error with status 200', respondJson({ error: { code: 402 } }), 'engine_out_of_credit'],
    ['reports the error of a choice', respondChat({ content: '' }, failedChoice), 'engine_timeout'],
    ['reports a rate limit', respondJson({ error: { code: '429', message: 'upstream' } }), 'engine_busy'],
    ['names the key', respondError(401, {}), 'engine_misconfigured', { logs: /rejects the key/ }],
    ...fails.map(([name, responder]): Scenario => [name, responder, 'engine_failed']),
  ],
  { kind: 'chat' },
)

describe('request', () => {
  test('has the prompt, the modalities and an aspect ratio', async () => {
    const { provider, engine } = await setUpScenario([image], { kind: 'chat' })
    await drain(engine)
    const [request] = provider.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(request?.body).toEqual({
      model: 'google/gemini-image',
      messages: [{ role: 'user', content: prompt }],
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: '1:1' },
    })
  })

  test('has the reference images as data URLs', async () => {
    const { provider, engine } = await setUpScenario([image], { kind: 'chat' })
    const references = [images.jpeg, images.signed]
    await drain(engine, prompt, { references })
    const part = (bytes: Uint8Array) => ({
      type: 'image_url',
      image_url: { url: dataUrl(bytes).replace('png', 'jpeg') },
    })
    expect(provider.requests[0]?.body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: prompt }, ...references.map(part)] },
    ])
  })

  test('has the aspect ratio of each size, and the nearest one of other sizes', async () => {
    const { provider, engine } = await setUpScenario(Array(10).fill(image), { kind: 'chat' })
    const sizes = [...engine.capabilities.sizes, '1000x1010', '100x2000']
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      await drain(engine, prompt, { size: { width, height } })
    }
    const sent = provider.requests.map(({ body }) => body['image_config'])
    const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9', '21:9', '1:1', '9:16']
    expect(sent).toEqual(ratios.map((ratio) => ({ aspect_ratio: ratio })))
  })
})

describe('rejected parameter', () => {
  test('is left out of later requests', async () => {
    const { provider, engine } = await setUpScenario([textRejected, image, image], { kind: 'chat' })
    await drain(engine)
    await drain(engine)
    const modalities = provider.requests.map(({ body }) => body['modalities'])
    expect(modalities).toEqual([['image', 'text'], ['image'], ['image']])
  })

  test('is not requested again and again from a model without image output', async () => {
    await runScenario([textRejected, textRejected], 'engine_misconfigured', { kind: 'chat' })
  })

  test('is sent again with another value, but not with the same one', async () => {
    const rejected = respondError(400, { message: 'Invalid image_config.aspect_ratio' })
    const responders = [rejected, image, image, image]
    const { provider, engine } = await setUpScenario(responders, { kind: 'chat' })
    const wide = { size: { width: 1536, height: 672 } }
    await drain(engine, prompt, wide)
    await drain(engine)
    await drain(engine, prompt, wide)
    const sent = provider.requests.map(({ body }) => 'image_config' in body)
    expect(sent).toEqual([true, false, true, false])
  })
})

test("checks OpenRouter's description of the key, as its list of models requires none", async () => {
  const files = { '/api/v1/key': respondError(401, { code: 401 }) }
  const url = 'https://openrouter.ai/api/v1'
  const { provider, engine } = await setUpScenario([], { kind: 'chat', files, url })
  const request = vi.spyOn(https, 'request')
  onTestFinished(() => request.mockRestore())
  request.mockImplementation(((address: URL, options: RequestOptions) =>
    http.request(new URL(address.pathname, provider.origin), options)) as typeof https.request)
  const checked = engine.check(new AbortController().signal)
  await expect(checked).rejects.toMatchObject({ code: 'engine_misconfigured' })
  expect(provider.fetches[0]?.headers.authorization).toBe(`Bearer ${key}`)
})

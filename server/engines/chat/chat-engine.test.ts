import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createChatEngine } from './chat-engine.ts'
import { fileSettings } from '../openai/setting-names.ts'
import {
  dataUrl,
  respondBytes,
  respondChatImage,
  respondError,
} from '../../../test/support/openai/provider-responses.ts'
import { chatErrors, chatImages, chatRefusals } from '../../../test/support/openai/scenarios/chat.ts'
import { configurationErrors, errors, rateLimits } from '../../../test/support/openai/scenarios/errors.ts'
import { images } from '../../../test/support/openai/images.ts'
import { drain, key, prompt, runScenario, setUpScenario } from '../../../test/support/openai/scenario.ts'

const image = respondChatImage(images.jpeg)

describe.each([
  { kind: 'image', scenarios: chatImages },
  { kind: 'refusal', scenarios: chatRefusals },
  { kind: 'error', scenarios: [...chatErrors, ...errors] },
  { kind: 'rate limit', scenarios: rateLimits.filter(({ images: expected }) => !expected) },
  { kind: 'configuration error', scenarios: configurationErrors(fileSettings) },
])('$kind', ({ scenarios }) => {
  test.each(scenarios)('$name', async (scenario) => {
    const provider = await runScenario({ ...scenario, kind: 'chat' })
    for (const { headers } of provider.fetches) expect(headers).not.toHaveProperty('authorization')
  })
})

describe('request', () => {
  test('has the prompt, the modalities and an aspect ratio', async () => {
    const { provider, engine } = await setUpScenario({ kind: 'chat', responders: [image] })
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

  test('has no credential without an API key', async () => {
    const { provider, engine } = await setUpScenario({ kind: 'chat', responders: [image], apiKey: null })
    await drain(engine)
    expect(provider.requests[0]?.headers.authorization).toBe(undefined)
  })

  test('has the reference images as data URLs', async () => {
    const { provider, engine } = await setUpScenario({ kind: 'chat', responders: [image] })
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
    const { provider, engine } = await setUpScenario({ kind: 'chat', responders: Array(10).fill(image) })
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
  const textRejected = respondError(404, {
    message: 'No endpoints found that support the requested output modalities: image, text',
  })

  test('is left out of later requests', async () => {
    const { provider, engine } = await setUpScenario({
      kind: 'chat',
      responders: [textRejected, image, image],
    })
    await drain(engine)
    await drain(engine)
    const modalities = provider.requests.map(({ body }) => body['modalities'])
    expect(modalities).toEqual([['image', 'text'], ['image'], ['image']])
  })

  test('is not requested again and again from a model without image output', async () => {
    await runScenario({
      kind: 'chat',
      name: '',
      responders: [textRejected, textRejected],
      error: 'engine_misconfigured',
    })
  })

  test('is sent again with another value, but not with the same one', async () => {
    const rejected = respondError(400, { message: 'Invalid image_config.aspect_ratio' })
    const responders = [rejected, image, image, image]
    const { provider, engine } = await setUpScenario({ kind: 'chat', responders })
    const wide = { size: { width: 1536, height: 672 } }
    await drain(engine, prompt, wide)
    await drain(engine)
    await drain(engine, prompt, wide)
    const sent = provider.requests.map(({ body }) => 'image_config' in body)
    expect(sent).toEqual([true, false, true, false])
  })
})

describe('check', () => {
  const { signal } = new AbortController()

  test('finds a server available that lists no models', async () => {
    const { engine } = await setUpScenario({ kind: 'chat', responders: [] })
    expect(await engine.check(signal)).toEqual({ models: ['google/gemini-image'] })
  })

  test.each([
    ['rejects the key', respondError(401, { code: 401 }), 'engine_misconfigured'],
    ['fails', respondBytes('', 'text/plain', 502), 'engine_failed'],
  ])('rejects a server that %s', async (_, responder, code) => {
    const files = { '/v1/models': responder }
    const { engine } = await setUpScenario({ kind: 'chat', responders: [], files })
    await expect(engine.check(signal)).rejects.toMatchObject({ code })
  })

  test("asks for OpenRouter's description of the key, as its list of models requires none", async () => {
    const files = { '/api/v1/key': respondError(401, { code: 401 }) }
    const { provider, log } = await setUpScenario({ kind: 'chat', responders: [], files })
    const request = vi.spyOn(https, 'request')
    onTestFinished(() => request.mockRestore())
    request.mockImplementation(((url: URL, options: RequestOptions) =>
      http.request(new URL(url.pathname, provider.origin), options)) as typeof https.request)
    const engine = createChatEngine({
      id: 'openrouter',
      kind: 'chat',
      label: 'OpenRouter',
      url: 'https://openrouter.ai/api/v1',
      apiKey: key,
      model: 'google/gemini-image',
      log,
    })
    await expect(engine.check(signal)).rejects.toMatchObject({ code: 'engine_misconfigured' })
    expect(provider.fetches[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('rejects a server that is down', async () => {
    const { engine, provider } = await setUpScenario({ kind: 'chat', responders: [] })
    await provider.stop()
    await expect(engine.check(signal)).rejects.toMatchObject({ code: 'engine_unavailable' })
  })
})

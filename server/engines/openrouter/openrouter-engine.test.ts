import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import {
  collectEvents,
  expectFailure,
  imageOf,
  requestFor,
} from '../../../test/support/image-engine-contract.ts'
import { images } from '../../../test/support/openai/images.ts'
import { startOpenRouter } from '../../../test/support/openrouter/server.ts'
import type { EngineRequest } from '../image-engine.ts'
import { createOpenRouterEngine, type OpenRouterOptions } from './openrouter-engine.ts'

const { signal } = new AbortController()
let provider: Awaited<ReturnType<typeof startOpenRouter>>
beforeEach(async () => {
  provider = await startOpenRouter(images.png)
  return provider.stop
})

function createEngine(more: Partial<OpenRouterOptions> = {}) {
  return createOpenRouterEngine({
    id: 'router',
    kind: 'openrouter',
    label: 'Router',
    url: provider.url,
    apiKey: 'sk-or',
    models: [],
    model: null,
    log: pino({ level: 'silent' }),
    listFile: null,
    ...more,
  })
}

function generate(more: Partial<EngineRequest> = {}, engine = createEngine()) {
  return collectEvents(engine.generate({ ...requestFor('a heron named Quentin'), ...more }, signal))
}

describe('the list of models', () => {
  test('types the parameters of each, without those that draw vectors', async () => {
    const { models, capabilities, modelDetails } = await createEngine().check(signal)
    expect(models).toEqual(['acme/painter', 'acme/sketcher'])
    expect(modelDetails?.['acme/painter']).toEqual({
      capabilities: expect.objectContaining({ sizes: [], seed: true, referenceImages: 2, previews: true }),
      parameters: [
        { name: 'resolution', type: 'enum', values: ['1K', '2K'] },
        { name: 'aspect_ratio', type: 'enum', values: ['1:1', '16:9'] },
        { name: 'background', type: 'enum', values: ['auto', 'transparent', 'opaque'] },
        { name: 'guidance', type: 'range', min: 1, max: 20 },
        { name: 'enhance', type: 'boolean' },
      ],
      price: null,
    })
    expect(modelDetails?.['acme/sketcher']).toMatchObject({
      capabilities: { sizes: ['1024x1024', '1536x1024'], seed: false, referenceImages: 0, previews: false },
      parameters: [{ name: 'aspect_ratio' }],
    })
    expect(capabilities).toMatchObject({ sizes: ['1024x1024', '1536x1024'], seed: true, referenceImages: 2 })
  })

  test('has the models of the configuration in their order', async () => {
    const models = ['acme/sketcher', 'acme/gone', 'acme/painter']
    expect((await createEngine({ models }).check(signal)).models).toEqual(['acme/sketcher', 'acme/painter'])
    await expectFailure(createEngine({ models: ['acme/gone'] }).check(signal), 'engine_misconfigured')
  })

  test('is read once an hour, and kept for when it cannot be read', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const listFile = path.join(await tempFolder(), 'models.json')
    const engine = createEngine({ listFile })
    await engine.check(signal)
    await engine.check(signal)
    expect(provider.lists()).toBe(1)
    vi.advanceTimersByTime(61 * 60_000)
    await engine.check(signal)
    expect(provider.lists()).toBe(2)
    expect(await readFile(listFile, 'utf8')).toContain('acme/painter')
    provider.state.listFailure = 500
    const restarted = createEngine({ listFile })
    expect((await restarted.check(signal)).models).toEqual(['acme/painter', 'acme/sketcher'])
    expect(imageOf(await generate({}, restarted)).bytes).toEqual(images.png)
    await expectFailure(createEngine().check(signal), 'engine_failed')
    provider.state.listFailure = 'no response'
    const waiting = createEngine({ listFile, listTimeoutMs: 10 })
    expect(imageOf(await generate({}, waiting)).bytes).toEqual(images.png)
  })
})

describe('an image', () => {
  test('is requested with what its model has, and nothing else', async () => {
    await generate({
      size: { width: 1024, height: 1024 },
      seed: 7,
      parameters: { resolution: '2K', gone: 1 },
    })
    expect(provider.requests).toEqual([
      {
        model: 'acme/painter',
        prompt: 'a heron named Quentin',
        resolution: '2K',
        seed: 7,
        output_format: 'jpeg',
        stream: true,
      },
    ])
    const parameters = { aspect_ratio: '1:1' }
    await generate({ model: 'acme/sketcher', size: { width: 1536, height: 1024 }, seed: 7, parameters })
    expect(provider.requests[1]).toEqual({
      model: 'acme/sketcher',
      prompt: 'a heron named Quentin',
      size: '1536x1024',
    })
  })

  test('keeps its transparency, and has references', async () => {
    await generate({ references: [images.jpeg], parameters: { background: 'transparent' } })
    const url = `data:image/jpeg;base64,${images.jpeg.toString('base64')}`
    expect(provider.requests).toMatchObject([
      { output_format: 'png', input_references: [{ type: 'image_url', image_url: { url } }] },
    ])
    const without = generate({ model: 'acme/sketcher', references: [images.jpeg] })
    await expectFailure(without, 'engine_failed', { message: /reference images/ })
  })

  test('comes with previews, the model, its cost, and a seed that the model takes', async () => {
    provider.state.preview = images.jpeg
    const events = await generate({ seed: 2_147_483_650 })
    expect(events).toEqual([
      { type: 'partial', bytes: images.jpeg },
      { type: 'complete', bytes: images.png, settings: { model: 'acme/painter', seed: 2, cost: 0.04 } },
    ])
    expect(provider.requests).toMatchObject([{ seed: 2 }])
    provider.state.usage = { cost: 1e300 }
    const { settings } = imageOf(await generate({ model: 'acme/sketcher' }))
    expect(settings).toEqual({ model: 'acme/sketcher' })
  })

  test('is requested again after a rate limit', async () => {
    provider.state.failure = { status: 429, error: { code: 429 }, headers: { 'retry-after-ms': '1' } }
    const events = generate()
    await expect.poll(() => provider.requests.length).toBeGreaterThan(0)
    provider.state.failure = null
    expect(imageOf(await events).bytes).toEqual(images.png)
  })

  test('is no SVG', async () => {
    provider.state.file = Buffer.from(' <svg xmlns="http://www.w3.org/2000/svg"/>')
    await expectFailure(generate(), 'engine_failed', { message: /vector images/ })
  })
})

const flagged = { reasons: ['violence'], flagged_input: 'a heron named Quentin', provider_name: 'Acme' }

describe('an error', () => {
  test.each([
    [401, {}, 'engine_misconfigured', /not set up/],
    [402, { message: 'Insufficient credits' }, 'engine_out_of_credit', /out of credit/],
    [403, { message: 'Input was flagged', metadata: flagged }, 'prompt_blocked', /does not allow/],
    [404, { message: 'No endpoints found' }, 'engine_misconfigured', /no model named “painter”/],
    [413, {}, 'engine_failed', /too large for this model/],
    [429, {}, 'engine_busy', /busy/],
    [502, { metadata: { provider_name: 'Acme', raw: '/srv/a' } }, 'engine_failed', /could not be generated/],
    [524, {}, 'engine_timeout', /too long/],
    [529, {}, 'engine_busy', /busy/],
  ] as const)('with the status %i is one sentence', async (status, error, code, message) => {
    const headers = { 'retry-after': '90' }
    provider.state.failure = { status, error: { code: status, message: 'x', ...error }, headers }
    const { retryAfter } = await expectFailure(generate(), code, { message })
    expect(retryAfter).toBe(code === 'engine_busy' ? 90 : undefined)
  })

  test('in a stream is that of its code', async () => {
    provider.state.streamError = { code: 402, message: 'Insufficient credits' }
    await expectFailure(generate(), 'engine_out_of_credit')
    provider.state.streamError = { message: 'Something failed' }
    await expectFailure(generate(), 'engine_failed')
  })

  test('of the key and its credit is found by the check', async () => {
    await expectFailure(createEngine({ apiKey: 'wrong' }).check(signal), 'engine_misconfigured')
    provider.state.limitRemaining = 0
    await expectFailure(createEngine().check(signal), 'engine_out_of_credit', { cause: /credit limit/ })
    expect(provider.requests).toEqual([])
  })

  test('names a model that is not listed', async () => {
    await expectFailure(generate({ model: 'acme/gone' }), 'engine_misconfigured', { message: /“gone”/ })
  })
})

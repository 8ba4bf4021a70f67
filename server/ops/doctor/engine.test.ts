import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createFailingEngine, createInstantEngine, engineFacts } from '../../../test/support/engine.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { images } from '../../../test/support/openai/images.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import {
  respondBytes,
  respondError,
  respondJson,
  respondRedirect,
} from '../../../test/support/openai/provider-responses.ts'
import { parseConfig } from '../../config/config.ts'
import type { Automatic1111EngineConfig, ComfyUiEngineConfig } from '../../config/engine-section.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { createOpenAiEngine } from '../../engines/openai/openai-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { checkServer, generateImage } from './engine.ts'

const sampling = { steps: null, sampler: null, scheduler: null, cfgScale: null }
const forge: Automatic1111EngineConfig = {
  id: 'forge',
  label: 'Forge',
  kind: 'automatic1111',
  url: 'http://localhost:7860',
  model: null,
  username: null,
  password: null,
  headers: {},
  ...sampling,
}
const comfy: ComfyUiEngineConfig = {
  id: 'comfy',
  label: 'Comfy',
  kind: 'comfyui',
  url: 'http://localhost:8188',
  workflow: { 6: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%' } } },
  model: null,
  headers: {},
  ...sampling,
}

const withModels = (...models: string[]): ImageEngine => ({
  ...engineFacts,
  check: () => Promise.resolve({ models }),
})
const unusable = (failure: AppError): ImageEngine => ({
  ...createFailingEngine(failure),
  check: () => Promise.reject(failure),
})

test.each([
  [forge, withModels('sd', 'xl'), 'the model that it has loaded', 'It can be used. It has sd, xl.'],
  [
    { ...forge, model: 'xl' },
    withModels('1', '2', '3', '4', '5', '6', '7'),
    'the model xl',
    'It can be used. It has 1, 2, 3, 4, 5 and 2 others.',
  ],
  [{ ...comfy, model: 'flux' }, withModels(), 'your workflow and the model flux', 'It can be used.'],
  [comfy, withModels(), 'your workflow', 'It can be used.'],
])('describes a server that can be used, %#', async (config, engine, model, result) => {
  const { host } = new URL(config.url)
  expect(linesOf(await checkServer(config, engine))).toEqual([
    `ok: ${host} generates the images, with ${model}.`,
    `ok: ${result}`,
  ])
})

test.each([
  [
    new AppError('engine_unavailable', undefined, {
      cause: new Error('localhost:7860: the connection failed (ECONNREFUSED)'),
    }),
    'problem: localhost:7860: the connection failed (ECONNREFUSED). → Check that it runs, and check url.',
  ],
  [
    new AppError('engine_misconfigured', 'The model is not installed.'),
    'problem: localhost:7860: The model is not installed. → Check url, model and the credentials of this engine in ENGINES_FILE.',
  ],
  [
    new AppError('engine_failed', undefined, { cause: new Error('it answered 500') }),
    'problem: localhost:7860: it answered 500. → Read its log, or try again later.',
  ],
  [
    new AppError('engine_failed', 'The model generated no image. It answered: “No.”.', {
      cause: new Error('localhost:7860: the response contains a text, but no image'),
    }),
    'problem: localhost:7860: the response contains a text, but no image. Users see: The model generated no image. It answered: “No.”. → Read its log, or try again later.',
  ],
])('reports a server that cannot be used, with a fix, %#', async (error, line) => {
  const lines = linesOf(await checkServer(forge, unusable(error)))
  expect(lines.slice(1)).toEqual([line])
  expect(linesOf(await generateImage(forge, createFailingEngine(error), 60))).toEqual([line])
})

test('generates an image, and counts progress and previews', async () => {
  const instant = createInstantEngine()
  const reporting: ImageEngine = {
    ...instant,
    async *generate(request, signal) {
      yield { type: 'progress', progress: 0.5 }
      yield { type: 'partial', bytes: new Uint8Array() }
      yield* instant.generate(request, signal)
    },
  }
  const generated = /^ok: localhost:7860 generated a JPEG of 64 × 48 pixels and .* in \d+\.\d seconds\.$/
  expect(linesOf(await generateImage(forge, reporting, 60))).toEqual([
    expect.stringMatching(generated),
    'ok: It reported its progress 1 time, with 1 preview.',
  ])
  expect(linesOf(await generateImage(forge, instant, 60))).toEqual([
    expect.stringMatching(generated),
    'note: It reported no progress: users see nothing before the image is finished.',
  ])
})

test('reports a broken image, none, and one that takes too long', async () => {
  const sending = (...chunks: Uint8Array[]): ImageEngine => ({
    ...engineFacts,
    async *generate() {
      await Promise.resolve()
      for (const bytes of chunks) yield { type: 'complete', bytes }
    },
  })
  const endless: ImageEngine = {
    ...engineFacts,
    async *generate(_request, signal) {
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      yield { type: 'progress', progress: 1 }
    },
  }
  expect(linesOf(await generateImage(forge, sending(new Uint8Array(9)), 60))).toEqual([
    'problem: localhost:7860 generated a broken image. → Read its log.',
  ])
  expect(linesOf(await generateImage(forge, sending(), 60))).toEqual([
    'problem: localhost:7860 generated no image. → Read its log.',
  ])
  expect(linesOf(await generateImage(forge, endless, 1))).toEqual([
    'problem: localhost:7860 generated no image in 1 second. → Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.',
  ])
})

test('notes an image that is converted, and one that takes half of the time', async () => {
  const slow: ImageEngine = {
    ...engineFacts,
    async *generate() {
      await new Promise((resolve) => setTimeout(resolve, 60))
      yield { type: 'complete', bytes: images.png }
    },
  }
  const lines = linesOf(await generateImage(forge, slow, 0.1))
  expect(lines.slice(1, 3)).toEqual([
    'note: Images that are not JPEG are converted to JPEG, without content credentials.',
    'note: That is more than half of IMAGE_TIMEOUT_SECONDS. → Raise it: several images at a time take longer.',
  ])
})

const key = 'sk-secret-1234567890abcdef'
const models = (...ids: string[]) => respondJson({ object: 'list', data: ids.map((id) => ({ id })) })
const notListed = 'note: It does not list its models; not every server or key may.'
const answered = 'problem: HOST: the image service responded with an error'

test.each<[Responder | null, string]>([
  [models('other', 'sd'), 'ok: It lists the model sd.'],
  [models('sd:latest'), 'ok: It lists the model sd.'],
  [
    models('a', 'b'),
    'note: It does not list the model sd, but a, b. → If generating fails, set OPENAI_IMAGE',
  ],
  [models(), 'note: It does not list the model sd. →'],
  [respondJson({ models: ['sd'] }), notListed],
  [respondBytes('<!doctype html>', 'text/html'), notListed],
  [respondError(404, { message: 'Not found' }), notListed],
  [
    respondError(401, { code: 'invalid_api_key', message: `Incorrect API key: ${key}` }),
    `${answered} (401, invalid_api_key). → Check OPENAI_BASE_URL, OPENAI_IMAGE_MODEL and OPENAI_API_KEY.`,
  ],
  [respondError(429, { code: 'insufficient_quota' }), `${answered} (429, insufficient_quota). → Add credit`],
  [respondRedirect('https://elsewhere.example/'), `${answered} (302). → Check OPENAI_BASE_URL`],
  [respondError(502, {}), `${answered} (502). → Read its log`],
  [
    null,
    'problem: HOST: the server cannot be reached (ECONNREFUSED). → Check that it runs, and check OPENAI_BASE_URL.',
  ],
])('checks a service of the OpenAI API without paying, %#', async (answer, begin) => {
  const provider = await startFakeProvider([], answer ? { '/v1/models': answer } : {})
  onTestFinished(provider.stop)
  const env = { OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: key }
  const [engine] = parseConfig(env, '/srv').engines
  if (engine.kind !== 'openai') throw new Error('This is about the openai engine.')
  if (answer === null) await provider.stop()
  const log = pino({ level: 'silent' })
  const report = linesOf(await checkServer(engine, createOpenAiEngine({ ...engine, log }))).join('\n')
  expect(report).not.toContain(key)
  const [first, ...lines] = report.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').split('\n')
  expect(first).toBe('ok: HOST generates the images, with the model sd; OPENAI_API_KEY is set.')
  expect(lines.at(-1)?.slice(0, begin.length)).toBe(begin)
  expect(provider.requests).toEqual([])
})

import { expect, test } from 'vitest'
import { createFailingEngine, createInstantEngine, engineFacts } from '../../../test/support/engine.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import type { Automatic1111EngineConfig, ComfyUiEngineConfig } from '../../config/engine-section.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { checkEngineServer, generateImage } from './engine.ts'

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
  expect(linesOf(await checkEngineServer(config, engine))).toEqual([
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
  const lines = linesOf(await checkEngineServer(forge, unusable(error)))
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

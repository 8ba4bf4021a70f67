import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { forge } from '../../../test/support/automatic1111/engine.ts'
import { createFailingEngine, createInstantEngine, engineFacts } from '../../../test/support/engine.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { respondError } from '../../../test/support/openai/provider-responses.ts'
import { parseConfig } from '../../config/config.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { createOpenAiEngine } from '../../engines/openai/openai-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { checkServer, generateImage } from './engine.ts'

test.each([
  [
    new AppError('engine_unavailable', undefined, {
      cause: new Error('localhost:7860: the connection failed (ECONNREFUSED)'),
    }),
    'problem: localhost:7860: the connection failed (ECONNREFUSED). → Check that it runs, and check its address.',
  ],
  [
    new AppError('engine_failed', 'The model generated no image. It answered: “No.”.', {
      cause: new Error('localhost:7860: the response contains a text, but no image'),
    }),
    'problem: localhost:7860: the response contains a text, but no image. Users see: The model generated no image. It answered: “No.”. → Read its log, or try again later.',
  ],
])('reports a server that cannot be used, with a fix, %#', async (failure, line) => {
  const engine = { ...createFailingEngine(failure), check: () => Promise.reject(failure) }
  const lines = await linesOf(checkServer(forge, engine))
  expect(lines.slice(1)).toEqual([line])
  expect(await linesOf([await generateImage('It', engine, 60, forge)])).toEqual([line])
})

/** An engine that sends some bytes as images. */
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
    yield { type: 'progress', progress: 1 }
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  },
}

test.each([
  [
    createInstantEngine(),
    /^ok: It generated a JPEG of 64 × 48 pixels and .* in \d+\.\d of at most 1 second\.$/,
  ],
  [sending(new Uint8Array(9)), /^problem: It generated a broken image\. → Read its log\.$/],
  [sending(), /^problem: It generated no image\. → Read its log\.$/],
  [endless, /^problem: It generated no image in 1 second\. → Raise IMAGE_TIMEOUT_SECONDS/],
])('generates an image, or says why not, %#', async (engine, line) => {
  expect(await linesOf([await generateImage('It', engine, 1)])).toEqual([expect.stringMatching(line)])
})

const key = 'sk-secret-1234567890abcdef'
test.each<[Responder | null, string]>([
  [
    respondError(401, { code: 'invalid_api_key', message: `Incorrect API key: ${key}` }),
    'problem: HOST: the image service rejects the key (401, invalid_api_key). → Check its address, its model an',
  ],
  [
    null,
    'problem: HOST: the server cannot be reached (ECONNREFUSED). → Check that it runs, and check its addr',
  ],
])('checks a service of the OpenAI API without paying, %#', async (answer, begin) => {
  const provider = await startFakeProvider([], answer ? { '/v1/models': answer } : {})
  onTestFinished(provider.stop)
  const env = { OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: key }
  const [engine] = parseConfig(env, '/srv').engines
  if (engine.kind !== 'openai') throw new Error('This is about the openai engine.')
  if (answer === null) await provider.stop()
  const log = pino({ level: 'silent' })
  const report = (await linesOf(checkServer(engine, createOpenAiEngine({ ...engine, log })))).join('\n')
  expect(report).not.toContain(key)
  const [first, ...lines] = report.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').split('\n')
  expect(first).toBe('ok: HOST generates the images, with the model sd, and a key.')
  expect(lines.at(-1)?.slice(0, begin.length)).toBe(begin)
  expect(provider.requests).toEqual([])
})

import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import {
  respondBytes,
  respondError,
  respondJson,
  respondRedirect,
} from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { checkEndpoint } from './engine.ts'
import { linesOf } from '../../../test/support/doctor.ts'

const key = 'sk-secret-1234567890abcdef'

/** Checks a service that answers this to a request for its models; null: that is down. */
async function check(answer: Responder | null, model = 'sd', apiKey = key): Promise<string[]> {
  const provider = await startFakeProvider([], answer ? { '/v1/models': answer } : {})
  onTestFinished(provider.stop)
  const env = { OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: model, OPENAI_API_KEY: apiKey }
  const {
    engines: [engine],
  } = parseConfig(env, '/srv')
  if (engine.kind !== 'openai') throw new Error('This is about the openai engine.')
  if (answer === null) await provider.stop()
  const lines = linesOf(await checkEndpoint(engine))
  expect(provider.requests).toEqual([])
  expect(lines.join('\n')).not.toContain(key)
  expect(lines.shift()).toMatch(
    /^ok: 127\.0\.0\.1:\d+ generates the images, with the model \S+; OPENAI_API_KEY is (not )?set\.$/,
  )
  return lines.map((line) => line.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'))
}

const models = (...ids: string[]) => respondJson({ object: 'list', data: ids.map((id) => ({ id })) })

test('finds the model in the list of the service', async () => {
  expect(await check(models('other', 'sd'))).toEqual([
    'ok: HOST answers and accepts the key.',
    'ok: It lists the model sd.',
  ])
  expect(await check(models('sd:latest'), 'sd', '')).toEqual([
    'ok: HOST answers.',
    'ok: It lists the model sd.',
  ])
})

test('sends the key, and one request', async () => {
  const keys: unknown[] = []
  await check((exchange) => {
    keys.push(exchange.request.headers.authorization)
    return models('sd')(exchange)
  })
  expect(keys).toEqual([`Bearer ${key}`])
})

test.each([
  [models('a', 'b'), 'note: It does not list the model sd, but a, b. → If generating fails'],
  [
    models('a', 'b', 'c', 'd', 'e', 'f'),
    'note: It does not list the model sd, but a, b, c, d, e and others. →',
  ],
  [models(), 'note: It does not list the model sd. →'],
  [respondJson({ models: ['sd'] }), 'note: HOST answers, but lists no models.'],
  [respondBytes('<!doctype html>', 'text/html'), 'note: HOST answers, but lists no models.'],
  [respondError(404, { message: 'Not found' }), 'note: HOST answers, but does not list its models (404)'],
  [
    respondError(403, { code: 'missing_scope' }),
    'note: HOST answers, but does not list its models (403, missing_scope)',
  ],
  [
    respondError(401, { code: 'invalid_api_key', message: `Incorrect API key: ${key}` }),
    'problem: HOST answered 401, invalid_api_key. → The image service rejects the key: check OPENAI_API_KEY.',
  ],
  [
    respondError(429, { code: 'insufficient_quota' }),
    'problem: HOST answered 429, insufficient_quota. → The image service is out of credit',
  ],
  [
    respondRedirect('https://elsewhere.example/'),
    'problem: HOST answered 302. → The image service redirects',
  ],
  [respondError(502, {}), 'problem: HOST fails (502). → Read its log'],
  [null, 'problem: HOST cannot be reached (ECONNREFUSED). → Check that it runs, and check OPENAI_BASE_URL.'],
])('describes any other answer, %#', async (answer, begin) => {
  expect((await check(answer)).at(-1)?.slice(0, begin.length)).toBe(begin)
})

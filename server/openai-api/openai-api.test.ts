import { load } from 'exifreader'
import type OpenAI from 'openai'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { createRateLimiter } from '../rate-limits/rate-limiter.ts'
import {
  allCapabilities,
  createFailingEngine,
  createInstantEngine,
  engineFacts,
} from '../../test/support/engine.ts'
import { createKey, openAiClient, signUpProgram } from '../../test/support/openai-api/client.ts'
import { clerkEnv, mintToken, signInAtClerk } from '../../test/support/clerk.ts'
import { createScriptedEngine, eventually, imageRows } from '../../test/support/generations.ts'
import { unlimitedWrites } from '../../test/support/limits.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'

const engines = [
  createInstantEngine({ id: 'forge', label: 'Forge', model: 'xl', capabilities: allCapabilities }),
  createInstantEngine({
    id: 'small',
    label: 'Small',
    model: 's',
    capabilities: { ...engineFacts.capabilities, count: 1 },
  }),
]
const server = shareTestServer({
  engines,
  writeLimits: unlimitedWrites(),
  env: { DAILY_IMAGE_LIMIT: '1000', SITE_NAME: 'Studio' },
})
let asha: TestUser
let key: string
let client: OpenAI
beforeAll(async () => {
  asha = await server().signUp()
  key = await createKey(asha)
  client = openAiClient(server(), key)
})

/** Sends JSON to the endpoint, as programs without the SDK do. */
function generate(body: unknown, headers: Record<string, string> = {}) {
  return server().postJson('/v1/images/generations', body, { bearer: key }, headers)
}

async function errorOf(response: Response) {
  const body = (await response.json()) as { error: Record<string, unknown> }
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
  expect(response.headers.get('cache-control')).toContain('no-store')
  return { status: response.status, ...body.error }
}

const bytesOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64')

describe('POST /v1/images/generations', () => {
  test('returns a PNG in base64 by default', async () => {
    const { data, created, ...rest } = await client.images.generate({ prompt: 'A lotus' })
    expect(rest).toMatchObject({ background: 'opaque', output_format: 'png', size: '64x48' })
    expect(Math.abs(created - Date.now() / 1_000)).toBeLessThan(60)
    expect(data).toHaveLength(1)
    const bytes = bytesOf(data?.[0]?.b64_json)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 64, height: 48 })
  })

  test('uses the default engine without a model, and passes the size on', async () => {
    await client.images.generate({ prompt: 'A boat', size: '1216x832', model: null })
    const [latest] = (await asha.trpc.images.list.query()).images
    expect(latest).toMatchObject({ engine: 'forge', recipe: { size: '1216x832' } })
  })

  test.each(['gpt-image-1', 'gpt-image-2.6-mini', 'chatgpt-image-latest', 'dall-e-2'])(
    'takes %s, which programs ask for by default, for the default engine',
    async (model) => {
      await client.images.generate({ prompt: `Drawn by ${model}`, model })
      expect((await imageRows(server())).at(-1)).toMatchObject({ engine: 'forge' })
    },
  )

  test('accepts and ignores the parameters that mean nothing here', async () => {
    const { data } = await client.images.generate({
      prompt: 'A comb',
      background: 'auto',
      moderation: 'low',
      quality: 'hd',
      style: 'vivid',
      user: 'someone',
      stream: false,
      partial_images: 0,
      output_compression: 100,
      response_format: 'b64_json',
    })
    expect(data).toHaveLength(1)
  })
})

describe('an engine that draws the same image for a prompt', () => {
  const shared = shareTestServer({ engine: createInstantEngine({ isDeterministic: true }) })

  test('draws two requests with the same prompt, as the AI SDK splits one for two images', async () => {
    const program = await signUpProgram(shared())
    const send = (headers = {}) => program.client.images.generate({ prompt: 'A kolam', n: 1 }, { headers })
    await Promise.all([send(), send()])
    const recipes = (await imageRows(shared())).map(({ recipe }) => recipe)
    expect(new Set(recipes).size).toBe(2)
    const headers = { 'Idempotency-Key': 'kolam-1' }
    await Promise.all([send(headers), send(headers)])
    await send(headers)
    expect(await imageRows(shared())).toHaveLength(3)
  })
})

describe('GET /v1/models', () => {
  test('returns the engines of the site as models', async () => {
    const { data } = await client.models.list()
    expect(data).toEqual([
      { id: 'forge', object: 'model', created: 0, owned_by: 'Studio', name: 'Forge' },
      { id: 'small', object: 'model', created: 0, owned_by: 'Studio', name: 'Small' },
    ])
  })
})

describe('a request that is not valid', () => {
  const prompt = 'A lotus'
  const links = { response_format: 'url' }
  const otherSize =
    "Invalid value for 'size': Forge does not support the size 63x64. Choose one of 1024x1024, 1216x832, or one with sides of 64 to 2048 pixels, in multiples of 8."
  const otherCount = "Invalid value for 'n': it must be a whole number from 1 to 4."
  const otherFormat = "Invalid value for 'output_format': it must be png or jpeg or webp."
  const otherType = "Invalid value for 'model': it must be a string."
  test.each<[name: string, body: unknown, param: string | null, code: string | null, message?: string]>([
    ['no object', [], null, null],
    ['no JSON', '{', null, null],
    ['no prompt', {}, 'prompt', 'missing_required_parameter', "Missing required parameter: 'prompt'."],
    ['an empty prompt', { prompt: ' ' }, 'prompt', 'invalid_value'],
    ['an unknown parameter', { prompt, seed: 1 }, 'seed', 'unknown_parameter', "Unknown parameter: 'seed'."],
    ['a text for n', { prompt, n: '1' }, 'n', 'invalid_value'],
    ['too many images', { prompt, n: 5 }, 'n', 'invalid_value', otherCount],
    ['more images than the engine generates', { prompt, n: 2, model: 'small' }, 'n', 'invalid_value'],
    ['a size of a wrong form', { prompt, size: 'large' }, 'size', 'invalid_value'],
    ['another size', { prompt, size: '63x64' }, 'size', 'invalid_value', otherSize],
    ['an unknown format', { prompt, output_format: 'gif' }, 'output_format', 'invalid_value', otherFormat],
    ['a compressed PNG', { prompt, output_compression: 50 }, 'output_compression', 'invalid_value'],
    ['a transparent background', { prompt, background: 'transparent' }, 'background', 'invalid_value'],
    ['a stream of several images', { prompt, stream: true, n: 2 }, 'n', 'invalid_value'],
    ['a stream of links', { prompt, ...links, stream: true }, 'response_format', 'invalid_value'],
    ['a model that is no text', { prompt, model: {} }, 'model', 'invalid_value', otherType],
  ])('is rejected with %s', async (_, body, param, code, message) => {
    const before = await imageRows(server())
    const response = await generate(body)
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param,
      code,
      ...(message && { message }),
    })
    expect(await imageRows(server())).toHaveLength(before.length)
  })

  test.each(['flux', 'my-gpt-image-1', '', 'constructor'])(
    'is rejected with the unknown model "%s"',
    async (model) => {
      const missing = { status: 404, type: 'invalid_request_error', param: 'model', code: 'model_not_found' }
      expect(await errorOf(await generate({ prompt, model }))).toMatchObject(missing)
    },
  )
})

describe('an error below /v1', () => {
  test('has the form of OpenAI for an unknown path', async () => {
    expect(await errorOf(await server().request('/v1/chat/completions?x=1'))).toMatchObject({
      status: 404,
      message: 'Invalid URL (GET /v1/chat/completions)',
    })
    for (const path of ['/v1', '/v1/', '/v1/images', '/v1/%ff'])
      expect(await errorOf(await server().request(path)), path).toMatchObject({ status: 404 })
  })

  test.each([
    ['GET', '/v1/images/generations', 'POST'],
    ['DELETE', '/v1/models/forge', 'GET'],
    ['POST', '/v1/models', 'GET'],
  ])('has the form of OpenAI for %s %s', async (method, path, allowed) => {
    const response = await server().request(path, { method, headers: { authorization: `Bearer ${key}` } })
    expect(response.headers.get('allow')).toBe(allowed)
    expect(await errorOf(response)).toMatchObject({ status: 405, code: 'method_not_supported' })
  })
})

describe('the credential', () => {
  test.each<[string, () => Record<string, string>]>([
    ['missing', () => ({})],
    ['a cookie alone', () => ({ cookie: asha.cookie, origin: server().url })],
    [
      'an unknown key',
      () => ({ authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}` }),
    ],
    ['a key of OpenAI', () => ({ authorization: 'Bearer sk-proj-1234' })],
    ['a scheme without a key', () => ({ authorization: 'Bearer' })],
    [
      'another scheme beside a cookie',
      () => ({ authorization: 'Basic YTpi', cookie: asha.cookie, origin: server().url }),
    ],
  ])('is rejected if it is %s', async (_, headersOf) => {
    for (const [path, init] of [
      ['/v1/models', {}],
      ['/v1/models/forge', {}],
      ['/v1/images/generations', { method: 'POST', body: '{"prompt":"A lotus"}' }],
    ] as const) {
      const response = await server().request(path, { ...init, headers: headersOf() })
      expect(await errorOf(response), path).toMatchObject({ status: 401, code: 'invalid_api_key' })
    }
  })

  test('needs the scope to generate', async () => {
    const of = async (scope: 'read' | 'generate') => openAiClient(server(), await createKey(asha, [scope]))
    const reader = await of('read')
    const refused = { status: 403, type: 'invalid_request_error', code: 'insufficient_permissions' }
    await expect(reader.images.generate({ prompt: 'A lotus' })).rejects.toMatchObject(refused)
    const generator = await of('generate')
    const { data } = await generator.images.generate({ prompt: 'A lotus', response_format: 'url' })
    expect((await fetch(data?.[0]?.url ?? '')).status).toBe(200)
    expect((await generator.models.list()).data).toHaveLength(2)
  })
})

test.each([
  ['prompt_blocked', 400, 'image_generation_user_error', 'moderation_blocked', 'false', undefined],
  // It may have been paid for.
  ['engine_failed', 502, 'server_error', 'engine_failed', 'false', undefined],
  ['engine_busy', 503, 'server_error', 'engine_busy', 'true', 20],
] as const)('reports the failure %s', async (failure, status, type, code, retry, retryAfter) => {
  const engine = createFailingEngine(new AppError(failure, undefined, { retryAfter }))
  const failing = await startTestServer({ engine })
  const bearer = await createKey(await failing.signUp())
  const response = await failing.postJson('/v1/images/generations', { prompt: 'A lotus' }, { bearer })
  expect(response.headers.get('x-should-retry')).toBe(retry)
  expect(response.headers.get('retry-after')).toBe(retryAfter === undefined ? null : String(retryAfter))
  expect(await errorOf(response)).toMatchObject({ status, type, code })
})

test.each([
  ['is repeated by the SDK with an idempotency key', { 'Idempotency-Key': 'once' }, 'true'],
  ['is not repeated by the SDK without one, as its generation may go on', {}, 'false'],
])('a request to a server that stops %s', async (_, headers, retry) => {
  const { engine, waitForJob } = createScriptedEngine()
  const stopping = await startTestServer({ engine })
  const bearer = await createKey(await stopping.signUp())
  const answer = stopping.postJson('/v1/images/generations', { prompt: 'A clock' }, { bearer }, headers)
  await waitForJob('A clock')
  const [response] = await Promise.all([answer, stopping.stop()])
  expect(response.headers.get('x-should-retry')).toBe(retry)
  expect(await errorOf(response)).toMatchObject({ status: 503, code: 'interrupted' })
})

test('accepts an API key with sign-in by Clerk, and no session token', async () => {
  const clerk = await startTestServer({ env: clerkEnv() })
  const user = signInAtClerk(clerk, 'user_asha')
  const program = openAiClient(clerk, await createKey(user))
  const { data } = await program.images.generate({ prompt: 'A lotus', response_format: 'url' })
  expect((await fetch(data?.[0]?.url ?? '')).status).toBe(200)
  const session = openAiClient(clerk, mintToken({ azp: clerk.url, sub: 'user_asha' }))
  await expect(session.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
})

test('a used-up quota is reported until midnight, and the SDK does not wait for it', async () => {
  const now = Date.parse('2026-03-01T18:00:00Z')
  const limited = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '0' }, now: () => now })
  const bearer = await createKey(await limited.signUp())
  const patient = openAiClient(limited, bearer, 2)
  const error: unknown = await patient.images
    .generate({ prompt: 'A lotus' })
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ status: 429, type: 'insufficient_quota', code: 'insufficient_quota' })
  expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe(String(6 * 3_600))
})

describe('the format', () => {
  test.each(['png', 'webp', 'jpeg'] as const)('is %s if the request asks for it', async (format) => {
    const { data, output_format } = await client.images.generate({ prompt: 'A fan', output_format: format })
    expect(output_format).toBe(format)
    const bytes = bytesOf(data?.[0]?.b64_json)
    const { format: actual, width, height } = await sharp(bytes).metadata()
    expect({ actual, width, height }).toEqual({ actual: format, width: 64, height: 48 })
    const { xmp } = load(bytes, { expanded: true })
    expect(xmp).toMatchObject({ Model: { value: 'xl' }, DigitalSourceType: expect.anything() })
    expect(JSON.stringify(xmp)).not.toContain('A fan')
  })

  test('is the stored file for a JPEG, and encoded again with a compression', async () => {
    const sizeWith = async (output_compression?: number) => {
      const prompt = 'A peacock'
      const { data } = await client.images.generate({
        prompt,
        output_format: 'jpeg',
        ...(output_compression !== undefined && { output_compression }),
      })
      return bytesOf(data?.[0]?.b64_json)
    }
    const whole = await sizeWith()
    const [latest] = (await asha.trpc.images.list.query()).images
    const stored = await server().request(latest?.photo ?? '', { headers: server().headersOf(asha) })
    expect(whole.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true)
    expect((await sizeWith(100)).equals(whole)).toBe(true)
    for (const compression of [0, 50]) expect((await sizeWith(compression)).equals(whole)).toBe(false)
  })
})

test('a script of another site generates with a key, and reads errors', async () => {
  const origin = 'https://chat.example'
  const response = await generate({ prompt: 'A swing' }, { origin })
  expect(response.status).toBe(200)
  const failed = await generate({}, { origin })
  for (const { headers } of [response, failed]) expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(failed.headers.get('access-control-expose-headers')).toContain('Retry-After')
})

test('returns the images that succeed if another one of the request fails', async () => {
  const { engine, jobs } = createScriptedEngine({ capabilities: allCapabilities })
  const scripted = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '2' } })
  const program = await signUpProgram(scripted)
  const answer = program.client.images.generate({ prompt: 'A pair', n: 2 })
  await eventually(() => jobs.length).toBe(2)
  jobs[0]?.fail(new AppError('engine_failed'))
  await jobs[1]?.finish()
  expect((await answer).data).toHaveLength(1)
})

test('a generation goes on after its client has disconnected', async () => {
  const { engine, waitForJob } = createScriptedEngine()
  const scripted = await startTestServer({ engine })
  const { user, client: program } = await signUpProgram(scripted)
  const leaving = new AbortController()
  const headers = { 'Idempotency-Key': 'once' }
  const body = { prompt: 'A comet' }
  const left = program.images.generate(body, { signal: leaving.signal, headers })
  const job = await waitForJob('A comet')
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  await eventually(() => scripted.services.generations.watchers).toBe(0)
  expect(job.signal.aborted).toBe(false)
  const again = program.images.generate(body, { headers })
  await job.finish()
  expect((await again).data).toHaveLength(1)
  expect((await user.trpc.images.list.query()).images).toHaveLength(1)
})

test('the writes of a network are limited, and the error says when to try again', async () => {
  const writeLimits = { ...unlimitedWrites(), perNetwork: createRateLimiter(1, 60) }
  const limited = await startTestServer({ writeLimits })
  const post = () => limited.postJson('/v1/images/generations', { prompt: 'A lotus' })
  expect((await post()).status).toBe(401)
  const response = await post()
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('x-should-retry')).toBe('true')
  const limitedBy = { status: 429, type: 'requests', code: 'rate_limit_exceeded' }
  expect(await errorOf(response)).toMatchObject(limitedBy)
})

test('logs requests by their path, and neither keys nor links', async () => {
  const logging = await startTestServer({
    env: { METRICS_TOKEN: 'metrics-token-of-tests' },
  })
  const program = await signUpProgram(logging)
  const { data } = await program.client.images.generate({ prompt: 'A lotus', response_format: 'url' })
  const link = new URL(data?.[0]?.url ?? '')
  await (await fetch(link)).arrayBuffer()
  await eventually(() => logging.lines.some((line) => line.includes('"path":"/v1/images/generations"'))).toBe(
    true,
  )
  expect(logging.lines.join('')).not.toContain(program.key)
  expect(logging.lines.join('')).not.toContain(link.searchParams.get('signature'))
  const readMetrics = async () => {
    const headers = { authorization: 'Bearer metrics-token-of-tests' }
    return (await logging.request('/metrics', { headers })).text()
  }
  for (const route of ['/v1/images/generations', '/v1/images/:file'])
    await eventually(readMetrics).toContain(`route="${route}"`)
})

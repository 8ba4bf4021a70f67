import { expect, test } from 'vitest'
import {
  respondBytes,
  respondError,
  respondEvents,
  respondJson,
  respondNothing,
  respondImage,
  respondReset,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import { transports, forEachTransport } from '../../../test/support/transports.ts'
import { eventually, follow } from '../../../test/support/generations.ts'
import { cutShort, noisyImage } from '../../../test/support/images.ts'
import { bearer, providerKey, startWithProvider } from '../../../test/support/provider.ts'

const secret = 'a heron named Quentin'
const echo = { message: `Incorrect API key provided: ${providerKey} for ${secret}` }

const blocked = {
  status: 400,
  error: 'The image service does not allow this prompt. Change it and try again.',
}
const notMade = { status: 502, error: 'The image could not be generated. Try again.' }
const misconfigured = {
  status: 502,
  error: 'The image service is not set up correctly. Contact the operator of this site.',
}
const outOfCredit = {
  status: 502,
  error: 'The image service is out of credit. Contact the operator of this site.',
}
const busy = { status: 503, error: 'The image service is busy. Try again in a moment.' }
const late = { status: 504, error: 'The image took too long to generate. Try again.' }

interface Case {
  readonly name: string
  readonly answer: Responder
  readonly told: { readonly status: number; readonly error: string; readonly retryAfter?: number }
  readonly failure: string
}

const moderation = { code: 'moderation_blocked', ...echo }
const preview = partialEvent(images.preview)

const cases: readonly Case[] = [
  {
    name: 'a blocked prompt',
    answer: respondError(400, moderation),
    told: blocked,
    failure: 'prompt_blocked',
  },
  {
    name: 'an image blocked after a preview',
    answer: respondEvents([preview, { type: 'error', error: moderation }]),
    told: blocked,
    failure: 'prompt_blocked',
  },
  {
    name: 'no credit',
    answer: respondError(429, { code: 'insufficient_quota', ...echo }),
    told: outOfCredit,
    failure: 'engine_out_of_credit',
  },
  {
    name: 'too many requests',
    answer: respondError(429, { code: 'rate_limit_exceeded', ...echo }, { 'retry-after': '3600' }),
    told: { ...busy, retryAfter: 3_600 },
    failure: 'engine_busy',
  },
  {
    name: 'a refused key',
    answer: respondError(401, { code: 'invalid_api_key', ...echo }),
    told: misconfigured,
    failure: 'engine_misconfigured',
  },
  {
    name: 'an unknown model',
    answer: respondError(404, { code: 'model_not_found', ...echo }),
    told: misconfigured,
    failure: 'engine_misconfigured',
  },
  { name: 'a broken provider', answer: respondError(500, echo), told: notMade, failure: 'engine_failed' },
  {
    name: 'a timeout of the provider’s own',
    answer: respondError(504, echo),
    told: late,
    failure: 'engine_timeout',
  },
  { name: 'a lost connection', answer: respondReset(), told: notMade, failure: 'engine_failed' },
  {
    name: 'a stream cut short',
    answer: respondEvents([preview], 'cut'),
    told: notMade,
    failure: 'engine_failed',
  },
  {
    name: 'a page',
    answer: respondBytes(images.html, 'text/html'),
    told: notMade,
    failure: 'engine_failed',
  },
  { name: 'no data', answer: respondJson({ created: 1, data: [] }), told: notMade, failure: 'engine_failed' },
  { name: 'SVG', answer: respondImage(images.svg), told: notMade, failure: 'engine_failed' },
  {
    name: 'half a JPEG',
    answer: respondImage(await cutShort(noisyImage().jpeg())),
    told: notMade,
    failure: 'engine_failed',
  },
]

test.each(cases)(
  'reports $name in our words, refunds it, and reveals nothing of the provider',
  async (row) => {
    const { server, client, double, lines } = await startWithProvider(row.answer)
    for (const transport of transports) {
      expect(await transport.generate(server, { prompt: secret }, { bearer })).toMatchObject(row.told)
    }
    expect(double.requests).toHaveLength(transports.length)
    expect(await client.images.quota.query()).toMatchObject({ used: 0 })
    const own = (await client.images.list.query()).images
    const failed = { state: 'failed', failure: row.failure, photo: null }
    expect(own).toMatchObject([failed, failed])
    const log = lines.join('')
    expect(log).toContain(`"failure":"${row.failure}"`)
    for (const word of [providerKey, 'Quentin']) expect(log).not.toContain(word)

    const input = encodeURIComponent(JSON.stringify({ ids: [own[0]?.id] }))
    const headers = server.headersOf({ bearer })
    const wire = await (await server.request(`/trpc/images.watch?input=${input}`, { headers })).text()
    expect(wire).toContain(`"failure":"${row.failure}"`)
    expect(wire).not.toContain(providerKey)
  },
)

test.each(transports)('tells subscribers when to retry, through $name', async (transport) => {
  let respondNow = () => {}
  const joined = new Promise<void>((resolve) => (respondNow = resolve))
  const { server, client, double } = await startWithProvider(async (exchange) => {
    await joined
    await respondError(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '90' })(exchange)
  })
  const generating = transport.generate(server, { prompt: secret }, { bearer }, 'a-key')
  await eventually(() => double.requests.length).toBe(1)
  const [image] = (await client.images.list.query()).images
  const watching = follow(client, { id: image?.id ?? '' })
  await watching.seen('running')
  respondNow()
  expect(await generating).toEqual({ ...busy, retryAfter: 90 })
  await expect(watching.ended).rejects.toMatchObject({ data: { reason: 'engine_busy', retryAfter: 90 } })
})

test.each(
  forEachTransport([
    { name: 'before it says anything', answer: respondNothing() },
    { name: 'after a preview', answer: respondEvents([preview], 'stall') },
  ]),
)('times out a provider that stalls $name, through $transport.name', async ({ transport, answer }) => {
  const { server, client, double } = await startWithProvider(answer, { IMAGE_TIMEOUT_SECONDS: '1' })
  expect(await transport.generate(server, { prompt: secret }, { bearer })).toMatchObject(late)
  expect(double.requests).toHaveLength(1)
  expect(await client.images.quota.query()).toMatchObject({ used: 0 })
})

test("aborts the provider's request of a canceled image, which stays counted", async () => {
  let hungUp = false
  const { client, double } = await startWithProvider(({ response }) => {
    response.on('close', () => (hungUp = true))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  const own = follow(client, { prompt: secret })
  const imageId = await own.id
  await eventually(() => double.requests.length).toBe(1)
  await client.images.cancel.mutate({ id: imageId })
  await expect(own.ended).rejects.toMatchObject({ data: { reason: 'canceled' } })
  await eventually(() => hungUp).toBe(true)
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})

test.each(transports)(
  'keeps sending parameters that a rejected prompt names, through $name',
  async (transport) => {
    const hostile = 'unsupported size, quality, moderation, output_format, stream and partial_images'
    const { server, double } = await startWithProvider([
      respondError(400, { message: `Invalid prompt: ${hostile}` }),
      respondImage(images.jpeg),
    ])
    expect(await transport.generate(server, { prompt: hostile }, { bearer })).toMatchObject(notMade)
    expect(await transport.generate(server, { prompt: 'a heron' }, { bearer })).toMatchObject({ status: 200 })
    const [first, second] = double.requests.map(({ body }) => Object.keys(body))
    expect(second).toEqual(first)
  },
)

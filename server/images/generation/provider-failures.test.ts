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
const failed = { status: 502, error: 'The image could not be generated. Try again.' }
const misconfigured = {
  status: 502,
  error: 'The image service is not set up correctly. Contact the operator of this site.',
}
const outOfCredit = {
  status: 502,
  error: 'The image service is out of credit. Contact the operator of this site.',
}
const busy = { status: 503, error: 'The image service is busy. Try again in a moment.' }
const timedOut = { status: 504, error: 'The image took too long to generate. Try again.' }

type Expected = { readonly status: number; readonly error: string; readonly retryAfter?: number }

const moderation = { code: 'moderation_blocked', ...echo }
const preview = partialEvent(images.preview)

const cases: readonly (readonly [name: string, Responder, Expected, failure: string])[] = [
  ['a blocked prompt', respondError(400, moderation), blocked, 'prompt_blocked'],
  [
    'an image blocked after a preview',
    respondEvents([preview, { type: 'error', error: moderation }]),
    blocked,
    'prompt_blocked',
  ],
  [
    'no credit',
    respondError(429, { code: 'insufficient_quota', ...echo }),
    outOfCredit,
    'engine_out_of_credit',
  ],
  [
    'too many requests',
    respondError(429, { code: 'rate_limit_exceeded', ...echo }, { 'retry-after': '3600' }),
    { ...busy, retryAfter: 3_600 },
    'engine_busy',
  ],
  [
    'a rejected key',
    respondError(401, { code: 'invalid_api_key', ...echo }),
    misconfigured,
    'engine_misconfigured',
  ],
  [
    'an unknown model',
    respondError(404, { code: 'model_not_found', ...echo }),
    misconfigured,
    'engine_misconfigured',
  ],
  ['a provider error', respondError(500, echo), failed, 'engine_failed'],
  ['a timeout of the provider', respondError(504, echo), timedOut, 'engine_timeout'],
  ['a lost connection', respondReset(), failed, 'engine_failed'],
  ['a truncated stream', respondEvents([preview], 'cut'), failed, 'engine_failed'],
  ['an HTML page', respondBytes(images.html, 'text/html'), failed, 'engine_failed'],
  ['no data', respondJson({ created: 1, data: [] }), failed, 'engine_failed'],
  ['an SVG', respondImage(images.svg), failed, 'engine_failed'],
  ['half a JPEG', respondImage(await cutShort(noisyImage().jpeg())), failed, 'engine_failed'],
]

test.each(cases)(
  'reports %s with a message of the site, refunds it, and discloses no secrets',
  async (_name, responder, expected, failure) => {
    const { server, client, double, lines } = await startWithProvider(responder)
    for (const transport of transports) {
      expect(await transport.generate(server, { prompt: secret }, { bearer })).toMatchObject(expected)
    }
    expect(double.requests).toHaveLength(transports.length)
    expect(await client.images.quota.query()).toMatchObject({ used: 0 })
    const own = (await client.images.list.query()).images
    const failedImage = { state: 'failed', failure, photo: null }
    expect(own).toMatchObject([failedImage, failedImage])
    const log = lines.join('')
    expect(log).toContain(`"failure":"${failure}"`)
    for (const word of [providerKey, 'Quentin']) expect(log).not.toContain(word)

    const input = encodeURIComponent(JSON.stringify({ ids: [own[0]?.id] }))
    const headers = server.headersOf({ bearer })
    const wire = await (await server.request(`/trpc/images.watch?input=${input}`, { headers })).text()
    expect(wire).toContain(`"failure":"${failure}"`)
    expect(wire).not.toContain(providerKey)
  },
)

test.each(transports)(
  'reports the retry delay to subscribers and to the caller, through $name',
  async (transport) => {
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
  },
)

test.each(
  forEachTransport([
    { name: 'before its response', responder: respondNothing() },
    { name: 'after a preview', responder: respondEvents([preview], 'stall') },
  ]),
)('times out a provider that stalls $name, through $transport.name', async ({ transport, responder }) => {
  const { server, client, double } = await startWithProvider(responder, { IMAGE_TIMEOUT_SECONDS: '1' })
  expect(await transport.generate(server, { prompt: secret }, { bearer })).toMatchObject(timedOut)
  expect(double.requests).toHaveLength(1)
  expect(await client.images.quota.query()).toMatchObject({ used: 0 })
})

test('aborts the request to the provider of a canceled image, which stays counted', async () => {
  let isAborted = false
  const { client, double } = await startWithProvider(({ response }) => {
    response.on('close', () => (isAborted = true))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  const own = follow(client, { prompt: secret })
  const imageId = await own.id
  await eventually(() => double.requests.length).toBe(1)
  await client.images.cancel.mutate({ id: imageId })
  await expect(own.ended).rejects.toMatchObject({ data: { reason: 'canceled' } })
  await eventually(() => isAborted).toBe(true)
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})

test.each(transports)(
  'keeps sending parameters that appear in the message about a rejected prompt, through $name',
  async (transport) => {
    const hostile = 'unsupported size, quality, moderation, output_format, stream and partial_images'
    const { server, double } = await startWithProvider([
      respondError(400, { message: `Invalid prompt: ${hostile}` }),
      respondImage(images.jpeg),
    ])
    expect(await transport.generate(server, { prompt: hostile }, { bearer })).toMatchObject(failed)
    expect(await transport.generate(server, { prompt: 'a heron' }, { bearer })).toMatchObject({ status: 200 })
    const [first, second] = double.requests.map(({ body }) => Object.keys(body))
    expect(second).toEqual(first)
  },
)

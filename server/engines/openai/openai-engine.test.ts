import { once } from 'node:events'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  completedEvent,
  dataUrl,
  editEvent,
  partialEvent,
  respondBytes,
  respondError,
  respondEvents,
  respondImage,
  respondJson,
  respondNothing,
  respondRedirect,
  respondReset,
  respondSlowly,
} from '../../../test/support/openai/provider-responses.ts'
import { type Responder, startFakeProvider } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import { prompt, type Scenario, setUpScenario, testScenarios } from '../../../test/support/openai/scenario.ts'
import { requestFor } from '../../../test/support/image-engine-contract.ts'
import { fetchEngineImage } from './image-response.ts'

const { jpeg, png, webp, svg, html, huge, preview, sharper } = images
const base64 = jpeg.toString('base64')

const xai = { model: 'grok-2-image' }
const image = (fields: Record<string, unknown>) => respondJson({ created: 1, data: [fields] })
const asPage = respondBytes(JSON.stringify({ data: [{ b64_json: base64 }] }), 'text/html')

testScenarios('plain response', [
  ['accepts plain JSON, although a stream was requested', respondImage(jpeg), jpeg],
  ['accepts a data URL in url', image({ url: dataUrl(png) }), png],
  ['accepts a data URL in b64_json', image({ b64_json: dataUrl(webp) }), webp],
  ['accepts base64 with line breaks', image({ b64_json: base64.replace(/.{76}/g, '$&\n') }), jpeg],
  ['accepts base64 without padding', image({ b64_json: base64.replace(/=+$/, '') }), jpeg],
  ['accepts JSON with the content type text/html', asPage, jpeg],
  ['ignores null', respondJson({ error: null, data: [{ url: null, b64_json: base64 }] }), jpeg],
  ['rejects empty data', respondJson({ data: [] }), 'engine_failed'],
  ['takes empty data of xAI for a blocked prompt', respondJson({ data: [] }), 'prompt_blocked', xai],
  ['rejects data without an image', image({ revised_prompt: 'a heron named Quentin' }), 'engine_failed'],
  ['rejects truncated base64', image({ b64_json: base64.slice(0, 101) }), 'engine_failed'],
  ['rejects invalid base64', image({ b64_json: `!!${base64}` }), 'engine_failed'],
  ['rejects an HTML page', respondBytes(html, 'text/html'), 'engine_failed'],
  ['rejects the bytes of an image instead of JSON', respondBytes(jpeg, 'image/jpeg'), 'engine_failed'],
  ['rejects a 204', respondBytes('', 'application/json', 204), 'engine_failed'],
  ['reads an error with status 200', respondJson({ error: { code: 402 } }), 'engine_out_of_credit'],
  ['rejects cut off JSON', respondBytes('{"data":[{"b64_json":"/9j/', 'application/json'), 'engine_failed'],
  ['fails if the connection is reset', respondReset(), 'engine_failed'],
  ['stops waiting for a response when aborted', respondNothing(), 'abort on request'],
])

const previews = [preview, sharper]
const partials = previews.map(partialEvent)
const completed = completedEvent(jpeg)
const data = `data: ${JSON.stringify(completed)}`
const empty = respondEvents([
  { ...partialEvent(jpeg), b64_json: '' },
  { ...completed, b64_json: '' },
])
const logsModel = { logs: /no such model/ }
const inStream = (error: unknown) => respondEvents([{ error }])
const blocked = {
  type: 'error',
  error: { code: 'moderation_blocked', moderation_details: { moderation_stage: 'output' } },
}

testScenarios('stream', [
  ['yields previews, then the image', respondEvents([...partials, completed]), [...previews, jpeg]],
  ['reads small chunks with comments', respondSlowly([...partials, completed]), [...previews, jpeg]],
  ['reads events with the type text/plain', respondBytes(`${data}\r\n\r\n`, 'text/plain'), jpeg],
  ['reads a last event without a blank line', respondBytes(data, 'text/event-stream'), jpeg],
  ['reads a plain response as the only event', respondEvents([{ data: [{ b64_json: base64 }] }]), jpeg],
  ['ignores events of unknown types', respondEvents([{ type: 'ping' }, completed]), jpeg],
  [
    'skips previews that are SVG or empty',
    respondEvents([partialEvent(svg), partialEvent(Buffer.alloc(0)), completed]),
    jpeg,
  ],
  ['requests an image without a stream after one without images', [empty, respondImage(jpeg)], jpeg],
  ['fails if there is no image without a stream either', [empty, empty], 'engine_failed'],
  ['fails if the stream ends after the previews', respondEvents(partials), 'engine_failed', { previews }],
  ['fails if the stream is empty', respondEvents([]), 'engine_failed'],
  ['fails if the connection is lost', respondEvents(partials, 'cut'), 'engine_failed', { previews }],
  [
    'stops a stalled stream when aborted',
    respondEvents([partialEvent(preview)], 'stall'),
    'abort after preview',
    { previews: [preview] },
  ],
  ['reports moderation', respondEvents([...partials, blocked]), 'prompt_blocked', { previews }],
  ['reads an error without a wrapper', respondEvents([{ type: 'error', message: prompt }]), 'engine_failed'],
  ['reads an error that is a string', inStream('a heron named Quentin'), 'engine_failed'],
  ['reports an account without credit', inStream({ code: 'insufficient_quota' }), 'engine_out_of_credit'],
  // The image may have been charged.
  ['does not retry after a rate limit', inStream({ code: 'rate_limit_exceeded' }), 'engine_busy'],
  ['reports the status that a gateway sends', inStream({ code: 429, message: 'upstream' }), 'engine_busy'],
  ['reports an unknown model', inStream({ code: 'model_not_found' }), 'engine_misconfigured', logsModel],
  ['rejects invalid JSON', respondBytes('data: {"type":\n\n', 'text/event-stream'), 'engine_failed'],
])

const edited = [partialEvent(preview), completed].map(editEvent)
const mask = await sharp(png).toBuffer()
const noEdits = {
  model: 'flux',
  message: 'This engine cannot use reference images. Remove them, or choose another engine.',
}
const unknownModel = { message: 'The model `flux` does not exist.', type: 'NotFoundError' }

testScenarios(
  'edit',
  [
    ['yields the previews and the image of a stream', respondEvents(edited), [preview, jpeg]],
    ['accepts plain JSON', respondImage(webp), webp, { request: { references: [jpeg], mask } }],
    [
      'leaves out a rejected parameter',
      [respondError(400, { code: 'unknown_parameter', param: 'quality' }), respondImage(jpeg)],
      jpeg,
    ],
    ['waits for a rate limit', [respondError(429, {}, { 'retry-after-ms': '1' }), respondImage(jpeg)], jpeg],
    ['reports a blocked image', respondError(400, { code: 'moderation_blocked' }), 'prompt_blocked'],
    ...[
      respondBytes('404 page not found', 'text/plain', 404),
      respondJson({ detail: 'Not Found' }, { status: 404 }),
      respondJson({ detail: 'Method Not Allowed' }, { status: 405 }),
      respondError(501, { message: 'not implemented' }),
    ].map((responder, index): Scenario => [
      `names the reference images if the server has no edits, ${index}`,
      responder,
      'engine_failed',
      noEdits,
    ]),
    ['reports an unknown model', respondError(404, unknownModel), 'engine_misconfigured', { model: 'flux' }],
    [
      'rejects a mask that is no image, before a request',
      [],
      'engine_failed',
      { request: { references: [jpeg], mask: html } },
    ],
  ],
  { request: { references: [jpeg] } },
)

const at = (url: string | ((origin: string) => string)) =>
  respondJson((origin: string) => ({ data: [{ url: typeof url === 'string' ? url : url(origin) }] }))
const own = at((origin) => `${origin}/files/1.png`)
const named = (origin: string) => origin.replace('127.0.0.1', 'localhost')
const file = (responder: Responder = respondBytes(jpeg, 'text/html'), fetches = 1) => ({
  files: { '/files/1.png': responder, '/files/2.png': respondBytes(png, 'image/png') },
  fetches,
})
const inTurn = (...responders: Responder[]): Responder => {
  const remaining = responders.values()
  return (exchange) => remaining.next().value?.(exchange)
}
const limited = inTurn(respondBytes('', 'text/plain', 429), respondBytes(jpeg, 'image/png'))
const reset503 = inTurn(respondReset(), respondBytes('', 'text/plain', 503), respondBytes(jpeg, 'image/png'))

testScenarios(
  'image URL',
  [
    ['fetches from the origin of the endpoint, even on loopback, of any content type', own, jpeg, file()],
    ['resolves a path against the endpoint', at('/files/1.png'), jpeg, file()],
    [
      'fetches the URL of a completed event',
      respondEvents([{ type: 'image_generation.completed', url: '/files/1.png' }]),
      jpeg,
      file(),
    ],
    [
      'does not send the password of a URL',
      at((origin) => `${origin.replace('//', '//me:secret@')}/files/1.png`),
      jpeg,
      file(),
    ],
    ['follows a redirect within the origin', own, png, file(respondRedirect('/files/2.png'), 2)],
    ['retries after a connection reset and a 503', own, jpeg, file(reset503, 3)],
    ['retries after a 429', own, jpeg, file(limited, 2)],
    ['rejects an SVG', own, 'engine_failed', file(respondBytes(svg, 'image/png'))],
    ['rejects too large an image', own, 'engine_failed', file(respondBytes(huge, 'image/jpeg'))],
    ['fails if the image is not found', own, 'engine_failed', file(respondBytes('', 'text/plain', 404))],
    ['stops a redirect loop', own, 'engine_failed', file(respondRedirect('/files/1.png'), 4)],
    ...[
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
      (origin: string) => `${named(origin)}/files/2.png`,
      'file:///etc/passwd',
    ].map((location): Scenario => [
      `rejects a redirect to ${String(location)}`,
      own,
      'engine_failed',
      file(respondRedirect(location)),
    ]),
    ...[
      'http://127.0.0.1:9/1.png',
      (origin: string) => `http://[::ffff:127.0.0.1]:${new URL(origin).port}/files/1.png`,
      (origin: string) => `${named(origin)}/files/1.png`,
      'ftp://example.com/1.png',
      'http://',
    ].map((url): Scenario => [`rejects ${String(url)}`, at(url), 'engine_failed']),
  ],
  { model: 'flux' },
)

describe('check', () => {
  const { signal } = new AbortController()

  /** Checks an engine whose server responds to a request for its models. */
  async function check(responder: Responder) {
    const files = { '/v1/models': responder }
    const { provider, engine } = await setUpScenario([], { files, model: 'flux' })
    return engine.check(signal).finally(() => expect(provider.requests).toEqual([]))
  }

  test.each([
    ['lists its models', respondJson({ data: [{ id: 'flux' }] })],
    ['lists no models', respondBytes('404 page not found', 'text/plain', 404)],
    ['may not be listed with this key', respondError(403, { code: 'missing_scope' })],
    ['responds with a page', respondBytes(images.html, 'text/html')],
  ])('finds a server that %s available', async (_, responder) => {
    expect(await check(responder)).toEqual({ models: ['flux'] })
  })

  test.each([
    ['rejects the key', respondError(401, { code: 'invalid_api_key' }), 'engine_misconfigured'],
    ['redirects', respondRedirect('https://elsewhere.example'), 'engine_misconfigured'],
    ['is out of credit', respondError(402, {}), 'engine_out_of_credit'],
    ['fails', respondBytes('', 'text/plain', 502), 'engine_failed'],
  ])('rejects a server that %s', async (_, responder, code) => {
    await expect(check(responder)).rejects.toMatchObject({ code, cause: expect.any(Error) as Error })
  })
})

test.each(['is aborted', 'is no longer read'])('closes the connection when a generation %s', async (end) => {
  const controller = new AbortController()
  let closed: Promise<unknown> = Promise.resolve()
  const stalled = respondEvents([partialEvent(preview)], 'stall')
  const { engine } = await setUpScenario([
    async (exchange) => {
      closed = once(exchange.response, 'close')
      await stalled(exchange)
    },
  ])
  const reason = new Error('the user left')
  const events = engine.generate(requestFor(prompt), controller.signal)[Symbol.asyncIterator]()
  expect((await events.next()).value).toMatchObject({ type: 'partial' })
  if (end === 'is aborted') {
    controller.abort(reason)
    await expect(events.next()).rejects.toBe(reason)
  } else await events.return?.()
  await closed
})

const { signal } = new AbortController()
const jpegFile = respondBytes(jpeg, 'image/jpeg')

/** Starts a host on loopback, with rules that allow its address and a resolver that returns each result once. */
async function openHost(files: Readonly<Record<string, Responder>>, ...resolved: string[][]) {
  const host = await startFakeProvider([], files)
  onTestFinished(host.stop)
  const lookups: string[] = []
  const rules = {
    resolve(hostname: string) {
      lookups.push(hostname)
      const addresses = resolved[lookups.length - 1] ?? []
      return Promise.resolve(addresses.map((address) => ({ address, family: 4 })))
    },
    isAllowed: (address: string) => address === '127.0.0.1',
  }
  const port = new URL(host.origin).port
  return { host, lookups, port, rules, options: { ownOrigin: 'https://api.example', signal, rules } }
}

describe('fetchEngineImage from another host', () => {
  test('connects to the address that was checked, even if the name resolves to another one later', async () => {
    const { host, lookups, port, options } = await openHost(
      { '/1.jpg': jpegFile },
      ['127.0.0.1'],
      ['10.0.0.1'],
    )
    const bytes = await fetchEngineImage(`http://images.example:${port}/1.jpg`, options)
    expect(Buffer.compare(bytes, images.jpeg)).toBe(0)
    expect(lookups).toEqual(['images.example'])
    expect(host.fetches[0]?.headers).toMatchObject({ host: `images.example:${port}` })
    expect(Object.keys(host.fetches[0]?.headers ?? {})).not.toContain('authorization')
  })

  test('checks the address again after each redirect', async () => {
    const files = { '/1.jpg': respondRedirect('/2.jpg'), '/2.jpg': jpegFile }
    const { host, lookups, port, options } = await openHost(files, ['127.0.0.1'], ['10.0.0.1'])
    const fetched = fetchEngineImage(`http://images.example:${port}/1.jpg`, options)
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed', message: /not allowed/ })
    expect(lookups).toEqual(['images.example', 'images.example'])
    expect(host.fetches).toHaveLength(1)
  })

  test.each([[['127.0.0.1', '10.0.0.1']], [['192.168.0.1']], [[]]])(
    'rejects a host that resolves to %j',
    async (addresses) => {
      const { host, port, options } = await openHost({ '/1.jpg': jpegFile }, addresses)
      const fetched = fetchEngineImage(`http://images.example:${port}/1.jpg`, options)
      await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
      expect(host.fetches).toHaveLength(0)
    },
  )

  test('rejects an unknown host', async () => {
    const { port, options } = await openHost({})
    const resolve = () =>
      Promise.reject(Object.assign(new Error('queryA ENOTFOUND images.example'), { code: 'ENOTFOUND' }))
    const rules = { ...options.rules, resolve }
    const fetched = fetchEngineImage(`http://images.example:${port}/1.jpg`, { ...options, rules })
    await expect(fetched).rejects.toMatchObject({
      message: 'the image could not be fetched: the host is unknown',
    })
  })

  test('stops when the signal is aborted', async () => {
    const controller = new AbortController()
    const abort = () => controller.abort(new Error('aborted'))
    const { port, options } = await openHost({ '/1.jpg': abort }, ['127.0.0.1'])
    const fetched = fetchEngineImage(`http://images.example:${port}/1.jpg`, {
      ...options,
      signal: controller.signal,
    })
    await expect(fetched).rejects.toMatchObject({ code: 'engine_failed' })
  })
})

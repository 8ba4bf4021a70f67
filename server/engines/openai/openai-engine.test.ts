import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  respondBytes,
  respondError,
  respondEvents,
  respondJson,
  respondRedirect,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import { environmentSettings } from './setting-names.ts'
import { edits } from '../../../test/support/openai/scenarios/edits.ts'
import { configurationErrors, errors, rateLimits } from '../../../test/support/openai/scenarios/errors.ts'
import { plainResponses } from '../../../test/support/openai/scenarios/plain-responses.ts'
import { streams } from '../../../test/support/openai/scenarios/streams.ts'
import { urls } from '../../../test/support/openai/scenarios/urls.ts'
import { images } from '../../../test/support/openai/images.ts'
import { setUpScenario, runScenario, prompt } from '../../../test/support/openai/scenario.ts'
import { requestFor } from '../../../test/support/image-engine-contract.ts'

describe.each([
  { kind: 'plain response', scenarios: plainResponses },
  { kind: 'stream', scenarios: streams },
  { kind: 'edit', scenarios: edits },
  { kind: 'error', scenarios: errors },
  { kind: 'rate limit', scenarios: rateLimits },
  { kind: 'configuration error', scenarios: configurationErrors(environmentSettings) },
])('$kind', ({ scenarios }) => {
  test.each(scenarios)('$name', async (scenario) => {
    await runScenario(scenario)
  })
})

describe('image URL', () => {
  test.each(urls)('$name', async (scenario) => {
    const provider = await runScenario({ model: 'flux', ...scenario })
    for (const { headers } of provider.fetches) expect(headers).not.toHaveProperty('authorization')
  })
})

test('reports an unreachable server as unavailable, and logs the fix', async () => {
  const { provider, engine, lines } = await setUpScenario({ responders: [] })
  await provider.stop()
  const events = engine.generate(requestFor(prompt), new AbortController().signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toMatchObject({
    code: 'engine_unavailable',
    cause: { networkError: 'ECONNREFUSED' },
  })
  expect(lines.join('')).toMatch(/check that it runs/)
})

describe('check', () => {
  const { signal } = new AbortController()

  /** Checks an engine whose server responds to a request for its models; null: not at all. */
  async function check(responder: Responder | null) {
    const files = responder ? { '/v1/models': responder } : {}
    const { provider, engine } = await setUpScenario({ responders: [], files, model: 'flux' })
    if (!responder) await provider.stop()
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
    ['is down', null, 'engine_unavailable'],
    ['rejects the key', respondError(401, { code: 'invalid_api_key' }), 'engine_misconfigured'],
    ['redirects', respondRedirect('https://elsewhere.example'), 'engine_misconfigured'],
    ['is out of credit', respondError(402, {}), 'engine_out_of_credit'],
    ['fails', respondBytes('', 'text/plain', 502), 'engine_failed'],
  ])('rejects a server that %s', async (_, responder, code) => {
    await expect(check(responder)).rejects.toMatchObject({ code, cause: expect.any(Error) as Error })
  })

  test('throws the abort reason', async () => {
    const reason = new Error('stopped')
    const { engine } = await setUpScenario({ responders: [] })
    await expect(engine.check(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

/** Wraps a responder; `closed` resolves when the connection is closed. */
function watchConnection(responder: Responder): { responder: Responder; closed: Promise<unknown> } {
  let resolve: (value: unknown) => void = () => {}
  const closed = new Promise((settle) => (resolve = settle))
  return {
    closed,
    responder: async (exchange) => {
      void once(exchange.response, 'close').then(resolve)
      await responder(exchange)
    },
  }
}

test('closes the connection when a generation is aborted', async () => {
  const controller = new AbortController()
  const reason = new Error('the user left')
  const { responder, closed } = watchConnection(() => controller.abort(reason))
  const { engine } = await setUpScenario({ responders: [responder] })
  const events = engine.generate(requestFor(prompt), controller.signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toBe(reason)
  await closed
})

test('closes the connection when the iteration ends early', async () => {
  const { responder, closed } = watchConnection(respondEvents([partialEvent(images.preview)], 'stall'))
  const { engine } = await setUpScenario({ responders: [responder] })
  for await (const event of engine.generate(requestFor(prompt), new AbortController().signal)) {
    expect(event.type).toBe('partial')
    break
  }
  await closed
})

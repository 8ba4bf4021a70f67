import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { respondEvents, partialEvent } from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
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
  { kind: 'error', scenarios: errors },
  { kind: 'rate limit', scenarios: rateLimits },
  { kind: 'configuration error', scenarios: configurationErrors },
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

test('reports an unreachable server as a failure, not as a configuration error', async () => {
  const { provider, engine } = await setUpScenario({ responders: [] })
  await provider.stop()
  const events = engine.generate(requestFor(prompt), new AbortController().signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toMatchObject({
    code: 'engine_failed',
    cause: { networkError: 'ECONNREFUSED' },
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

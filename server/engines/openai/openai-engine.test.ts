import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { respondEvents, partialEvent } from '../../../test/support/openai/provider-responses.ts'
import type { Answer } from '../../../test/support/openai/provider.ts'
import { errors } from '../../../test/support/openai/scenarios/errors.ts'
import { plainResponses } from '../../../test/support/openai/scenarios/plain-responses.ts'
import { rateLimits } from '../../../test/support/openai/scenarios/rate-limits.ts'
import { setUpIssues } from '../../../test/support/openai/scenarios/set-up.ts'
import { streams } from '../../../test/support/openai/scenarios/streams.ts'
import { urls } from '../../../test/support/openai/scenarios/urls.ts'
import { images } from '../../../test/support/openai/images.ts'
import { openScenario, playScenario, prompt } from '../../../test/support/openai/scenario.ts'

describe.each([
  { what: 'a plain answer of', scenarios: plainResponses },
  { what: 'a stream of', scenarios: streams },
  { what: 'an error of', scenarios: errors },
  { what: 'a rate limit with', scenarios: rateLimits },
  { what: 'a wrong set-up that shows in', scenarios: setUpIssues },
])('$what', ({ scenarios }) => {
  test.each(scenarios)('$name', async (scenario) => {
    await playScenario(scenario)
  })
})

describe('an image at', () => {
  test.each(urls)('$name', async (scenario) => {
    const double = await playScenario({ model: 'flux', ...scenario })
    for (const { headers } of double.fetches) expect(headers).not.toHaveProperty('authorization')
  })
})

test('reports a server that does not run as a failure, not as a wrong configuration', async () => {
  const { double, engine } = await openScenario({ answers: [] })
  await double.stop()
  const events = engine.generate(prompt, new AbortController().signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toMatchObject({
    code: 'engine_failed',
    cause: { networkError: 'ECONNREFUSED' },
  })
})

/** An answer, and the moment in which its connection is gone. */
function watched(answer: Answer): { answer: Answer; closed: Promise<unknown> } {
  let resolve: (value: unknown) => void = () => {}
  const closed = new Promise((settle) => (resolve = settle))
  return {
    closed,
    answer: async (exchange) => {
      void once(exchange.response, 'close').then(resolve)
      await answer(exchange)
    },
  }
}

test('closes the connection of a generation that is aborted', async () => {
  const controller = new AbortController()
  const reason = new Error('the user left')
  const { answer, closed } = watched(() => controller.abort(reason))
  const { engine } = await openScenario({ answers: [answer] })
  const events = engine.generate(prompt, controller.signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toBe(reason)
  await closed
})

test('closes the connection of a generation that is not read to its end', async () => {
  const { answer, closed } = watched(respondEvents([partialEvent(images.preview)], 'stall'))
  const { engine } = await openScenario({ answers: [answer] })
  for await (const event of engine.generate(prompt, new AbortController().signal)) {
    expect(event.type).toBe('partial')
    break
  }
  await closed
})

import { inspect } from 'node:util'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../../server/errors/app-error.ts'
import type { EngineEvent, ImageEngine } from '../../../server/engines/image-engine.ts'
import { createOpenAiEngine } from '../../../server/engines/openai/openai-engine.ts'
import { startProviderDouble, type Answer, type ProviderDouble } from './provider.ts'

/** Values that must not appear outside of the request. */
export const key = 'sk-secret-1234567890abcdef'
export const prompt = 'a heron named Quentin, in ink'

/** One row of a table: what the provider does, and what comes of it. */
export interface Scenario {
  readonly name: string
  readonly answers: readonly Answer[]
  readonly files?: Readonly<Record<string, Answer>>
  readonly model?: string
  readonly apiKey?: string | null
  /** The bytes of each event; the last is the image. */
  readonly images?: readonly Uint8Array[]
  /** The error, after those images if there are any. */
  readonly fails?: ErrorCode
  readonly retryAfter?: number
  /** When the user leaves. */
  readonly abort?: 'when asked' | 'after a preview'
  /** Requests for an image; one for each answer by default. */
  readonly requests?: number
  readonly fetches?: number
  /** A line that operators find in the log. */
  readonly logs?: RegExp
}

/** A double, an engine that talks to it, and all that it logs. */
export async function openScenario(scenario: Pick<Scenario, 'answers' | 'files' | 'model' | 'apiKey'>) {
  const double = await startProviderDouble(scenario.answers, scenario.files)
  onTestFinished(double.stop)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const engine = createOpenAiEngine({
    apiKey: scenario.apiKey === undefined ? key : scenario.apiKey,
    baseUrl: double.url,
    model: scenario.model ?? 'gpt-image-2',
    log,
  })
  return { double, engine, log, lines }
}

/** Follows a generation to its end and drops what it makes. */
export async function drain(engine: ImageEngine, words = prompt): Promise<void> {
  for await (const event of engine.generate(words, new AbortController().signal)) void event
}

/** Plays one row and checks all that it says. */
export async function playScenario(scenario: Scenario): Promise<ProviderDouble> {
  const { double, engine, log, lines } = await openScenario(scenario)
  const controller = new AbortController()
  const reason = new Error('the user left')
  const events: EngineEvent[] = []
  let failure: unknown
  const asked = scenario.abort === 'when asked' ? abortWhenAsked(double, controller, reason) : undefined
  try {
    for await (const event of engine.generate(prompt, controller.signal)) {
      events.push(event)
      if (scenario.abort === 'after a preview') controller.abort(reason)
    }
  } catch (error) {
    failure = error
    // As the domain logs it.
    log.error({ err: error instanceof AppError ? error.cause : error }, 'no image was made')
  }
  await asked

  if (scenario.abort) expect(failure).toBe(reason)
  else if (scenario.fails) expectFailure(failure, scenario)
  else expect(failure).toBe(undefined)
  expectImages(events, scenario)
  expect(double.requests).toHaveLength(scenario.requests ?? scenario.answers.length)
  expect(double.fetches).toHaveLength(scenario.fetches ?? 0)
  if (scenario.logs) expect(lines.join('')).toMatch(scenario.logs)
  for (const text of [...lines, inspect(failure, { depth: null, showHidden: true })]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain('Quentin')
  }
  return double
}

function expectFailure(failure: unknown, { fails, retryAfter }: Scenario): void {
  if (!(failure instanceof AppError)) throw failure ?? new Error('it did not fail')
  expect(failure).toMatchObject({ code: fails, retryAfter })
  expect(failure.message).toMatch(/^[A-Z].*\.$/)
  expect(failure.cause).toBeInstanceOf(Error)
}

function expectImages(events: readonly EngineEvent[], { images = [], fails, abort }: Scenario): void {
  const types = images.map((_, index) =>
    index === images.length - 1 && !fails && !abort ? 'complete' : 'partial',
  )
  expect(events.map(({ type }) => type)).toEqual(types)
  for (const [index, { bytes }] of events.entries()) {
    expect(Buffer.compare(bytes, images[index] ?? bytes)).toBe(0)
  }
}

async function abortWhenAsked(
  double: ProviderDouble,
  controller: AbortController,
  reason: Error,
): Promise<void> {
  while (double.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(reason)
}

/** Parameters for a server that implements the Images API and is not OpenAI's own, in order. */
export const compatibleParameters = [
  'model',
  'prompt',
  'n',
  'size',
  'output_format',
  'response_format',
  'stream',
  'partial_images',
]

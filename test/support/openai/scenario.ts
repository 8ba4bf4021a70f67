import { inspect } from 'node:util'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../../server/errors/app-error.ts'
import type {
  EngineEvent,
  EngineRequest,
  ImageEngine,
  ReportedSettings,
} from '../../../server/engines/image-engine.ts'
import { createChatEngine } from '../../../server/engines/chat/chat-engine.ts'
import { createOpenAiEngine } from '../../../server/engines/openai/openai-engine.ts'
import { startFakeProvider, type FakeProvider, type Responder } from './provider.ts'
import { requestFor } from '../image-engine-contract.ts'

// Secrets that must appear in requests only.
export const key = 'sk-secret-1234567890abcdef'
export const prompt = 'a heron named Quentin, in ink'

interface SetUp {
  readonly files?: Readonly<Record<string, Responder>>
  readonly model?: string
  /** Engine; `openai` by default. */
  readonly kind?: 'openai' | 'chat'
  readonly apiKey?: string | null
  /** URL of a chat engine in place of the provider's. */
  readonly url?: string
}

/** Settings of a scenario, and what is expected besides its images or error. */
interface Details extends SetUp {
  readonly request?: Partial<EngineRequest>
  /** Expected previews before an error. */
  readonly previews?: readonly Uint8Array[]
  readonly settings?: ReportedSettings
  /** Expected message; the default of the code by default. */
  readonly message?: string
  /** Expected delay in seconds. */
  readonly retryAfter?: number
  /** Expected number of requests for files; none by default. */
  readonly fetches?: number
  /** Pattern that the log must match. */
  readonly logs?: RegExp
}

/**
 * Bytes of the finished image, or of each event; the code of an error; or the time at which the generation is aborted.
 */
type Expected = Uint8Array | readonly Uint8Array[] | ErrorCode | 'abort on request' | 'abort after preview'

/** Row of a table: responses of the provider, one for each expected request for an image, and the expected result. */
export type Scenario = readonly [
  name: string,
  responders: Responder | readonly Responder[],
  expected: Expected,
  details?: Details,
]

/** Starts a fake provider, and creates an engine for it with a recorded log. */
export async function setUpScenario(
  responders: readonly Responder[],
  { files, model, apiKey = key, kind, url }: SetUp = {},
) {
  const provider = await startFakeProvider(responders, files)
  onTestFinished(provider.stop)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const common = { id: 'gateway', label: 'Gateway', apiKey, log }
  const engine =
    kind === 'chat'
      ? createChatEngine({ ...common, kind, url: url ?? provider.url, model: model ?? 'google/gemini-image' })
      : createOpenAiEngine({
          ...common,
          baseUrl: provider.url,
          model: model ?? 'gpt-image-2',
        })
  return { provider, engine, log, lines }
}

/** Runs a generation of a size that is chosen to its end, and discards the image. */
export async function drain(
  engine: ImageEngine,
  text = prompt,
  settings: Partial<EngineRequest> = {},
): Promise<void> {
  const size = { width: 1024, height: 1024 }
  const request = { ...requestFor(text), size, ...settings }
  for await (const event of engine.generate(request, new AbortController().signal)) void event
}

/** Creates a test for each scenario. */
export function testScenarios(name: string, rows: readonly Scenario[], defaults: Details = {}): void {
  describe(name, () => {
    for (const [title, responders, expected, details] of rows) {
      test(title, async () => {
        await runScenario([responders].flat(), expected, { ...defaults, ...details })
      })
    }
  })
}

/** Runs a scenario and verifies all expectations, and that no secret appears in the log or the error. */
export async function runScenario(
  responders: readonly Responder[],
  expected: Expected,
  details: Details = {},
): Promise<FakeProvider> {
  const { provider, engine, log, lines } = await setUpScenario(responders, details)
  const controller = new AbortController()
  const reason = new Error('the client disconnected')
  const events: EngineEvent[] = []
  let error: unknown
  const aborted = expected === 'abort on request' ? abortOnRequest(provider, controller, reason) : undefined
  try {
    const request = { ...requestFor(prompt), ...details.request }
    for await (const event of engine.generate(request, controller.signal)) {
      events.push(event)
      if (expected === 'abort after preview') controller.abort(reason)
    }
  } catch (thrown) {
    error = thrown
    // Logged as the generation service does.
    log.error({ err: thrown instanceof AppError ? thrown.cause : thrown }, 'generation failed')
  }
  await aborted

  if (typeof expected !== 'string') {
    expect(error).toBe(undefined)
    expectImages(events, expected instanceof Uint8Array ? [expected] : expected, 'complete')
    if (details.settings) expect(events.at(-1)).toMatchObject({ settings: details.settings })
  } else {
    if (controller.signal.aborted) expect(error).toBe(reason)
    else expectError(error, expected, details)
    expectImages(events, details.previews ?? [], 'partial')
  }
  expect(provider.requests).toHaveLength(responders.length)
  expect(provider.fetches).toHaveLength(details.fetches ?? 0)
  for (const { headers } of provider.fetches) expect(headers).not.toHaveProperty('authorization')
  if (details.logs) expect(lines.join('')).toMatch(details.logs)
  for (const text of [...lines, inspect(error, { depth: null, showHidden: true })]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain('Quentin')
  }
  return provider
}

function expectError(thrown: unknown, code: string, { message, retryAfter }: Details): void {
  if (!(thrown instanceof AppError)) throw thrown ?? new Error('Expected an error.')
  expect(thrown).toMatchObject({ code, retryAfter })
  expect(thrown.message).toMatch(/^[A-Z].*\.$/)
  if (message !== undefined) expect(thrown.message).toBe(message)
  expect(thrown.cause).toBeInstanceOf(Error)
}

function expectImages(
  events: readonly EngineEvent[],
  expected: readonly Uint8Array[],
  last: 'complete' | 'partial',
): void {
  const types = expected.map((_, index) => (index === expected.length - 1 ? last : 'partial'))
  expect(events.map(({ type }) => type)).toEqual(types)
  for (const [index, event] of events.entries()) {
    if ('bytes' in event) expect(Buffer.compare(event.bytes, expected[index] ?? event.bytes)).toBe(0)
  }
}

async function abortOnRequest(
  provider: FakeProvider,
  controller: AbortController,
  reason: Error,
): Promise<void> {
  while (provider.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(reason)
}

/** Parameters of a request for a model that is not OpenAI's, in order. */
export const compatibleParameters =
  'model prompt n size output_format response_format stream partial_images'.split(' ')

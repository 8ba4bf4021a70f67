import { inspect } from 'node:util'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../../server/errors/app-error.ts'
import type {
  EngineEvent,
  EngineRequest,
  ImageEngine,
  ReportedSettings,
} from '../../../server/engines/image-engine.ts'
import { createChatEngine } from '../../../server/engines/chat/chat-engine.ts'
import { environmentSettings } from '../../../server/engines/openai/setting-names.ts'
import { createOpenAiEngine } from '../../../server/engines/openai/openai-engine.ts'
import { startFakeProvider, type FakeProvider, type Responder } from './provider.ts'
import { requestFor } from '../image-engine-contract.ts'

// Secrets that must appear in requests only.
export const key = 'sk-secret-1234567890abcdef'
export const prompt = 'a heron named Quentin, in ink'

/** Row of a table-driven test: behavior of the provider, and the expected events, error and requests. */
export interface Scenario {
  readonly name: string
  readonly responders: readonly Responder[]
  readonly files?: Readonly<Record<string, Responder>>
  readonly model?: string
  /** Engine; `openai` by default. */
  readonly kind?: 'openai' | 'chat'
  readonly apiKey?: string | null
  /** Settings of the request. */
  readonly request?: Partial<EngineRequest>
  /** Expected bytes of each event; the last is the finished image. */
  readonly images?: readonly Uint8Array[]
  /** Expected error code, after the previews in `images`. */
  readonly error?: ErrorCode
  /** Expected settings of the image. */
  readonly settings?: ReportedSettings
  /** Expected message; the default of the code by default. */
  readonly message?: string
  /** Expected delay in seconds. */
  readonly retryAfter?: number
  /** Time at which the generation is aborted. */
  readonly abort?: 'on request' | 'after preview'
  /** Expected number of requests for an image; one for each responder by default. */
  readonly requests?: number
  /** Expected number of requests for files; none by default. */
  readonly fetches?: number
  /** Pattern that the log must match. */
  readonly logs?: RegExp
}

/** Starts a fake provider, and creates an engine for it with a recorded log. */
export async function setUpScenario(
  scenario: Pick<Scenario, 'responders' | 'files' | 'model' | 'apiKey' | 'kind'>,
) {
  const provider = await startFakeProvider(scenario.responders, scenario.files)
  onTestFinished(provider.stop)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const apiKey = scenario.apiKey === undefined ? key : scenario.apiKey
  const engine =
    scenario.kind === 'chat'
      ? createChatEngine({
          id: 'gateway',
          kind: 'chat',
          label: 'Gateway',
          apiKey,
          url: provider.url,
          model: scenario.model ?? 'google/gemini-image',
          log,
        })
      : createOpenAiEngine({
          id: 'openai',
          label: 'OpenAI',
          apiKey,
          baseUrl: provider.url,
          model: scenario.model ?? 'gpt-image-2',
          settings: environmentSettings,
          log,
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

/** Runs a scenario and verifies all expectations, and that no secret appears in the log or the error. */
export async function runScenario(scenario: Scenario): Promise<FakeProvider> {
  const { provider, engine, log, lines } = await setUpScenario(scenario)
  const controller = new AbortController()
  const reason = new Error('the client disconnected')
  const events: EngineEvent[] = []
  let error: unknown
  const aborted = scenario.abort === 'on request' ? abortOnRequest(provider, controller, reason) : undefined
  try {
    const request = { ...requestFor(prompt), ...scenario.request }
    for await (const event of engine.generate(request, controller.signal)) {
      events.push(event)
      if (scenario.abort === 'after preview') controller.abort(reason)
    }
  } catch (thrown) {
    error = thrown
    // Logged as the generation service does.
    log.error({ err: thrown instanceof AppError ? thrown.cause : thrown }, 'generation failed')
  }
  await aborted

  if (scenario.abort) expect(error).toBe(reason)
  else if (scenario.error) expectError(error, scenario)
  else expect(error).toBe(undefined)
  expectImages(events, scenario)
  if (scenario.settings) expect(events.at(-1)).toMatchObject({ settings: scenario.settings })
  expect(provider.requests).toHaveLength(scenario.requests ?? scenario.responders.length)
  expect(provider.fetches).toHaveLength(scenario.fetches ?? 0)
  if (scenario.logs) expect(lines.join('')).toMatch(scenario.logs)
  for (const text of [...lines, inspect(error, { depth: null, showHidden: true })]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain('Quentin')
  }
  return provider
}

function expectError(thrown: unknown, { error, message, retryAfter }: Scenario): void {
  if (!(thrown instanceof AppError)) throw thrown ?? new Error('Expected an error.')
  expect(thrown).toMatchObject({ code: error, retryAfter })
  expect(thrown.message).toMatch(/^[A-Z].*\.$/)
  if (message !== undefined) expect(thrown.message).toBe(message)
  expect(thrown.cause).toBeInstanceOf(Error)
}

function expectImages(events: readonly EngineEvent[], { images = [], error, abort }: Scenario): void {
  const types = images.map((_, index) =>
    index === images.length - 1 && !error && !abort ? 'complete' : 'partial',
  )
  expect(events.map(({ type }) => type)).toEqual(types)
  for (const [index, event] of events.entries()) {
    if (event.type === 'progress') continue
    const { bytes } = event
    expect(Buffer.compare(bytes, images[index] ?? bytes)).toBe(0)
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

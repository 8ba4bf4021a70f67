import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../../server/errors/app-error.ts'
import { createComfyUiEngine } from '../../../server/engines/comfyui/comfyui-engine.ts'
import type { EngineRequest, ImageEngine } from '../../../server/engines/image-engine.ts'
import { eventually } from '../generations.ts'
import { collectEvents, requestFor } from '../image-engine-contract.ts'
import { startFakeComfyUi, type FakeComfyUi, type FakeComfyUiBehavior } from './fake-comfyui.ts'

export const prompt = 'a heron named Quentin, in ink'
export const token = 'Bearer secret-1234567890'

type EngineOptions = Parameters<typeof createComfyUiEngine>[0]

/** Creates an engine with the built-in workflow, which looks jobs up often. */
export function createEngine(comfy: Pick<FakeComfyUi, 'url'>, options: Partial<EngineOptions> = {}) {
  return createComfyUiEngine({
    kind: 'comfyui',
    id: 'comfy',
    label: 'ComfyUI',
    url: comfy.url,
    workflow: null,
    model: 'sdxl.safetensors',
    headers: { authorization: token },
    loras: null,
    steps: null,
    sampler: null,
    scheduler: null,
    cfgScale: null,
    log: pino({ level: 'silent' }),
    timing: { pollMs: 10, connectedPollMs: 60_000, maxOutageMs: 60_000, lostAfterMs: 20 },
    ...options,
  })
}

/** Starts a server, and creates an engine for it with a recorded log. */
export async function setUp(
  behavior: Partial<FakeComfyUiBehavior> = {},
  options: Partial<EngineOptions> = {},
) {
  const comfy = await startFakeComfyUi(behavior)
  onTestFinished(comfy.stop)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  return { comfy, lines, engine: createEngine(comfy, { log, ...options }) }
}

/** Creates a request for an image with a seed. */
export function request(changes: Partial<EngineRequest> = {}): EngineRequest {
  return { ...requestFor(prompt), seed: 7, ...changes }
}

/** Runs a generation and returns its events. */
export function collect(engine: ImageEngine, of = request(), signal = new AbortController().signal) {
  return collectEvents(engine.generate(of, signal))
}

/** Starts a generation whose job waits in its middle. Its end is `events`. */
export async function startHeld(
  behavior: Partial<FakeComfyUiBehavior> = {},
  options: Partial<EngineOptions> = {},
) {
  const site = await setUp({ holdAt: 'sampling', ...behavior }, options)
  const of = request()
  const controller = new AbortController()
  const events = collect(site.engine, of, controller.signal)
  // Awaited by tests later.
  events.catch(() => {})
  await eventually(() => site.comfy.isHolding()).toBe(true)
  return { ...site, of, events, abort: (code: ErrorCode) => controller.abort(new AppError(code)) }
}

import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { EngineConfig } from '../../../server/config/engine-section.ts'
import {
  createAutomatic1111Engine,
  type Automatic1111EngineOptions,
} from '../../../server/engines/automatic1111/automatic1111-engine.ts'
import type { EngineEvent, EngineRequest, ImageEngine } from '../../../server/engines/image-engine.ts'
import { collectEvents, imageOf, requestFor } from '../image-engine-contract.ts'
import { startAutomatic1111, type DoubleOptions } from './server.ts'

/** A configured server, without settings of its own. */
export const forge: EngineConfig<'automatic1111'> = {
  id: 'forge',
  kind: 'automatic1111',
  label: 'Forge',
  url: 'http://localhost:7860',
  model: null,
  username: null,
  password: null,
  headers: {},
  loras: null,
  steps: null,
  sampler: null,
  scheduler: null,
  cfgScale: null,
}

/** Creates an engine that asks for progress every five milliseconds. */
export function createTestEngine(
  url: string,
  config: Partial<Automatic1111EngineOptions> = {},
  onLog: (line: string) => void = () => {},
): ImageEngine {
  return createAutomatic1111Engine({
    ...forge,
    url,
    log: pino({ level: 'trace' }, { write: onLog }),
    pollMs: 5,
    ...config,
  })
}

/** Starts a double until the end of the test, with an engine for it. */
export async function openEngine(
  double: DoubleOptions = {},
  config: Partial<Automatic1111EngineOptions> = {},
) {
  const server = await startAutomatic1111(double)
  onTestFinished(() => server.stop())
  const lines: string[] = []
  return { server, engine: createTestEngine(server.url, config, (line) => lines.push(line)), lines }
}

/** Generates an image and returns all events. */
export function generate(
  engine: ImageEngine,
  request: Partial<EngineRequest> = {},
  signal = new AbortController().signal,
): Promise<EngineEvent[]> {
  return collectEvents(engine.generate({ ...requestFor('A heron at dawn'), ...request }, signal))
}

/** Generates an image and returns the last event. */
export async function generateImage(engine: ImageEngine, request: Partial<EngineRequest> = {}) {
  return imageOf(await generate(engine, request))
}

/** Waits until a condition is true. */
export async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ErrorCode } from '../../shared/errors.ts'
import {
  defaultRequest,
  type EngineEvent,
  type EngineRequest,
  type ImageEngine,
} from '../../server/engines/image-engine.ts'
import { AppError } from '../../server/errors/app-error.ts'
import { images } from './openai/images.ts'

/** Creates a request with the defaults of the engine. */
export function requestFor(prompt: string): EngineRequest {
  return defaultRequest(randomUUID(), prompt)
}

/** Reads all events of a generation. */
export async function collectEvents(events: AsyncIterable<EngineEvent>): Promise<EngineEvent[]> {
  const all: EngineEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/**
 * Contract tests of the `ImageEngine` interface.
 *
 * @param createEngine creates an engine that generates an image for any prompt
 */
export function testImageEngine(createEngine: () => ImageEngine): void {
  describe('image engine contract', () => {
    const { signal } = new AbortController()
    const prompts = ['A lotus at dawn', '<script>"&\'</script> 🪔', 'मोर '.repeat(1_000)]

    test('ends with complete images that decode, of any prompts at the same time', async () => {
      const engine = createEngine()
      const generations = prompts.map((prompt) => collectEvents(engine.generate(requestFor(prompt), signal)))
      for (const events of await Promise.all(generations)) {
        expect(events.map(({ type }) => type).indexOf('complete')).toBe(events.length - 1)
        for (const event of events) {
          if (!('bytes' in event)) continue
          const { format, width, height } = await sharp(event.bytes).metadata()
          expect(['jpeg', 'png', 'webp']).toContain(format)
          expect(Math.min(width, height)).toBeGreaterThan(0)
          await sharp(event.bytes, { failOn: 'warning' }).stats()
        }
      }
    })

    test('throws the abort reason if the signal is aborted before the start', async () => {
      const reason = new Error('canceled')
      const aborted = AbortSignal.abort(reason)
      await expect(collectEvents(createEngine().generate(requestFor('A lotus'), aborted))).rejects.toBe(
        reason,
      )
      if (!createEngine().isDeterministic) await expect(createEngine().check(aborted)).rejects.toBe(reason)
    })

    test('throws the abort reason if the signal is aborted during a generation', async () => {
      const reason = new Error('canceled')
      const controller = new AbortController()
      const events = collectEvents(createEngine().generate(requestFor('A lotus'), controller.signal))
      controller.abort(reason)
      await expect(events).rejects.toBe(reason)
    })
  })
}

/** Starts the server of an engine with a file for its images, and creates the engine for the server's address. */
export type StartEngine = (
  file: Uint8Array,
) => Promise<{ readonly engine: ImageEngine; readonly stop: () => Promise<void> }>

/** Contract tests of engines that are programs of others. */
export function testEngineOfServer(start: StartEngine): void {
  describe('contract of an engine with a server', () => {
    const { signal } = new AbortController()

    test.each(['svg', 'html', 'huge'] as const)('rejects a file that is no image: %s', async (name) => {
      const { engine, stop } = await start(images[name])
      onTestFinished(stop)
      const events = collectEvents(engine.generate(requestFor('A lotus'), signal))
      await expect(events).rejects.toMatchObject({ code: 'engine_failed', cause: expect.any(Error) as Error })
    })

    test('is unavailable while its server is down', async () => {
      const { engine, stop } = await start(images.jpeg)
      await stop()
      const unavailable = { code: 'engine_unavailable', cause: { networkError: 'ECONNREFUSED' } }
      await expect(engine.check(signal)).rejects.toMatchObject(unavailable)
      const events = collectEvents(engine.generate(requestFor('A lotus'), signal))
      const error: unknown = await events.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject(unavailable)
      expect(String(error)).not.toContain('127.0.0.1')
    })
  })
}

/** Returns the finished image, the last event of a generation. */
export function imageOf(events: readonly EngineEvent[]) {
  const last = events.at(-1)
  if (last?.type !== 'complete') throw new Error('The generation is not complete.')
  return last
}

/** Expects an error for users without secrets, paths or prompts of the tests, and returns it. */
export async function expectFailure(
  work: Promise<unknown>,
  code: ErrorCode,
  { message, cause }: { readonly message?: string | RegExp; readonly cause?: RegExp } = {},
): Promise<AppError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('Expected an error.')
  expect(error).toMatchObject({ code })
  expect(error.message).toMatch(/^[A-Z].*\.$/)
  if (message !== undefined) expect(error.message).toMatch(message)
  if (cause) expect(String(error.cause)).toMatch(cause)
  expect(error.message).not.toMatch(/[/\\]|127\.0\.0\.1/)
  const text = inspect(error, { depth: null, showHidden: true })
  expect(text).not.toMatch(/Quentin|secret-1234567890|s3cret|\/srv\/|\/home/)
  return error
}

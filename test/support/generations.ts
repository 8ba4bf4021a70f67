import { ReadableStream } from 'node:stream/web'
import { expect } from 'vitest'
import type { Image } from '../../shared/images.ts'
import type {
  EngineEvent,
  EngineRequest,
  ImageEngine,
  ReportedSettings,
} from '../../server/engines/image-engine.ts'
import { engineFacts, plainJpeg } from './engine.ts'
import type { TestServer } from './test-server.ts'

export { follow } from './trpc-client.ts'

/** A generation of the scripted engine. */
interface EngineJob {
  readonly prompt: string
  readonly request: EngineRequest
  readonly signal: AbortSignal
  progress(progress: number): void
  preview(bytes: Uint8Array): void
  /** Completes with these bytes, or with a JPEG of the prompt's color. */
  finish(bytes?: Uint8Array, settings?: ReportedSettings): Promise<void>
  fail(error: Error): void
}

/** Creates an engine whose previews, results and errors the test sends. It stops when its signal is aborted. */
export function createScriptedEngine(facts: Partial<ImageEngine> = {}) {
  const jobs: EngineJob[] = []
  const engine: ImageEngine = {
    ...engineFacts,
    model: 'scripted',
    ...facts,
    generate(request, signal) {
      const { prompt } = request
      signal.throwIfAborted()
      return new ReadableStream<EngineEvent>({
        start(events) {
          signal.addEventListener('abort', () => events.error(signal.reason), { once: true })
          jobs.push({
            prompt,
            request,
            signal,
            progress: (progress) => events.enqueue({ type: 'progress', progress }),
            preview: (bytes) => events.enqueue({ type: 'partial', bytes }),
            async finish(bytes, settings = {}) {
              events.enqueue({ type: 'complete', bytes: bytes ?? (await plainJpeg(prompt)), settings })
            },
            fail: (error) => events.error(error),
          })
        },
      })
    },
  }

  /** Waits for the engine's job for a prompt. */
  async function waitForJob(prompt: string): Promise<EngineJob> {
    const find = () => jobs.find((job) => job.prompt === prompt)
    await eventually(find).toBeDefined()
    const job = find()
    if (!job) throw new Error('The job has disappeared.')
    return job
  }

  return { engine, jobs, waitForJob }
}

/** Polls until an expectation holds: `await eventually(() => …).toBe(…)`. */
export function eventually<Value>(
  read: () => Value | Promise<Value>,
): ReturnType<typeof expect.poll<Value | Promise<Value>>> {
  return expect.poll(read, { interval: 10 })
}

/** Reads the rows of all images. */
export function imageRows(server: TestServer) {
  return server.services.db.selectFrom('images').selectAll().orderBy('seq').execute()
}

/** Waits until an image of a user has a state. */
export async function expectState(
  user: { trpc: { images: { list: { query(): Promise<{ images: readonly Image[] }> } } } },
  id: string,
  state: Partial<Image>,
): Promise<void> {
  const find = async () => (await user.trpc.images.list.query()).images.find((image) => image.id === id)
  await eventually(find).toMatchObject(state)
}

import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { createRangoliEngine } from '../../server/engines/rangoli/rangoli-engine.ts'
import type { EngineCapabilities } from '../../shared/engines.ts'
import { type EngineRequest, type ImageEngine, promptOnly } from '../../server/engines/image-engine.ts'
import type { AppError } from '../../server/errors/app-error.ts'
import { labelJpeg } from './labelled-jpegs.ts'
import type { TestUser } from './test-server.ts'

/** Properties of the engines of tests. */
export const engineFacts = { ...createRangoliEngine(), isDeterministic: false }

/** Capabilities of an engine that supports everything. */
export const allCapabilities: EngineCapabilities = {
  ...promptOnly,
  sizes: ['1024x1024', '1216x832'],
  customSizes: { min: 64, max: 2_048, step: 8 },
  seed: true,
  negativePrompt: true,
  referenceImages: 2,
  strength: true,
  mask: true,
  progress: true,
  previews: true,
}

/** Creates an engine that immediately returns a small JPEG, whose color depends on the prompt. Its requests are added to `requests`. */
export function createInstantEngine(facts: Partial<ImageEngine> = {}, requests: EngineRequest[] = []) {
  const engine: ImageEngine = {
    ...engineFacts,
    model: 'instant',
    ...facts,
    async *generate(request, signal) {
      requests.push(request)
      signal.throwIfAborted()
      const bytes = await plainJpeg(request.prompt)
      signal.throwIfAborted()
      yield { type: 'complete', bytes }
    },
  }
  return engine
}

/** Creates an engine that fails with the given error. */
export function createFailingEngine(failure: AppError): ImageEngine {
  const next = () => Promise.reject(failure)
  return {
    ...engineFacts,
    model: 'failing',
    generate: () => ({ [Symbol.asyncIterator]: () => ({ next }) }),
  }
}

/** Creates an engine that holds each generation until the test releases or fails it. */
export function createHeldEngine(facts: Partial<ImageEngine> = {}) {
  const held: { prompt: string; release: () => void; fail: (error: Error) => void }[] = []
  const engine: ImageEngine = {
    ...engineFacts,
    model: 'held',
    ...facts,
    async *generate({ prompt }, signal) {
      signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        held.push({ prompt, release: resolve, fail: reject })
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
      yield { type: 'complete', bytes: await plainJpeg(prompt) }
    },
  }
  return { engine, held }
}

const plainJpegs = new Map<string, Promise<Buffer>>()

/**
 * Creates a JPEG of 64 × 48 pixels whose bytes depend on a text. It has one of 64 colors, whose thumbnails
 * `remembered-images.ts` remembers.
 */
export async function plainJpeg(text: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(text).digest().map(toShade)
  const color = JSON.stringify([r, g, b])
  const jpeg =
    plainJpegs.get(color) ??
    sharp({ create: { width: 64, height: 48, channels: 3, background: { r, g, b } } })
      .jpeg()
      .toBuffer()
  plainJpegs.set(color, jpeg)
  return labelJpeg(await jpeg, text)
}

/** Rounds a byte to one of four values. */
const toShade = (byte: number) => byte & 0xc0

/** Uploads the JPEG of a text, and returns the id of the image. */
export async function uploadJpeg({ trpc }: TestUser, text: string, isForEdit = false): Promise<string> {
  const procedure = trpc.images[isForEdit ? 'uploadForEdit' : 'upload']
  return (await procedure.mutate(new Blob([new Uint8Array(await plainJpeg(text))]))).id
}

import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { ImageEngine } from '../../server/engines/image-engine.ts'
import type { AppError } from '../../server/errors/app-error.ts'

/** Makes small one-coloured JPEGs, another colour for another prompt, as fast as a test may want them. */
export function createInstantEngine(): ImageEngine {
  return {
    name: 'rangoli',
    model: 'instant',
    async *generate(prompt, signal) {
      signal.throwIfAborted()
      const bytes = await plainJpeg(prompt)
      signal.throwIfAborted()
      yield { type: 'complete', bytes }
    },
  }
}

/** An engine that makes no image of anything. */
export function createFailingEngine(failure: AppError): ImageEngine {
  const next = () => Promise.reject(failure)
  return { name: 'rangoli', model: 'failing', generate: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) }
}

/** An engine whose images come when the test says so. */
export function createHeldEngine() {
  const held: { prompt: string; release: () => void; fail: (error: Error) => void }[] = []
  const engine: ImageEngine = {
    name: 'rangoli',
    model: 'held',
    async *generate(prompt, signal) {
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

/** A JPEG of 64 × 48 pixels whose colour follows from a text. */
export function plainJpeg(text: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(text).digest()
  return sharp({ create: { width: 64, height: 48, channels: 3, background: { r, g, b } } })
    .jpeg()
    .toBuffer()
}

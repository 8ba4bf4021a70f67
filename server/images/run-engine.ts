import type { EngineEvent, ImageEngine } from '../engines/image-engine.ts'
import { generationFailure } from './generation-outcome.ts'

/**
 * Has an engine make a picture and returns its bytes.
 *
 * @param preview called with each picture in between
 * @throws the reason of `signal` as soon as it is aborted, whatever the engine makes of it; AppError
 *   `engine_failed` where the engine ends without a picture; else what the engine throws
 */
export async function runEngine(
  engine: ImageEngine,
  prompt: string,
  signal: AbortSignal,
  preview: (bytes: Uint8Array) => void = () => {},
): Promise<Uint8Array> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  signal.throwIfAborted()
  return Promise.race([finalPicture(engine.generate(prompt, signal), preview), aborted])
}

async function finalPicture(
  events: AsyncIterable<EngineEvent>,
  preview: (bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  for await (const event of events) {
    if (event.type === 'complete') return event.bytes
    preview(event.bytes)
  }
  throw generationFailure('engine_failed', new Error('The engine ended without a picture.'))
}

import type { ImageEngine } from '../../engines/image-engine.ts'
import { AppError } from '../../errors/app-error.ts'

/**
 * Has an engine make an image and returns its bytes.
 *
 * @param preview called with each image in between
 * @throws the reason of `signal` as soon as it is aborted, whatever the engine makes of it; AppError
 *   `engine_failed` where the engine ends without an image; else what the engine throws
 */
export function runEngine(
  engine: ImageEngine,
  prompt: string,
  signal: AbortSignal,
  preview: (bytes: Uint8Array) => void = () => {},
): Promise<Uint8Array> {
  return Promise.race([lastImage(engine, prompt, signal, preview), whenAborted(signal)])
}

async function lastImage(
  engine: ImageEngine,
  prompt: string,
  signal: AbortSignal,
  preview: (bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  for await (const event of engine.generate(prompt, signal)) {
    if (event.type === 'complete') return event.bytes
    preview(event.bytes)
  }
  throw new AppError('engine_failed', undefined, { cause: new Error('The engine ended without an image.') })
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}

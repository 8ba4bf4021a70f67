import type { EngineEvent } from '../engines/image-engine.ts'
import { generationFailure } from './generation-outcome.ts'

/**
 * Follows an engine to its end and returns the picture's bytes. An engine that goes on after `signal` is aborted is
 * not waited for: no engine may hold up a timeout or the server's stop.
 *
 * @throws AppError `engine_failed` where it ends without one, the signal's reason, and whatever the engine throws
 */
export async function finalPicture(events: AsyncIterable<EngineEvent>, signal: AbortSignal): Promise<Uint8Array> {
  return Promise.race([lastBytes(events), whenAborted(signal)])
}

async function lastBytes(events: AsyncIterable<EngineEvent>): Promise<Uint8Array> {
  for await (const event of events) if (event.type === 'complete') return event.bytes
  throw generationFailure('engine_failed', new Error('The engine ended without a picture.'))
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}

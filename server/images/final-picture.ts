import type { EngineEvent } from '../engines/image-engine.ts'
import { generationFailure } from './generation-outcome.ts'

/**
 * Follows an engine to its end and returns the picture's bytes.
 *
 * @throws AppError `engine_failed` where it ends without one, and whatever the engine throws
 */
export async function finalPicture(events: AsyncIterable<EngineEvent>): Promise<Uint8Array> {
  for await (const event of events) if (event.type === 'complete') return event.bytes
  throw generationFailure('engine_failed', new Error('The engine ended without a picture.'))
}

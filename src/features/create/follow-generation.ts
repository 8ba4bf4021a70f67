import type { GenerationEvent, ReadyImage } from '../../../shared/images.ts'
import { describeFailure } from '../../api/failure.ts'
import { patience } from './patience.ts'
import type { ProgressNews } from './progress.ts'

type Events = Promise<AsyncIterable<GenerationEvent>>

/** The two calls that tell of a generation. */
export interface GenerationCalls {
  generate(request: { prompt: string; requestKey: string }, signal: AbortSignal): Events
  watch(imageId: string, signal: AbortSignal): Events
}

/** What is to be followed: a press of the button, or an image whose job goes on already. */
export type Followed = { readonly prompt: string; readonly requestKey: string } | { readonly imageId: string }

/** Pauses before a press of the button is sent again; after them, whoever pressed it is told. */
const sendingPauses = [400, 1_200, 2_400]

/** The pause before a job that the server has accepted is joined again: longer each time, up to a bound. */
function joiningPause(failures: number): number {
  return Math.min(500 * 2 ** failures, 15_000)
}

/**
 * Follows a generation to its end, over as many connections as that takes. A press is sent again under its
 * own key, and joined once accepted: it never starts a second job.
 *
 * @throws what the server refuses; the last network failure where the press could not be delivered; the
 *   signal's reason when it is aborted
 */
export async function subscribeToGeneration(
  calls: GenerationCalls,
  followed: Followed,
  tell: (news: ProgressNews) => void,
  signal: AbortSignal,
): Promise<ReadyImage> {
  let target = followed
  for (let failures = 0; ; failures += 1) {
    try {
      const events =
        'imageId' in target ? calls.watch(target.imageId, signal) : calls.generate(target, signal)
      for await (const event of await events) {
        signal.throwIfAborted()
        if (event.type === 'ready') return event.image
        if (event.type === 'accepted') target = { imageId: event.imageId }
        else failures = 0
        tell(event)
      }
      throw new Error('The stream ended before the image was ready')
    } catch (error) {
      signal.throwIfAborted()
      const pause = 'imageId' in target ? joiningPause(failures) : sendingPauses[failures]
      if (isResponse(error) || pause === undefined) throw error
      tell({ type: 'broken' })
      await patience(pause, signal)
    }
  }
}

/** Whether the server itself said no; anything else is the connection, or something on its way. */
export function isResponse(error: unknown): boolean {
  return describeFailure(error).reason !== null
}

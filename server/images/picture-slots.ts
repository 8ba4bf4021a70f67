import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { AppError } from '../errors/app-error.ts'

/** How many pictures are decoded and encoded at a time: more would take memory and make none of them faster. */
export const pictureSlots = availableParallelism()

/** How many may wait for a slot before uploads are refused. */
export const pictureQueueLength = 4 * pictureSlots

/** One for the whole process, as its processors and its memory are. */
const slots = pLimit(pictureSlots)

/** Works on a picture when a slot is free, however long that takes: for pictures that were paid for. */
export function whenSlotIsFree<Result>(work: () => Promise<Result>): Promise<Result> {
  return slots(work)
}

/**
 * Works on a picture when a slot is free, unless too many are waiting.
 *
 * @throws AppError `busy`
 */
export async function unlessTooManyWait<Result>(work: () => Promise<Result>): Promise<Result> {
  if (slots.pendingCount >= pictureQueueLength) {
    throw new AppError('busy', 'Many photos are being shared right now. Please try again in a moment.', {
      retryAfter: 10,
    })
  }
  return slots(work)
}

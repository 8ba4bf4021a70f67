import { availableParallelism } from 'node:os'
import { AppError } from '../errors/app-error.ts'

/** Images that are decoded and encoded at a time: more would take memory and make none of them faster. */
export const imageSlots = availableParallelism()

/** Uploads that may wait for a slot before others are refused. */
export const imageQueueLength = 4 * imageSlots

/** One set of slots for the whole process, as its processors and its memory are. */
let freeSlots = imageSlots
const waitingGenerations: (() => void)[] = []
const waitingUploads: (() => void)[] = []

/** Processes a generated image when a slot is free, however long that takes, and before every upload that waits. */
export function whenSlotIsFree<Result>(work: () => Promise<Result>): Promise<Result> {
  return inSlot(waitingGenerations, work)
}

/**
 * Processes an upload when a slot is free and no generated image waits for one.
 *
 * @throws AppError `busy` while too many uploads wait
 */
export async function unlessTooManyWait<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waitingUploads.length >= imageQueueLength) {
    throw new AppError('busy', 'Many photos are being shared right now. Please try again in a moment.', {
      retryAfter: 10,
    })
  }
  return inSlot(waitingUploads, work)
}

async function inSlot<Result>(waiting: (() => void)[], work: () => Promise<Result>): Promise<Result> {
  if (freeSlots > 0) freeSlots -= 1
  else await new Promise<void>((resolve) => void waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waitingGenerations.shift() ?? waitingUploads.shift()
    if (next) next()
    else freeSlots += 1
  }
}

import { availableParallelism } from 'node:os'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Maximum number of images processed at once. More would need memory without being faster. */
export const imageSlots = availableParallelism()

/** Maximum number of uploads that wait for a slot. Further uploads are rejected. */
export const imageQueueLength = 4 * imageSlots

// Module state, as the slots limit CPU and memory of the whole process.
let freeSlots = imageSlots
const waitingGenerations: (() => void)[] = []
const waitingUploads: (() => void)[] = []

/** Runs work on a generated image as soon as a slot is free, before all waiting uploads. The queue has no limit. */
export function whenSlotIsFree<Result>(work: () => Promise<Result>): Promise<Result> {
  return inSlot(waitingGenerations, work)
}

/**
 * Runs work on an upload as soon as a slot is free and no generated image is waiting.
 *
 * @throws AppError `busy` while too many uploads wait
 */
export async function unlessTooManyWait<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waitingUploads.length >= imageQueueLength) {
    throw new AppError('busy', describedDetail('photos_busy'), {
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

import { isFinished, type Image, type ImageEvent } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { findOwnImages } from '../images/images.ts'
import type { Services } from '../trpc/context.ts'

interface FollowOptions {
  readonly signal: AbortSignal
  /** Called with increasing progress, out of 100, also while nothing changes; null if the client has not asked for it. */
  readonly report: ((progress: number, message: string) => void) | null
}

export interface FollowedImage {
  readonly image: Image
  /** Of its failure, in seconds. */
  readonly retryAfter?: number | undefined
}

/**
 * Waits until images of a user are finished, or the signal is aborted, and returns their last states.
 *
 * @throws AppError `not_found` if an image was deleted, `interrupted` if this server stops first
 */
export async function followGeneration(
  { db, generations }: Pick<Services, 'db' | 'generations'>,
  viewer: Viewer,
  images: readonly Image[],
  { signal, report }: FollowOptions,
): Promise<FollowedImage[]> {
  const latest = new Map<string, FollowedImage>(images.map((image) => [image.id, { image }]))
  const fractions = new Map<string, number>()
  let waits = 'Waiting in the queue'
  let last = -stepMin
  const send = () => {
    const all = [...latest.values()].map(({ image }) => image)
    const finished = all.filter(({ state }) => isFinished(state))
    for (const { id } of finished) fractions.set(id, 1)
    const sum = [...fractions.values()].reduce((total, fraction) => total + fraction, 0)
    // The protocol requires that it increases.
    last = Math.max(last + stepMin, Math.round((sum / all.length) * 100))
    const count = all.length === 1 ? '' : `, ${finished.length} of ${all.length} finished`
    const unfinished = all.every(({ state }) => state === 'queued') ? waits : `Generating${count}`
    report?.(last, finished.length === all.length ? 'Finished' : unfinished)
  }
  const heartbeat = report && setInterval(send, heartbeatMs)
  try {
    const owned = await findOwnImages(db, viewer, [...latest.keys()])
    for await (const { event } of generations.watch(owned, null, signal)) {
      if (event.type === 'state') latest.set(event.image.id, event)
      else if (event.type === 'queue' && event.id === images[0]?.id) waits = waitOf(event)
      else if (event.type === 'progress') fractions.set(event.id, Math.min(unfinishedMax, event.progress))
      else continue
      send()
    }
  } finally {
    if (heartbeat) clearInterval(heartbeat)
  }
  return [...latest.values()]
}

/** Interval between reports while nothing changes, in milliseconds. Clients give up after a minute without any. */
const heartbeatMs = 5_000

/** Smallest difference between two reports. */
const stepMin = 0.01

/** Highest progress of a generation that is not finished. */
const unfinishedMax = 0.99

function waitOf({ position, isPaused }: Extract<ImageEvent, { type: 'queue' }>): string {
  if (isPaused) return 'The image engine is paused'
  return position === 0 ? 'Next in the queue' : `Waiting in the queue, ${position} ahead`
}

import { isFinished, type Image, type ImageEvent } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { findOwnImages } from '../images/images.ts'
import type { Services } from '../trpc/context.ts'

/** Progress of a call, out of 100. */
export interface Progress {
  readonly progress: number
  readonly message: string
}

interface FollowOptions {
  /** Ends the wait. */
  readonly signal: AbortSignal
  /** Called with increasing progress, also while nothing changes; null if the client has not asked for it. */
  readonly report: ((progress: Progress) => void) | null
}

/** An image, and the retry delay of its failure. */
export interface FollowedImage {
  readonly image: Image
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** What is known of the progress of an image. */
interface Followed extends FollowedImage {
  /** As the engine reports it, 0 to 1. */
  readonly fraction?: number
  readonly usualSeconds?: number | null
  /** When its generation was seen first, as `performance.now()`. */
  readonly startedAt?: number
  /** What it waits for. */
  readonly waits?: string
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
  const latest = new Map<string, Followed>(images.map((image) => [image.id, { image }]))
  let last = -stepMin
  const send = () => {
    const progress = progressOf([...latest.values()])
    // The protocol requires that it increases.
    last = Math.max(last + stepMin, progress.progress)
    report?.({ ...progress, progress: last })
  }
  const heartbeat = report && setInterval(send, heartbeatMs)
  try {
    const owned = await findOwnImages(db, viewer, [...latest.keys()])
    for await (const { event } of generations.watch(owned, null, signal)) {
      const id = event.type === 'state' ? event.image.id : event.id
      const before = latest.get(id)
      const after = before && followed(before, event)
      if (!after || after === before) continue
      latest.set(id, after)
      if (event.type !== 'state' || after.startedAt !== undefined) send()
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

/** Highest estimate, for generations of engines that do not report progress. */
const estimateMax = 0.9

/** Highest progress of a generation that is not finished. */
const unfinishedMax = 0.99

/** Applies an event to what is known; returns the same where there is nothing to report. */
function followed(before: Followed, event: ImageEvent): Followed {
  if (event.type === 'state') {
    const { startedAt = event.image.state === 'queued' ? undefined : performance.now(), ...known } = before
    return { ...known, ...event, ...(startedAt !== undefined && { startedAt }) }
  }
  if (event.type === 'queue') {
    const place = event.position === 0 ? 'Next in the queue' : `Waiting in the queue, ${event.position} ahead`
    return { ...before, waits: event.isPaused ? 'The image engine is paused' : place }
  }
  const { fraction = 0 } = before
  return event.type === 'progress' && event.progress > fraction
    ? { ...before, fraction: event.progress }
    : before
}

/** Fraction of an image as the engine reports it, otherwise estimated from the usual duration. */
function estimateOf({ image, fraction = 0, startedAt, usualSeconds }: Followed): number {
  if (isFinished(image.state)) return 1
  if (fraction > 0 || startedAt === undefined || !usualSeconds) return Math.min(unfinishedMax, fraction)
  return Math.min(estimateMax, (performance.now() - startedAt) / 1_000 / usualSeconds)
}

function progressOf(images: readonly Followed[]): Progress {
  const fraction = images.reduce((sum, image) => sum + estimateOf(image), 0) / images.length
  const finished = images.filter(({ image }) => isFinished(image.state)).length
  const [first] = images
  const message =
    finished === images.length
      ? 'Finished'
      : images.every(({ startedAt }) => startedAt === undefined)
        ? (first?.waits ?? 'Waiting in the queue')
        : images.length === 1
          ? 'Generating'
          : `Generating, ${finished} of ${images.length} finished`
  return { progress: Math.round(fraction * 100), message }
}

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
  const progress = new GenerationProgress(images.map(({ id }) => id))
  const heartbeat = report && setInterval(() => report(progress.next()), heartbeatMs)
  try {
    const owned = await findOwnImages(db, viewer, [...latest.keys()])
    for await (const { event } of generations.watch(owned, null, signal)) {
      if (event.type === 'state') latest.set(event.image.id, event)
      if (progress.apply(event)) report?.(progress.next())
    }
  } finally {
    if (heartbeat) clearInterval(heartbeat)
  }
  return [...latest.values()]
}

/** Interval between reports while nothing changes, in milliseconds. Clients give up after a minute without any. */
const heartbeatMs = 5_000

/** Smallest difference between two reports: the protocol requires that progress increases. */
const stepMin = 0.01

/** Highest estimate, for generations of engines that do not report progress. */
const estimateMax = 0.9

/** Highest progress of a generation that is not finished. */
const unfinishedMax = 0.99

class ImageProgress {
  /** 0 to 1. */
  fraction = 0
  /** Start of the generation, as `performance.now()`; null while it waits. */
  startedAt: number | null = null
  usualSeconds: number | null = null
  /** Null once it has begun. */
  waits: string | null = 'Waiting in the queue'
  hasEnded = false

  /** Fraction as the engine reports it, otherwise estimated from the usual duration. */
  get estimate(): number {
    const { fraction, startedAt, usualSeconds } = this
    if (this.hasEnded) return 1
    if (fraction > 0 || startedAt === null || !usualSeconds) return Math.min(unfinishedMax, fraction)
    return Math.min(estimateMax, (performance.now() - startedAt) / 1_000 / usualSeconds)
  }
}

/** Progress of the images of one call. */
class GenerationProgress {
  readonly #images: ReadonlyMap<string, ImageProgress>
  #last = -stepMin

  constructor(ids: readonly string[]) {
    this.#images = new Map(ids.map((id) => [id, new ImageProgress()]))
  }

  /** Applies an event. @returns whether there is something to report */
  apply(event: ImageEvent): boolean {
    const image = this.#images.get(event.type === 'state' ? event.image.id : event.id)
    if (!image) return false
    if (event.type === 'state' && event.image.state !== 'queued') {
      image.waits = null
      image.hasEnded = isFinished(event.image.state)
      image.usualSeconds = event.usualSeconds
      image.startedAt ??= performance.now()
      return true
    }
    if (event.type === 'queue') {
      const { position, isPaused } = event
      image.waits = position === 0 ? 'Next in the queue' : `Waiting in the queue, ${position} ahead`
      if (isPaused) image.waits = 'The image engine is paused'
      return true
    }
    if (event.type !== 'progress' || event.progress <= image.fraction) return false
    image.fraction = event.progress
    return true
  }

  /** Returns the current progress, which is higher than the one before. */
  next(): Progress {
    const images = [...this.#images.values()]
    const fraction = images.reduce((sum, { estimate }) => sum + estimate, 0) / images.length
    this.#last = Math.max(this.#last + stepMin, Math.round(fraction * 100))
    return { progress: this.#last, message: describe(images) }
  }
}

function describe(images: readonly ImageProgress[]): string {
  const finished = images.filter(({ hasEnded }) => hasEnded).length
  if (finished === images.length) return 'Finished'
  const waits = images.map((image) => image.waits)
  const waiting = waits.find((text) => text !== null)
  if (waiting !== undefined && !waits.includes(null)) return waiting
  return images.length === 1 ? 'Generating' : `Generating, ${finished} of ${images.length} finished`
}

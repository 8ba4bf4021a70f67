import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ImageSize } from '../../../shared/engines.ts'
import { isSucceeded, type Image, type ImageEvent } from '../../../shared/images.ts'
import { errorMessage } from '../../api/failure.ts'

/** Progress of a batch, the images of one press of Generate, as this page knows it. */
export interface Progress {
  /** Identifies the batch on this page. */
  readonly key: string
  readonly prompt: string
  /** Size that was asked for; null for the default of the engine. */
  readonly size: ImageSize | null
  /** At least one. */
  readonly images: readonly ImageProgress[]
  /** Index of the image that the user has chosen; null: none yet. */
  readonly chosen: number | null
  /** True if this page sent the request; false if it joined images that existed. */
  readonly isOwn: boolean
  /** The connection is lost and is being restored. The generation continues. */
  readonly isDisconnected: boolean
  readonly isCanceling: boolean
  /** Difference between this browser's clock and the server's, in milliseconds. */
  readonly clockLead: number
  /** Ids of images that existed before the request, and were not counted again. */
  readonly reusedIds: readonly string[]
}

/** Progress of one image. */
export interface ImageProgress {
  /** Null until the server has accepted the batch. */
  readonly id: string | null
  /** `loading`: the image has succeeded, and is loaded before it replaces its preview. */
  readonly phase: 'sending' | 'queued' | 'running' | 'loading' | 'finished'
  /** Start of the phase, in milliseconds by this browser's clock. */
  readonly since: number
  /** Its place in the queue; null until the server has told it. */
  readonly queue: Extract<ImageEvent, { type: 'queue' }> | null
  /** Usual duration of a generation, in seconds; null if unknown. */
  readonly usualSeconds: number | null
  /** Fraction that is done, 0 to 1; null if the engine doesn't report it. */
  readonly share: number | null
  /** Intermediate image, a data URL. */
  readonly preview: string | null
  readonly isStopping: boolean
  /** The finished image; null until `phase` is `finished`. */
  readonly result: Image | null
}

/** Creates the progress of an image: a finished one with `result`, else one whose state is unknown. */
export function newImage(id: string | null, since: number, result: Image | null = null): ImageProgress {
  return {
    id,
    phase: result ? 'finished' : 'sending',
    since,
    queue: null,
    usualSeconds: null,
    share: null,
    preview: null,
    isStopping: false,
    result,
  }
}

/** Applies an event of an image that is not finished. */
export function applyEvent(progress: Progress, event: ImageEvent): Progress {
  switch (event.type) {
    case 'state': {
      const { id, state, startedAt, createdAt, prompt, recipe } = event.image
      const before = progress.images.find((image) => image.id === id)
      const isKnown = progress.isOwn || before?.phase !== 'sending'
      const start = startedAt ?? (isKnown ? null : createdAt)
      return withImage({ ...progress, prompt, size: recipe?.size ?? progress.size }, id, {
        usualSeconds: event.usualSeconds,
        // `queued` is shown only after a `queue` event: most generations start immediately.
        ...(state === 'running' && { phase: 'running' }),
        // A resumed generation begins again.
        ...(state === 'queued' && { share: null }),
        ...(start !== null && { since: Math.min(Date.now(), Date.parse(start) + progress.clockLead) }),
      })
    }
    case 'queue':
      return withImage(progress, event.id, { phase: 'queued', queue: event })
    case 'progress':
      // The server sends 0 and 1 itself; only values in between are the engine's.
      return withImage(progress, event.id, {
        phase: 'running',
        ...(event.progress > 0 && event.progress < 1 && { share: event.progress }),
      })
    case 'preview':
      return withImage(progress, event.id, { preview: event.dataUrl })
    case 'stopping':
      return withImage(progress, event.id, { isStopping: true })
  }
}

/** Changes an image, unless it is finished. */
export function withImage(progress: Progress, imageId: string, patch: Partial<ImageProgress>): Progress {
  const images = progress.images.map((image) =>
    image.id === imageId && image.phase !== 'finished' ? { ...image, ...patch } : image,
  )
  return { ...progress, images }
}

/** Returns the ids of the images whose final state is unknown. */
export function unfinishedIds({ images }: Progress): string[] {
  const isEnding = ({ phase }: ImageProgress) => phase === 'loading' || phase === 'finished'
  return images.flatMap((image) => (isEnding(image) ? [] : (image.id ?? [])))
}

/** Returns the finished images. */
export function resultsOf({ images }: Progress): Image[] {
  return images.flatMap(({ result }) => result ?? [])
}

/** Reports whether an image has not started. */
export function isWaiting({ phase }: ImageProgress): boolean {
  return phase === 'queued' || phase === 'sending'
}

/** Reports whether this page has seen the batch unfinished, so that the user waits for its end. */
export function isAwaited({ isOwn, images }: Progress): boolean {
  return isOwn || images.some(({ phase }) => phase !== 'sending' && phase !== 'finished')
}

/** Describes a change of state for screen readers; null for previews and progress. */
export function describeChange(before: Progress, after: Progress): MessageDescriptor | null {
  const [was, is] = [nextImage(before), nextImage(after)]
  if (is?.phase === 'queued' && after.images.every(isWaiting)) {
    const count = is.queue?.position ?? 0
    if (was?.phase === 'queued' && was.queue?.position === count) return null
    return count === 0
      ? msg`Your image is next.`
      : msg`${plural({ count }, { one: 'One image before yours.', other: '# images before yours.' })}`
  }
  if (is?.phase === 'running' && before.images.every(isWaiting)) {
    return after.images.length === 1
      ? msg`Your image is being generated.`
      : msg`Your images are being generated.`
  }
  if (after.isDisconnected && !before.isDisconnected)
    return msg`The connection was lost and is being restored.`
  const isStopping = ({ images }: Progress) => images.some((image) => image.isStopping)
  return isStopping(after) && !isStopping(before) ? msg`The server is restarting.` : null
}

/** The image of a batch that is finished next. */
export function nextImage({ images }: Progress): ImageProgress | undefined {
  return images.find(({ phase }) => phase === 'running') ?? images.find(({ phase }) => phase !== 'finished')
}

/**
 * Describes the end of a batch.
 *
 * @param isReused true if its images existed before
 */
export function describeEnd(results: readonly Image[], isReused: boolean, i18n: I18n): string {
  const total = results.length
  const failed = results.filter(({ state }) => state === 'failed')
  const count = failed.length
  if (count > 0) {
    const reasons = [...new Set(failed.map((image) => imageFailureMessage(image, i18n)))].join(' ')
    return count < total ? i18n._(msg`${count} of ${total} images failed. ${reasons}`) : reasons
  }
  const succeeded = results.filter(isSucceeded).length
  if (isReused) return i18n._(msg`This image exists already. It was not counted.`)
  if (succeeded === 0)
    return i18n._(total === 1 ? msg`The image is canceled.` : msg`The images are canceled.`)
  if (total === 1) return i18n._(msg`Your image is ready.`)
  return i18n._(
    succeeded === total
      ? msg`All ${total} images are ready.`
      : msg`${succeeded} of ${total} images are ready.`,
  )
}

/** Returns the reason of a failed image: the engine's, or the one of its code. */
export function imageFailureMessage({ failure, failureDetail }: Image, i18n: I18n): string {
  return failureDetail ?? errorMessage(failure ?? 'internal', i18n)
}

/** Describes the position in the queue, such as `2 images before yours`. */
export function aheadSentence(ahead: number): MessageDescriptor {
  if (ahead === 0) return msg`Yours is next`
  return msg`${plural(ahead, { one: 'One image before yours', other: '# images before yours' })}`
}

/** Formats seconds as `0:07` or `2:05`. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Describes the usual duration, rounded, or that it is exceeded. */
export function usualSentence(usualSeconds: number, seconds: number): MessageDescriptor {
  if (seconds > Math.max(usualSeconds * 1.5, 5)) return msg`longer than usual`
  const { unit, count } = rounded(usualSeconds)
  return unit === 'second'
    ? msg`${plural(count, { one: 'usually about a second', other: 'usually about # seconds' })}`
    : msg`${plural(count, { one: 'usually about a minute', other: 'usually about # minutes' })}`
}

/** Describes the time that is left by the reported fraction; null while it is too early to tell. */
export function remainingSentence(share: number, seconds: number): MessageDescriptor | null {
  if (share < 0.1 || seconds < 2) return null
  const { unit, count } = rounded((seconds * (1 - share)) / share)
  return unit === 'second'
    ? msg`${plural(count, { one: 'about a second left', other: 'about # seconds left' })}`
    : msg`${plural(count, { one: 'about a minute left', other: 'about # minutes left' })}`
}

/** Describes the time until a generation starts, roughly. */
export function waitSentence(waitSeconds: number): MessageDescriptor {
  const { unit, count } = rounded(waitSeconds)
  return unit === 'second'
    ? msg`${plural(count, { one: 'starts in about a second', other: 'starts in about # seconds' })}`
    : msg`${plural(count, { one: 'starts in about a minute', other: 'starts in about # minutes' })}`
}

/** Rounds a duration to whole seconds, to multiples of five of them, or to minutes. */
function rounded(seconds: number): { readonly unit: 'second' | 'minute'; readonly count: number } {
  if (seconds < 10) return { unit: 'second', count: Math.max(Math.round(seconds), 1) }
  if (seconds < 90) return { unit: 'second', count: Math.round(seconds / 5) * 5 }
  return { unit: 'minute', count: Math.round(seconds / 60) }
}

/** Estimates the fraction of a progress bar: most of it once the usual duration has passed, and never 1. */
export function likelyShare(usualSeconds: number, seconds: number): number {
  return 0.95 * (1 - Math.exp((-1.2 * seconds) / Math.max(usualSeconds, 1)))
}

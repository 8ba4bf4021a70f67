import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ImageSize } from '../../../shared/engines.ts'
import { isFinished, isSucceeded, type Image, type ImageEvent } from '../../../shared/images.ts'
import { errorMessage } from '../../api/failure.ts'

/** The images of one request: their rows, as the server sent them last, and what its events say beyond. */
export interface Progress {
  /** Identifies the request on this page. */
  readonly key: string
  readonly prompt: string
  /** Size that was asked for; null for the default of the engine. */
  readonly size: ImageSize | null
  readonly images: readonly ImageProgress[]
  /** Id of the image that the user has chosen; null: none yet. */
  readonly chosenId: string | null
  /** True if this page sent the request; false if it joined images that existed. */
  readonly isOwn: boolean
  /** Its start, in milliseconds by this browser's clock. */
  readonly since: number
  /** Difference between this browser's clock and the server's, in milliseconds. */
  readonly clockLead: number
  /** The connection is lost and is being restored. The generation continues. */
  readonly isDisconnected: boolean
  readonly isCanceling: boolean
}

export interface ImageProgress {
  /** Null until the server has accepted the request. */
  readonly id: string | null
  /** Null until the server has sent it. */
  readonly row: Image | null
  /** Its place in the queue; null until the server has sent it, and once it runs. */
  readonly queue: Extract<ImageEvent, { type: 'queue' }> | null
  /** Usual duration of a generation, in seconds; null if unknown. */
  readonly usualSeconds: number | null
  /** Fraction that is done, 0 to 1; null if the engine doesn't report it. */
  readonly share: number | null
  /** Intermediate image, a data URL. It stays until the finished one is loaded. */
  readonly preview: string | null
  readonly isStopping: boolean
}

/** Creates the progress of an image of which no more is known. */
export function newImage(id: string | null, row: Image | null = null): ImageProgress {
  return { id, row, queue: null, usualSeconds: null, share: null, preview: null, isStopping: false }
}

export function applyEvent(progress: Progress, event: ImageEvent): Progress {
  switch (event.type) {
    case 'state':
      return withRow(progress, event.image, { usualSeconds: event.usualSeconds })
    case 'queue':
      return withImage(progress, event.id, { queue: event })
    case 'progress':
      // The server sends 0 and 1 itself; only values in between are the engine's.
      return withImage(progress, event.id, {
        queue: null,
        ...(event.progress > 0 && event.progress < 1 && { share: event.progress }),
      })
    case 'preview':
      return withImage(progress, event.id, { preview: event.dataUrl })
    case 'stopping':
      return withImage(progress, event.id, { isStopping: true })
  }
}

/** Puts what the server knows of an image into its request. */
export function withRow(progress: Progress, row: Image, more: Partial<ImageProgress> = {}): Progress {
  const { prompt, recipe, createdAt, state } = row
  const since = progress.isOwn ? progress.since : Date.parse(createdAt)
  return withImage({ ...progress, prompt, size: recipe?.size ?? progress.size, since }, row.id, {
    row,
    // A resumed generation begins again.
    ...(state === 'queued' ? { share: null } : { queue: null }),
    ...(isFinished(state) && !isSucceeded(row) && { preview: null }),
    ...more,
  })
}

/** Changes an image, unless it is finished. */
export function withImage(progress: Progress, imageId: string, patch: Partial<ImageProgress>): Progress {
  const images = progress.images.map((image) =>
    image.id === imageId && !resultOf(image) ? { ...image, ...patch } : image,
  )
  return { ...progress, images }
}

/** Reports whether the server knows the images of a request. */
export function isAccepted({ images }: Progress): boolean {
  return images.every(({ id }) => id !== null)
}

/** Returns the finished image; null while it is generated, or loaded to replace its preview. */
export function resultOf({ row, preview }: ImageProgress): Image | null {
  return row && isFinished(row.state) && preview === null ? row : null
}

/** Reports whether an image has not started. */
export function isWaiting({ row, queue }: ImageProgress): boolean {
  return row === null || row.state === 'queued' || queue !== null
}

/** Reports whether this page has seen the request unfinished, so that the user waits for its end. */
export function isAwaited({ isOwn, images }: Progress): boolean {
  return isOwn || images.some((image) => image.queue ?? !(isWaiting(image) || resultOf(image)))
}

/** Returns the start of an image's phase, in milliseconds by this browser's clock. */
export function startOf({ since, clockLead }: Progress, { row }: ImageProgress): number {
  return row?.startedAt ? Date.parse(row.startedAt) + clockLead : since
}

/** The image of a request that is finished next. */
export function nextImage({ images }: Progress): ImageProgress | undefined {
  return (
    images.find((image) => image.row?.state === 'running' && !isWaiting(image)) ??
    images.find((image) => !resultOf(image))
  )
}

/** Describes a change of an unfinished request for screen readers; null for previews and progress. */
export function describeChange(before: Progress, after: Progress, i18n: I18n): string | null {
  const known = new Set(before.images.flatMap((image) => (resultOf(image) ? image.id : [])))
  const index = after.images.findIndex((image) => resultOf(image) && !known.has(image.id))
  const result = after.images[index]?.row
  const number = index + 1
  const total = after.images.length
  if (result?.state === 'succeeded') return i18n._(msg`Image ${number} of ${total} is ready.`)
  if (result?.state === 'failed') {
    const reason = imageFailureMessage(result, i18n)
    return i18n._(msg`Image ${number} of ${total} failed. ${reason}`)
  }
  const next = nextImage(after)
  if (next?.queue && after.images.every(isWaiting)) {
    const count = next.queue.position
    if (nextImage(before)?.queue?.position === count) return null
    return i18n._(
      count === 0
        ? msg`Your image is next.`
        : msg`${plural({ count }, { one: 'One image before yours.', other: '# images before yours.' })}`,
    )
  }
  if (next && !isWaiting(next) && before.images.every(isWaiting)) {
    return i18n._(total === 1 ? msg`Your image is being generated.` : msg`Your images are being generated.`)
  }
  if (after.isDisconnected && !before.isDisconnected)
    return i18n._(msg`The connection was lost and is being restored.`)
  const isStopping = ({ images }: Progress) => images.some((image) => image.isStopping)
  return isStopping(after) && !isStopping(before) ? i18n._(msg`The server is restarting.`) : null
}

/**
 * Describes the end of a request.
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

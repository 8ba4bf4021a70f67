import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'

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

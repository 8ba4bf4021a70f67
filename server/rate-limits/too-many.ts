import { AppError } from '../errors/app-error.ts'

/** What a message can call too many. */
export type LimitedThing = 'requests' | 'attempts' | 'sign-ups from your network' | 'downloads of your data'

/**
 * Creates the error for a caller that has to wait: says in its message and in `retryAfter` for how long.
 *
 * @param seconds until the next try is allowed; rounded up to whole seconds, at least one
 */
export function tooMany(what: LimitedThing, seconds: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(seconds))
  return new AppError('rate_limited', `Too many ${what}. Try again in ${duration(retryAfter)}.`, {
    retryAfter,
  })
}

/** A duration in words: in seconds below two minutes, else in minutes, rounded up. */
function duration(seconds: number): string {
  return seconds < 120 ? inUnits(seconds, 'second') : inUnits(Math.ceil(seconds / 60), 'minute')
}

function inUnits(value: number, unit: 'second' | 'minute'): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

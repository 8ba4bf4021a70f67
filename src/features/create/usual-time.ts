/** Formats seconds as `0:07` or `2:05`. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Describes the usual duration, rounded, or that it is exceeded. */
export function usualSentence(usualSeconds: number, seconds: number): string {
  if (seconds > Math.max(usualSeconds * 1.5, 5)) return 'longer than usual'
  return `usually ${roundedTime(usualSeconds)}`
}

/** Describes the time that is left by the reported fraction; null while it is too early to tell. */
export function remainingSentence(share: number, seconds: number): string | null {
  if (share < 0.1 || seconds < 2) return null
  return `${roundedTime((seconds * (1 - share)) / share)} left`
}

/** Formats a duration roughly, such as `about 20 seconds`. */
export function roundedTime(seconds: number): string {
  if (seconds < 1.5) return 'about a second'
  if (seconds < 10) return `about ${Math.round(seconds)} seconds`
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} seconds`
  return `about ${Math.round(seconds / 60)} minutes`
}

/** Estimates the fraction of a progress bar: most of it once the usual duration has passed, and never 1. */
export function likelyShare(usualSeconds: number, seconds: number): number {
  return 0.95 * (1 - Math.exp((-1.2 * seconds) / Math.max(usualSeconds, 1)))
}

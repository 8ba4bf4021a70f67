/** Seconds as a clock shows them: `0:07`, `2:05`. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** What is usual, not more exactly than it is known, and whether it is over already. */
export function usualSentence(usualSeconds: number, seconds: number): string {
  if (seconds > Math.max(usualSeconds * 1.5, 5)) return 'longer than usual'
  return `usually ${roundedTime(usualSeconds)}`
}

function roundedTime(seconds: number): string {
  if (seconds < 1.5) return 'about a second'
  if (seconds < 10) return `about ${Math.round(seconds)} seconds`
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} seconds`
  return `about ${Math.round(seconds / 60)} minutes`
}

/** How much of a bar may be full: most of it when the usual time is over, and never all of it. */
export function likelyShare(usualSeconds: number, seconds: number): number {
  return 0.95 * (1 - Math.exp((-1.2 * seconds) / Math.max(usualSeconds, 1)))
}

/** Ids of elements that other parts of the page focus, or refer to. */
export const elementIds = {
  prompt: 'prompt',
  generate: 'generate',
  dailyCount: 'daily-count',
  share: 'share',
} as const

/** Focuses the first of these elements that exists, and scrolls it into view. */
export function focusFirst(...ids: readonly string[]): void {
  const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  found?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'nearest' })
}

/** Ids of what focus goes to from elsewhere in the page. */
export const elementIds = { prompt: 'prompt', generate: 'generate', share: 'share' } as const

/** Moves focus to the first of these that is in the page, and brings it into view. */
export function focusFirst(...ids: readonly string[]): void {
  const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  found?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'nearest' })
}

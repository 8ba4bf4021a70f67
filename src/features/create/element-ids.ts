/** Ids of elements that other parts of the page focus, or refer to. */
export const elementIds = {
  prompt: 'prompt',
  generate: 'generate',
  dailyCount: 'daily-count',
  share: 'share',
  cardOf: (imageId: string) => `image-${imageId}`,
} as const

/** Focuses the first of these elements that exists, and scrolls it into view. */
export function focusFirst(...ids: readonly string[]): void {
  const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  found?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'nearest' })
}

let isPromptAwaited = false

/** Focuses and selects the prompt, or lets the form do that when it is opened next. */
export function focusPrompt(): void {
  const prompt = document.getElementById(elementIds.prompt)
  isPromptAwaited = prompt === null
  if (prompt instanceof HTMLTextAreaElement) prompt.select()
  focusFirst(elementIds.prompt)
}

/** Focuses the prompt if that was asked for before the form was open. Called after the heading of its page has got the focus. */
export function focusAwaitedPrompt(): void {
  if (isPromptAwaited) focusPrompt()
}

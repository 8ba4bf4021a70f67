import { useEffectEvent, useLayoutEffect, useRef } from 'react'

/** Ids of elements that other parts of the page focus, or refer to. */
export const elementIds = {
  prompt: 'prompt',
  generate: 'generate',
  dailyCount: 'daily-count',
  share: 'share',
  stage: 'stage',
  cardOf: (imageId: string) => `image-${imageId}`,
} as const

/** Focuses the first of these elements that exists, and scrolls it into view. */
export function focusFirst(...ids: readonly string[]): void {
  const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  found?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'nearest' })
}

/** Returns a ref of an element that, when it is removed with the focus, gives it to the first of these elements that exists. */
export function useFocusHandover<Element extends HTMLElement>(...ids: readonly string[]) {
  const element = useRef<Element>(null)
  // The next button is in the document once this commit is complete.
  const focusNext = useEffectEvent(() => queueMicrotask(() => focusFirst(...ids)))
  useLayoutEffect(() => {
    const { current } = element
    return () => {
      if (current?.contains(document.activeElement)) focusNext()
    }
  }, [])
  return element
}

/** Scrolls to the stage and the buttons below it. */
export function scrollToStage(): void {
  const { matches: isReduced } = window.matchMedia('(prefers-reduced-motion: reduce)')
  const behavior = isReduced ? 'instant' : 'smooth'
  document.getElementById(elementIds.stage)?.scrollIntoView({ block: 'nearest', behavior })
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

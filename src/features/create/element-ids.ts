import { findNeighborButton } from '../../browser/apis.ts'

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

/** Finds the heading of the page, which gets the focus when the focused part of a list is gone. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1')
}

/** Finds the element to focus after a deletion: a button of the next or previous image, or the page's heading. */
export function findNeighborOfCard(imageId: string): HTMLElement | null {
  return findNeighborButton(elementIds.cardOf(imageId)) ?? pageHeading()
}

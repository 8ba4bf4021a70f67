import { useLayoutEffect, useRef } from 'react'
import { useAnnounce } from '../../../ui/announcer.tsx'
import type { OwnImages } from '../use-own-images.ts'

/**
 * Loads the next page, and announces the number of new images.
 *
 * @param shown number of images in the list
 * @returns `list`, a ref for the list's element
 */
export function useShowMore({ isLoadingMore, loadMore }: OwnImages, shown: number) {
  const announce = useAnnounce()
  const list = useRef<HTMLUListElement>(null)
  /** Number of images before the next page was requested. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    announce(shown === first + 1 ? 'One more image.' : `${shown - first} more images.`)
    // The button disappears with the last page: focus moves to the first new image.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector<HTMLElement>('button, input')?.focus()
  }, [announce, shown])

  function showMore() {
    if (isLoadingMore) return
    before.current = shown
    void loadMore()
  }

  return { list, showMore }
}

import { useLayoutEffect, useRef } from 'react'
import { useAnnounce } from '../../ui/announcer.tsx'
import type { OwnImages } from './use-own-images.ts'

/**
 * Loads the next page, and says how much came.
 *
 * @param shown how many images the list shows
 * @returns `list`, to be put on the list's element
 */
export function useShowMore({ isLoadingMore, loadMore }: OwnImages, shown: number) {
  const announce = useAnnounce()
  const list = useRef<HTMLUListElement>(null)
  /** How many there were when more were asked for. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    announce(shown === first + 1 ? 'One more image.' : `${shown - first} more images.`)
    // The button is gone with the last page; whoever pressed it goes on at the first of what came.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector('button')?.focus()
  }, [announce, shown])

  function showMore() {
    if (isLoadingMore) return
    before.current = shown
    void loadMore()
  }

  return { list, showMore }
}

import { useLayoutEffect, useRef } from 'react'
import { useAnnounce } from './announcer.tsx'

/**
 * Loads the next page of a list, and announces the number of new entries.
 *
 * @param shown number of entries in the list
 * @param describe returns the announcement for a number of new entries
 * @returns `list`, a ref for the list's element
 */
export function useShowMore(
  { isLoadingMore, loadMore }: { readonly isLoadingMore: boolean; readonly loadMore: () => Promise<unknown> },
  shown: number,
  describe: (added: number) => string,
) {
  const announce = useAnnounce()
  const list = useRef<HTMLUListElement>(null)
  /** Number of entries before the next page was requested. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    announce(describe(shown - first))
    // The button disappears with the last page: focus moves to the first new entry.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector<HTMLElement>('button, input')?.focus()
  }, [announce, shown, describe])

  function showMore() {
    if (isLoadingMore) return
    before.current = shown
    void loadMore()
  }

  return { list, showMore }
}

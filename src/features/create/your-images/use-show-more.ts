import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
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
  const { t } = useLingui()
  const announce = useAnnounce()
  const list = useRef<HTMLUListElement>(null)
  /** Number of images before the next page was requested. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    const added = shown - first
    announce(t`${plural(added, { one: 'One more image.', other: '# more images.' })}`)
    // The button disappears with the last page: focus moves to the first new image.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector<HTMLElement>('button, input')?.focus()
  }, [announce, shown, t])

  function showMore() {
    if (isLoadingMore) return
    before.current = shown
    void loadMore()
  }

  return { list, showMore }
}

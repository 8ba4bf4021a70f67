import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { GridWindow } from './grid-window.ts'
import { anchorOf, isAt, keepPlace, scrollPosition } from './left-place.ts'
import type { ScrollPosition } from './left-place.ts'
import { NewPosts } from './new-posts.tsx'
import { placeAt, slotAt, slotsOf } from './trail.ts'
import type { Gallery } from './use-gallery.ts'

/** What may come before a page is left, while it is still being scrolled. */
const leaving = ['pointerdown', 'keydown', 'pagehide']

/** Whether the document has just come. */
let isNew = true

/**
 * What a gallery longer than its first page needs, which comes after that: more pages as one scrolls, of which the
 * document holds those near the screen; the place that one left, when one comes back; word of new posts.
 */
export function EndlessGallery(props: { gallery: Gallery; list: RefObject<HTMLElement | null> }) {
  const { gallery, list } = props
  const { trail, view, address } = gallery
  const grid = useRef<GridWindow | null>(null)
  const comingTo = useRef<ScrollPosition | null>(null)
  const shownTrail = useRef(trail)
  const now = useRef(gallery)

  useLayoutEffect(() => {
    now.current = gallery
    const current = grid.current
    if (!current) return
    if (trail !== shownTrail.current) {
      const anchor = current.anchor()
      const place = anchor.slot === null ? null : placeAt(shownTrail.current, anchor.slot)
      const left = comingTo.current
      if (left && trail.pages.length >= left.trail.pages.length) {
        comingTo.current = null
        current.goTo(anchorOf(trail, left))
      } else if (place) {
        // More or fewer posts stand before it now.
        const slot = slotAt(trail, place)
        if (slot !== anchor.slot) current.goTo({ ...anchor, slot })
      }
      shownTrail.current = trail
    }
    current.update(slotsOf(trail), view)
  })

  const { search, cursor } = address
  const isBack = useRef(false)
  useEffect(() => {
    function comeBack() {
      const left = scrollPosition({ search, cursor })
      comingTo.current = left
      if (left) now.current.resume(left.trail)
      else if (isBack.current) window.scrollTo(0, 0)
      isBack.current = false
    }
    function traverse() {
      // A link into the page itself: the browser goes there.
      if (location.hash) return
      isBack.current = true
      // Of another search the posts have to come first.
      if (isAt({ search, cursor })) comeBack()
    }
    // Whoever has scrolled before this came is somewhere else already.
    if (!isNew || window.scrollY === 0) comeBack()
    isNew = false
    addEventListener('popstate', traverse)
    return () => removeEventListener('popstate', traverse)
  }, [search, cursor])

  useEffect(() => {
    if (!list.current) return
    let isCached = true
    function keep() {
      if (isCached || comingTo.current) return
      isCached = true
      keepPlace(now.current.address, now.current.trail, current.anchor())
    }
    const current = new GridWindow(list.current, {
      onView: (next) => now.current.setView(next),
      onEndNear: () => now.current.canLoadMore && now.current.loadMore(),
      onMove(isScrolling) {
        isCached = false
        if (!isScrolling) keep()
      },
    })
    grid.current = current
    current.update(slotsOf(now.current.trail), now.current.view)
    const unmanaged = history.scrollRestoration
    history.scrollRestoration = 'manual'
    // TestUser may have scrolled before this came, and from now on the browser restores nothing.
    isCached = window.scrollY === 0
    keep()
    for (const event of leaving) addEventListener(event, keep, true)
    return () => {
      for (const event of leaving) removeEventListener(event, keep, true)
      history.scrollRestoration = unmanaged
      grid.current = null
      current.stop()
    }
  }, [list])

  return cursor === null && <NewPosts gallery={gallery} />
}

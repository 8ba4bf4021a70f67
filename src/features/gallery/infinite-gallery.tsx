import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import type { ListAddress } from '../../../shared/page-data.ts'
import type { PostPage } from '../../../shared/posts.ts'
import { listAddressIn, listPath } from '../../api/list-address.ts'
import { newestQuery } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { arrowStep } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './results.module.css'
import { searchFieldId } from './search-form.tsx'
import { placeAt, slotAt, slotsOf, type Place, type Trail } from './trail.ts'
import type { Gallery } from './use-gallery.ts'
import { useVirtualGrid, type Anchor } from './use-virtual-grid.ts'

/** Interval of checks for new posts. */
const newPostsIntervalMs = 90_000

/** Number of pages that load by themselves, before a press of Load more: the footer stays in reach. */
const automaticPages = 5

/** Events that may precede navigation while the page is still scrolling. */
const leaveEvents = ['pointerdown', 'keydown', 'pagehide']

/** True until the gallery has been mounted once in this document. */
let isFirstMount = true

/**
 * Infinite scrolling: loads pages near the end, renders only the posts near the viewport, restores the scroll position
 * on Back, Forward and reload, and announces new posts. Loaded after hydration.
 */
export function InfiniteGallery(props: { gallery: Gallery; list: RefObject<HTMLElement | null> }) {
  const { gallery, list } = props
  const { trail, view, address } = gallery
  const path = listPath(address)
  /** The position that is restored once its pages are known. */
  const restoring = useRef<ScrollPosition | null>(null)
  const renderedTrail = useRef(trail)
  const isSaved = useRef(true)
  const isTracking = useRef(false)

  const grid = useVirtualGrid({
    list,
    slotCount: slotsOf(trail),
    view,
    onViewChange: gallery.setView,
    onNearEnd() {
      const isPause = trail.pages.length % automaticPages === 0
      if (gallery.canLoadMore && !isPause) gallery.loadMore()
    },
    onScroll(isScrolling) {
      // Before that, the history entry may have a position that is still to be restored.
      if (!isTracking.current) return
      isSaved.current = false
      if (!isScrolling) save()
    },
  })
  const { isReady } = grid

  function save() {
    if (isSaved.current || restoring.current) return
    isSaved.current = true
    saveScrollPosition(address, trail, grid.anchor())
  }

  useLayoutEffect(() => {
    if (trail !== renderedTrail.current) {
      const anchor = grid.anchor()
      const place = anchor.slot === null ? null : placeAt(renderedTrail.current, anchor.slot)
      const saved = restoring.current
      if (saved && trail.pages.length >= saved.trail.pages.length) {
        restoring.current = null
        grid.scrollTo(anchorOf(trail, saved))
      } else if (place) {
        // Posts above the viewport were added or removed.
        const slot = slotAt(trail, place)
        if (slot !== anchor.slot) grid.scrollTo({ ...anchor, slot })
      }
      renderedTrail.current = trail
    }
    grid.update()
  })

  const isTraversal = useRef(false)
  const restore = useEffectEvent(() => {
    const saved = savedScrollPosition(address)
    restoring.current = saved
    if (saved) gallery.resume(saved.trail)
    else if (isTraversal.current) window.scrollTo(0, 0)
    isTraversal.current = false
  })
  useEffect(() => {
    function onPopState() {
      // The browser scrolls to the element that a fragment names.
      if (location.hash) return
      isTraversal.current = true
      // For another list, its posts have to load first.
      if (isAt(path)) restore()
    }
    // Keeps the position of a user who has scrolled before this code was loaded.
    if (!isFirstMount || window.scrollY === 0) restore()
    isFirstMount = false
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [path])

  const saveNow = useEffectEvent(save)
  useEffect(() => {
    if (!isReady) return
    const previous = history.scrollRestoration
    history.scrollRestoration = 'manual'
    // The user may have scrolled before this code was loaded; from now on the browser restores nothing.
    isTracking.current = true
    isSaved.current = window.scrollY === 0
    saveNow()
    const onLeave = () => saveNow()
    for (const event of leaveEvents) addEventListener(event, onLeave, true)
    return () => {
      isTracking.current = false
      for (const event of leaveEvents) removeEventListener(event, onLeave, true)
      history.scrollRestoration = previous
    }
  }, [isReady])

  useEffect(() => {
    const element = list.current
    if (!element) return
    const stop = new AbortController()
    for (const event of ['pointermove', 'focusin']) element.addEventListener(event, trackInput, stop)
    element.addEventListener('keydown', moveBetweenPosts, stop)
    return () => stop.abort()
  }, [list])

  useEffect(() => {
    addEventListener('keydown', focusSearch)
    return () => removeEventListener('keydown', focusSearch)
  }, [])

  return address.order === 'new' && address.cursor === null && <NewPosts gallery={gallery} />
}

/** Focuses the search on a press of the slash key, unless the user is typing. */
function focusSearch(event: KeyboardEvent): void {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  const isElsewhere = 'input, textarea, select, [role=dialog], [role=alertdialog]'
  if (event.target instanceof Element && event.target.closest(isElsewhere)) return
  event.preventDefault()
  document.getElementById(searchFieldId)?.focus()
}

/** Moves the focus from a post to the next or previous one on a press of an arrow key: one press instead of four of Tab. */
function moveBetweenPosts(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof Element)) return
  const step = arrowStep(key)
  if (step === 0 || target.closest('[role=menu]')) return
  const item = target.closest('li')
  const neighbor = step === 1 ? item?.nextElementSibling : item?.previousElementSibling
  neighbor?.querySelector<HTMLElement>('h2 a')?.focus()
}

/** Records whether the pointer or the focus has moved last, which decides what card shows its overlay. */
function trackInput({ type, currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) currentTarget.dataset['input'] = type
}

/** A button that shows new posts. Until it is pressed, they do not move the posts that are being looked at. */
function NewPosts({ gallery }: { gallery: Gallery }) {
  const { i18n, t } = useLingui()
  const { address, firstPage } = gallery
  const announce = useAnnounce()
  const { data: newest } = useQuery({
    ...newestQuery(trpc.useUtils(), address),
    initialData: firstPage,
    // The first page may have come with the document, however late this component was loaded.
    refetchOnMount: ({ state }) => state.dataUpdateCount > 0,
    refetchInterval: newPostsIntervalMs,
    refetchOnWindowFocus: true,
  })
  const sentence = firstPage && newest && newPostsSentence(newest, firstPage, i18n)
  const announcement = sentence && t`${sentence}.`

  useEffect(() => {
    if (announcement) announce(announcement)
  }, [announce, announcement])

  function show() {
    if (!newest) return
    gallery.startOver(newest)
    window.scrollTo({ top: 0, behavior: 'instant' })
    // The focused button disappears.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    announce(t`Showing the newest posts.`)
  }

  return (
    sentence && (
      <div className={styles['newPosts']}>
        <Button variant="primary" onClick={show}>
          {sentence}
        </Button>
      </div>
    )
  )
}

/** `1 new post`, `2 new posts`; null without any. */
function newPostsSentence(newest: PostPage, shown: PostPage, i18n: I18n): string | null {
  const shownIds = new Set(shown.posts.map(({ id }) => id))
  const firstShown = newest.posts.findIndex(({ id }) => shownIds.has(id))
  const count = firstShown === -1 ? newest.posts.length : firstShown
  if (count === 0) return null
  if (firstShown === -1 && newest.nextCursor !== null) {
    return i18n._(msg`More than ${plural(count, { one: '# new post', other: '# new posts' })}`)
  }
  return i18n._(msg`${plural(count, { one: '# new post', other: '# new posts' })}`)
}

/** The scroll position of a history entry, saved in `history.state` so that it survives a reload. */
export interface ScrollPosition {
  /** @see listPath */
  readonly list: string
  readonly trail: Trail
  readonly place: Place | null
  /** @see Anchor */
  readonly shift: number
}

/** Saves the scroll position in the current history entry. */
export function saveScrollPosition(address: ListAddress, trail: Trail, { slot, shift }: Anchor): void {
  const list = listPath(address)
  const saved: ScrollPosition = { list, trail, place: slot === null ? null : placeAt(trail, slot), shift }
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), gallery: saved }, '')
}

/** The scroll position of the current history entry; null if none was saved for this address. */
export function savedScrollPosition(address: ListAddress): ScrollPosition | null {
  const saved = (history.state as { gallery?: ScrollPosition } | null)?.gallery
  return saved?.list === listPath(address) ? saved : null
}

/** Checks whether the browser shows the list of a path. */
export function isAt(path: string): boolean {
  return listPath(listAddressIn(location.pathname, location.search)) === path
}

/** Converts a saved position to an anchor in a trail that may have changed since. */
export function anchorOf(trail: Trail, { place, shift }: ScrollPosition): Anchor {
  const slot = place && slotAt(trail, place)
  return { slot, shift: place && slot === null ? 0 : shift }
}

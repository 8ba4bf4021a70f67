import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import type { PostPage } from '../../../shared/posts.ts'
import { listAddressIn, listPath } from '../../api/list-address.ts'
import { newestQuery } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { arrowStep, hasModifier, pageHeading } from '../../browser/apis.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { placeAt, rowStarts, slotAt, type Place } from './places.ts'
import styles from './results.module.css'
import { slotsOf, type Trail } from './trail.ts'
import type { Gallery, View } from './use-gallery.ts'

const newPostsIntervalMs = 90_000

/** Number of pages that load by themselves, before a press of Load more: the footer stays in reach. */
const automaticPages = 5

/** Maximum number of slots that are rendered all at once, so that find in page reaches every post. */
const maxUnwindowedSlots = 100

/** Slots are rendered in groups of whole rows: 1, 2, 3 and 4 columns divide this number. */
const groupSize = 12

/** Rows of whole images in a group. */
const groupRows = 3

/** Time without scrolling after which the position is saved. */
const scrollEndMs = 150

/** Events that may precede navigation while the page is still scrolling. */
const leaveEvents = ['pointerdown', 'keydown', 'pagehide']

/** True until the gallery has been mounted once in this document. */
let isFirstMount = true

/** A scroll position that survives changes above it. It is saved in `history.state`, and so survives a reload. */
interface ScrollPosition {
  /** @see listPath */
  readonly list: string
  readonly trail: Trail
  /** The first post in the viewport; null above the list. */
  readonly place: Place | null
  /** Part of the post's card that is above the viewport; above the list, the scroll position of the window in pixels. */
  readonly offset: number
}

/**
 * Infinite scrolling: loads pages near the end, renders only the posts near the viewport, restores the scroll position
 * on Back, Forward and reload, and announces new posts. Loaded after hydration.
 *
 * The list stays in normal flow: padding replaces the groups of rows that are not rendered. The position is recorded with
 * each scroll event, and the first post in the viewport is kept in its place by each update.
 */
export function InfiniteGallery(props: { gallery: Gallery; list: RefObject<HTMLElement | null> }) {
  const { gallery, list } = props
  const { trail, view, address } = gallery
  const path = listPath(address)
  const from = view?.from ?? 0
  const position = useRef<ScrollPosition | null>(null)
  /** True until the page has been scrolled to the position, where it was saved or before the width changed. */
  const isPending = useRef(false)
  const isSaved = useRef(true)
  const scrollY = useRef(0)
  /** Heights of groups with the gap below them, in pixels, as far as they were rendered in this width and view. */
  const heights = useRef<number[]>([])
  const width = useRef(0)
  const listView = useRef<string>(undefined)

  function record(element: HTMLElement) {
    scrollY.current = window.scrollY
    const isAbove = element.getBoundingClientRect().top > 0
    const index = isAbove ? -1 : [...element.children].findIndex((item) => boxOf(item).bottom > 0)
    const item = element.children[index]
    const place = item ? placeAt(trail, from + index) : null
    const offset = item ? -boxOf(item).top / boxOf(item).height : window.scrollY
    position.current = { list: path, trail, place, offset }
  }

  function align(element: HTMLElement, { place, offset }: ScrollPosition) {
    const slot = place && slotAt(trail, place)
    if (slot === null) {
      if (isPending.current) window.scrollTo({ top: place ? 0 : offset, behavior: 'instant' })
    } else {
      const item = element.children[slot - from]
      if (!item) {
        isPending.current = true
        return gallery.setView(viewAt(slot))
      }
      const { top, height } = boxOf(item)
      const distance = top + offset * height
      if (Math.abs(distance) >= 1) window.scrollBy({ top: distance, behavior: 'instant' })
    }
    scrollY.current = window.scrollY
    isPending.current = false
  }

  function measure(element: HTMLElement) {
    if (element.clientWidth !== width.current || element.dataset['view'] !== listView.current)
      heights.current = []
    width.current = element.clientWidth
    listView.current = element.dataset['view']
    const starts = groupStarts(element, trail)
    for (const [group, start] of starts.entries()) {
      const [first, next] = [
        element.children[start - from],
        element.children[(starts[group + 1] ?? NaN) - from],
      ]
      if (first && next) heights.current[group] = boxOf(next).top - boxOf(first).top
    }
  }

  /**
   * Returns the groups within a screen of the viewport; null for a list that is rendered all at once.
   *
   * @param topOf returns the top edge of the list in the viewport, from the heights of its groups
   */
  function viewNear(topOf: (heightOf: (group: number) => number) => number, shown = trail): View | null {
    const count = slotsOf(shown)
    if (count <= maxUnwindowedSlots || !list.current) return null
    const starts = groupStarts(list.current, shown)
    const known = heights.current.filter(Boolean)
    const average = known.reduce((sum, height) => sum + height, 0) / (known.length || 1) || window.innerHeight
    const heightOf = (group: number) => heights.current[group] ?? average
    const last = starts.length - 1
    const found = { from: last, to: 0, before: 0, after: 0 }
    let top = topOf(heightOf)
    for (let group = 0; group <= last; group += 1) {
      const height = heightOf(group)
      if (top + height < -window.innerHeight && group < last) found.before += height
      else if (top > 2 * window.innerHeight && group > 0) found.after += height
      else [found.from, found.to] = [Math.min(found.from, group), group + 1]
      top += height
    }
    return { ...found, from: starts[found.from] ?? 0, to: starts[found.to] ?? count }
  }

  /** The view with a slot at the top of the viewport. */
  function viewAt(slot: number, shown = trail): View | null {
    const starts = list.current ? groupStarts(list.current, shown) : []
    const before = starts.filter((_, group) => (starts[group + 1] ?? Infinity) <= slot)
    return viewNear((heightOf) => -before.reduce((sum, _, group) => sum + heightOf(group), 0), shown)
  }

  function update(element: HTMLElement) {
    const { top, bottom } = boxOf(element)
    const next = viewNear(() => top)
    if (!isPending.current && !isSameView(next, view)) gallery.setView(next)
    const isPause = trail.pages.length % automaticPages === 0
    if (bottom < 2.5 * window.innerHeight && gallery.canLoadMore && !isPause) gallery.loadMore()
  }

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    measure(element)
    const known = position.current
    // Scrolled by a program, before the event.
    const isMoved = known?.list !== path || window.scrollY !== scrollY.current
    if (!known || (isMoved && !isPending.current)) record(element)
    else align(element, known)
    update(element)
  })

  const onScroll = useEffectEvent((element: HTMLElement) => {
    // During a resize the browser scrolls by itself.
    if (isPending.current || element.clientWidth !== width.current) return
    record(element)
    isSaved.current = false
    update(element)
  })
  const onResize = useEffectEvent((element: HTMLElement) => {
    if (element.clientWidth === width.current || !position.current) return
    isPending.current = true
    measure(element)
    align(element, position.current)
    update(element)
  })
  const save = useEffectEvent(() => {
    if (isSaved.current || isPending.current) return
    isSaved.current = true
    history.replaceState({ ...(history.state as object | null), galleryPlace: position.current }, '')
  })
  const restore = useEffectEvent((isTraversal: boolean) => {
    const saved = (history.state as { galleryPlace?: ScrollPosition } | null)?.galleryPlace
    if (saved?.list === path) {
      position.current = saved
      isPending.current = true
      const slot = saved.place && slotAt(saved.trail, saved.place)
      gallery.resume(saved.trail, viewAt(slot ?? 0, saved.trail))
    } else if (isTraversal) window.scrollTo(0, 0)
  })

  const isTraversal = useRef(false)
  useEffect(() => {
    function onPopState() {
      // The browser scrolls to the element that a fragment names.
      if (location.hash) return
      // For another list, its posts have to load first.
      isTraversal.current = listPath(listAddressIn(location.pathname, location.search)) !== path
      if (!isTraversal.current) restore(true)
    }
    // Keeps the position of a user who has scrolled before this code was loaded.
    if (!isFirstMount || window.scrollY === 0) restore(isTraversal.current)
    isTraversal.current = false
    isFirstMount = false
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [path])

  useEffect(() => {
    const element = list.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    let timer: ReturnType<typeof setTimeout>
    const saveSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => save(), scrollEndMs)
    }
    const scrolled = () => {
      onScroll(element)
      saveSoon()
    }
    addEventListener('scroll', scrolled, { passive: true, signal })
    for (const event of leaveEvents) addEventListener(event, () => save(), { capture: true, signal })
    for (const event of ['pointermove', 'focusin']) element.addEventListener(event, trackInput, { signal })
    element.addEventListener('keydown', moveBetweenPosts, { signal })
    const resizes = new ResizeObserver(() => onResize(element))
    resizes.observe(element)
    // From now on the browser restores no positions. The user may have scrolled before this code was loaded.
    const { scrollRestoration } = history
    history.scrollRestoration = 'manual'
    isSaved.current = window.scrollY === 0
    save()
    // The browser's scroll anchoring would correct the position twice, and follow the footer below a growing list.
    document.body.style.overflowAnchor = 'none'
    return () => {
      stop.abort()
      clearTimeout(timer)
      resizes.disconnect()
      history.scrollRestoration = scrollRestoration
      document.body.style.overflowAnchor = ''
    }
  }, [list])

  return address.order === 'new' && address.cursor === null && <NewPosts gallery={gallery} />
}

/** Returns the first slots of the groups of a list: in whole rows, so that those of the rendered groups stay as they are. */
function groupStarts(element: HTMLElement, trail: Trail): number[] {
  const style = getComputedStyle(element)
  const perRow = Number(style.getPropertyValue('--per-row'))
  if (!perRow) {
    return Array.from({ length: Math.ceil(slotsOf(trail) / groupSize) }, (_, group) => group * groupSize)
  }
  const gap = Number.parseFloat(style.columnGap)
  const width = element.clientWidth
  const starts = rowStarts(trail, width, (width + gap) / perRow - gap, gap)
  return starts.filter((_, row) => row % groupRows === 0)
}

function boxOf(element: Element): DOMRect {
  return element.getBoundingClientRect()
}

function isSameView(one: View | null, other: View | null): boolean {
  if (!one || !other) return one === other
  return (
    one.from === other.from &&
    one.to === other.to &&
    Math.abs(one.before - other.before) < 0.5 &&
    Math.abs(one.after - other.after) < 0.5
  )
}

/** Moves the focus from a post to the next or previous one on a press of an arrow key: one press instead of three of Tab. */
function moveBetweenPosts(event: KeyboardEvent): void {
  const { target, key, shiftKey } = event
  if (hasModifier(event) || shiftKey || !(target instanceof Element)) return
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
  }, [announcement])

  function show() {
    if (!newest) return
    gallery.startOver(newest)
    window.scrollTo({ top: 0, behavior: 'instant' })
    // The focused button disappears.
    pageHeading()?.focus({ preventScroll: true })
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

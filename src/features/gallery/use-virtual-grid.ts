import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { View } from './use-gallery.ts'

/** Maximum number of slots that are rendered all at once, so that find in page reaches every post. */
const maxUnwindowedSlots = 100

/** Approximate number of slots that are rendered of a longer gallery. */
const windowSlots = 48

/** A scroll position relative to a post, which survives changes above it. */
export interface Anchor {
  /** First slot of the row at the top edge of the viewport; null above the list. */
  readonly slot: number | null
  /** Distance from the top of that row to the top of the viewport, in pixels; from the top of the document without a slot. */
  readonly shift: number
  /** `shift` as a fraction of the row's height; takes precedence after the row height has changed. */
  readonly share?: number
}

/** Geometry of the CSS grid, in pixels. */
interface GridLayout {
  readonly width: number
  readonly columns: number
  readonly gap: number
  /** Estimate for rows that have not been measured. */
  readonly rowHeight: number
  /** Top edge of the list in the document. */
  readonly top: number
}

interface VirtualGridOptions {
  readonly list: RefObject<HTMLElement | null>
  readonly slotCount: number
  /** The slots that the list currently renders. */
  readonly view: View | null
  /** The viewport needs other slots or another padding. */
  readonly onViewChange: (view: View) => void
  /** The end of the list is less than one and a half screens below the viewport. */
  readonly onNearEnd: () => void
  readonly onScroll: (isScrolling: boolean) => void
}

/**
 * Virtualizes the rows of a CSS grid that scrolls with the window. The list stays in normal flow: padding replaces the
 * rows that are not rendered, and the first item of each row is measured.
 */
export function useVirtualGrid(options: VirtualGridOptions) {
  const { list, slotCount, view, onViewChange, onNearEnd, onScroll } = options
  const [layout, setLayout] = useState<GridLayout | null>(null)
  const columns = layout?.columns ?? 1
  const [initialAnchor] = useState<Anchor>(() => ({ slot: null, shift: window.scrollY }))
  const anchor = useRef(initialAnchor)
  const pendingAnchor = useRef<Anchor | null>(null)

  // oxlint-disable-next-line react/incompatible-library -- concerns the React Compiler, which is not used
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    enabled: layout !== null,
    count: Math.ceil(slotCount / columns),
    estimateSize: () => layout?.rowHeight ?? 0,
    scrollMargin: layout?.top ?? 0,
    gap: layout?.gap ?? 0,
    useScrollendEvent: true,
    // The list is rendered by a parent, so flushing only this component would be wasted.
    useFlushSync: false,
    // The default rounds to whole pixels, which adds up over thousands of rows.
    measureElement: (row) => row.getBoundingClientRect().height,
    rangeExtractor: visibleRows,
    onChange({ isScrolling }) {
      // During a resize the browser scrolls by itself, and the rows are measured with outdated columns.
      if (layout && list.current?.clientWidth === layout.width) {
        publishView(layout)
        anchor.current = anchorAtViewport(layout)
      }
      onScroll(isScrolling)
    },
  })
  // A row that starts inside the viewport grows and shrinks below its top edge. Until a pending scroll has been applied,
  // corrections would move away from its target.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row, _, { scrollOffset }) =>
    !pendingAnchor.current && row.end <= (scrollOffset ?? 0)

  function visibleRows({ startIndex, endIndex, count }: Range): number[] {
    const visible = endIndex - startIndex + 1
    const overscan =
      slotCount <= maxUnwindowedSlots ? count : Math.max(2, Math.floor((windowSlots / columns - visible) / 2))
    const from = Math.max(0, startIndex - overscan)
    const to = Math.min(count - 1, endIndex + overscan)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  }

  function anchorAtViewport({ top }: GridLayout): Anchor {
    const offset = window.scrollY
    const row = virtualizer.getVirtualItemForOffset(offset)
    if (!row || offset <= top) return { slot: null, shift: offset }
    return { slot: row.index * columns, shift: offset - row.start }
  }

  function heightOf(row: number): number {
    return virtualizer.measurementsCache[row]?.size ?? layout?.rowHeight ?? 0
  }

  /** Requests the slots that the viewport needs. Returns whether they are rendered already. */
  function publishView({ top }: GridLayout): boolean {
    const rows = virtualizer.getVirtualItems()
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return true
    const height = virtualizer.getTotalSize()
    const next: View = {
      from: first.index * columns,
      to: Math.min((last.index + 1) * columns, slotCount),
      before: first.start - top,
      after: height - (last.end - top),
    }
    const isUpToDate = isSameView(next, view)
    if (!isUpToDate) onViewChange(next)
    const below = top + height - (window.scrollY + window.innerHeight)
    if (below < 1.5 * window.innerHeight) onNearEnd()
    return isUpToDate
  }

  function measureRows(element: HTMLElement): void {
    const from = view?.from ?? 0
    for (const [at, item] of [...element.children].entries()) {
      if ((from + at) % columns !== 0 || !(item instanceof HTMLElement)) continue
      item.dataset['index'] = String((from + at) / columns)
      virtualizer.measureElement(item)
    }
  }

  function scrollToAnchor({ slot, shift, share }: Anchor): void {
    const row = slot === null ? null : Math.floor(slot / columns)
    const start = row === null ? 0 : (virtualizer.getOffsetForIndex(row, 'start')?.[0] ?? 0)
    const offset = start + (row === null || share === undefined ? shift : share * heightOf(row))
    virtualizer.scrollToOffset(offset, { behavior: 'instant' })
  }

  const relayout = useEffectEvent((element: HTMLElement) => {
    if (element.clientWidth === layout?.width) return
    const { slot, shift } = pendingAnchor.current ?? anchor.current
    if (layout && slot !== null) {
      const share = Math.min(shift / heightOf(Math.floor(slot / columns)), 1)
      pendingAnchor.current = { slot, shift, share }
    }
    if (layout) virtualizer.measure()
    setLayout(readLayout(element))
  })

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    relayout(element)
    const resizes = new ResizeObserver(() => relayout(element))
    resizes.observe(element)
    // The virtualizer corrects the scroll position; the browser's scroll anchoring would correct it twice, and follow the
    // footer below a growing list.
    document.body.style.overflowAnchor = 'none'
    return () => {
      resizes.disconnect()
      document.body.style.overflowAnchor = ''
    }
  }, [list])

  return {
    isReady: layout !== null,
    /** Current scroll position, or the one that a pending scroll leads to. */
    anchor: (): Anchor => pendingAnchor.current ?? anchor.current,
    /** Scrolls to an anchor with the first `update` after which the list renders everything it needs. */
    scrollTo(target: Anchor): void {
      pendingAnchor.current = target
    },
    /** Measures the rendered rows. Call it in a layout effect after each render. */
    update(): void {
      const element = list.current
      if (!layout || !element) return
      const top = topOf(element)
      if (Math.abs(top - layout.top) >= 0.5) {
        setLayout({ ...layout, top })
        return
      }
      measureRows(element)
      if (!publishView(layout) || !pendingAnchor.current) return
      anchor.current = pendingAnchor.current
      pendingAnchor.current = null
      scrollToAnchor(anchor.current)
    },
  }
}

function topOf(list: HTMLElement): number {
  return list.getBoundingClientRect().top + window.scrollY
}

function readLayout(list: HTMLElement): GridLayout {
  const width = list.clientWidth
  const { gridTemplateColumns, rowGap } = getComputedStyle(list)
  const columns = gridTemplateColumns.split(' ').length
  const [first] = list.children
  return {
    width,
    columns,
    gap: Number.parseFloat(rowGap) || 0,
    rowHeight: first ? first.getBoundingClientRect().height : width / columns,
    top: topOf(list),
  }
}

function isSameView(one: View, other: View | null): boolean {
  return (
    other !== null &&
    one.from === other.from &&
    one.to === other.to &&
    Math.abs(one.before - other.before) < 0.5 &&
    Math.abs(one.after - other.after) < 0.5
  )
}

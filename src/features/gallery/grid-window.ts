import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core'
import type { Range } from '@tanstack/virtual-core'
import type { View } from './use-gallery.ts'

/** A gallery of up to so many posts is whole in the document, where the browser finds all of its words. */
const wholeMax = 100

/** Of a longer one about as many posts are, around what is seen. */
const windowSize = 48

/** What is looked at: the slot at the upper edge of the screen, and how far the screen begins below its upper edge. */
export interface Anchor {
  /** Null above the first. */
  readonly slot: number | null
  /** In pixels; from the document's upper edge where there is no slot. */
  readonly shift: number
  /** The same as a part of the row's height, where that is another now. */
  readonly share?: number
}

interface Listener {
  onView(view: View): void
  /** The last slot is not far below the screen. */
  onEndNear(): void
  /** The page is being scrolled, or lies still again. */
  onMove(isScrolling: boolean): void
}

/** Keeps as much of a long grid in the document as the screen needs, and its place on the screen. */
export class GridWindow {
  readonly #list: HTMLElement
  readonly #listener: Listener
  readonly #virtualizer: Virtualizer<Window, HTMLElement>
  readonly #stop: () => void
  #slots = 0
  #anchor: Anchor = { slot: null, shift: window.scrollY }
  /** Where to scroll once the list is long enough. */
  #goingTo: Anchor | null = null
  /** What the list shows. */
  #view: View | null = null
  #columns = 1
  /** Between two rows, in pixels. */
  #gap = 0
  #width = 0
  /** Of a row that was never seen, in pixels. */
  #rowHeight = 0

  constructor(list: HTMLElement, listener: Listener) {
    this.#list = list
    this.#listener = listener
    this.#readLayout()
    this.#virtualizer = new Virtualizer(this.#options())
    // What has its upper edge on the screen grows and shrinks below that. On the way to a place nothing is corrected: the
    // library would do it later once more, and scroll away from there.
    this.#virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row, _, { scrollOffset }) =>
      !this.#goingTo && row.end <= (scrollOffset ?? 0)
    const unmount = this.#virtualizer._didMount()
    const resizes = new ResizeObserver(() => this.#relayout())
    resizes.observe(list)
    // Two would correct the same movement; and below a list that grows, the browser would follow the footer.
    document.body.style.overflowAnchor = 'none'
    this.#stop = () => {
      resizes.disconnect()
      unmount()
      document.body.style.overflowAnchor = ''
    }
  }

  stop(): void {
    this.#stop()
  }

  /** After the list has been rendered: so many slots are known, and its elements stand for those of the view. */
  update(slots: number, view: View | null): void {
    this.#slots = slots
    this.#view = view
    this.#virtualizer.setOptions(this.#options())
    this.#virtualizer._willUpdate()
    this.#measure()
    const isUpToDate = this.#tell()
    if (!this.#goingTo || !isUpToDate) return
    this.#anchor = this.#goingTo
    this.#goingTo = null
    this.#scrollTo(this.#anchor)
  }

  /** What is looked at, or will be. */
  anchor(): Anchor {
    return this.#goingTo ?? this.#anchor
  }

  #look(): Anchor {
    const offset = window.scrollY
    const row = this.#virtualizer.getVirtualItemForOffset(offset)
    if (!row || offset <= this.#virtualizer.options.scrollMargin) return { slot: null, shift: offset }
    return { slot: row.index * this.#columns, shift: offset - row.start }
  }

  /** Scrolls so that `anchor` is what is looked at, with the next `update` that leaves nothing to render. */
  goTo(anchor: Anchor): void {
    this.#goingTo = anchor
  }

  #scrollTo({ slot, shift, share }: Anchor): void {
    const row = slot === null ? null : Math.floor(slot / this.#columns)
    const begins = row === null ? 0 : (this.#virtualizer.getOffsetForIndex(row, 'start')?.[0] ?? 0)
    const top = begins + (row === null || share === undefined ? shift : share * this.#heightOf(row))
    // It would go on from the old place until it hears of the new one.
    this.#virtualizer.scrollOffset = top
    window.scrollTo({ top, behavior: 'instant' })
  }

  /** A grid of another width has other rows. */
  #relayout(): void {
    if (this.#list.clientWidth === this.#width) return
    const { slot, shift } = this.anchor()
    const share = slot === null ? 0 : Math.min(shift / this.#heightOf(Math.floor(slot / this.#columns)), 1)
    this.#readLayout()
    this.#virtualizer.setOptions(this.#options())
    this.#virtualizer.measure()
    if (slot !== null) this.goTo({ slot, shift, share })
    this.update(this.#slots, this.#view)
  }

  #heightOf(row: number): number {
    return this.#virtualizer.measurementsCache[row]?.size ?? this.#rowHeight
  }

  #readLayout(): void {
    this.#width = this.#list.clientWidth
    const { gridTemplateColumns, rowGap } = getComputedStyle(this.#list)
    this.#columns = gridTemplateColumns.split(' ').length
    this.#gap = Number.parseFloat(rowGap) || 0
    const [first] = this.#list.children
    this.#rowHeight = first ? first.getBoundingClientRect().height : this.#width / this.#columns
  }

  #options() {
    return {
      count: Math.ceil(this.#slots / this.#columns),
      getScrollElement: (): Window => window,
      estimateSize: () => this.#rowHeight,
      scrollMargin: this.#list.getBoundingClientRect().top + window.scrollY,
      gap: this.#gap,
      observeElementRect: observeWindowRect,
      observeElementOffset: observeWindowOffset,
      scrollToFn: windowScroll,
      // The library would scroll there first.
      initialOffset: () => window.scrollY,
      useScrollendEvent: true,
      // Exactly, as the library's own way of rounding would add up over a thousand rows.
      measureElement: (row: HTMLElement) => row.getBoundingClientRect().height,
      rangeExtractor: (range: Range) => this.#rowsAround(range),
      onChange: () => {
        this.#tell()
        // The browser itself may scroll where the list has become another; that is nobody's place.
        if (this.#list.clientWidth === this.#width) this.#anchor = this.#look()
        this.#listener.onMove(this.#virtualizer.isScrolling)
      },
    }
  }

  #rowsAround({ startIndex, endIndex, count }: Range): number[] {
    const seen = endIndex - startIndex + 1
    const isWhole = this.#slots <= wholeMax
    const more = isWhole ? count : Math.max(2, Math.floor((windowSize / this.#columns - seen) / 2))
    const from = Math.max(0, startIndex - more)
    const to = Math.min(count - 1, endIndex + more)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  }

  /** Has the first element of each row watched: it is as high as its row. */
  #measure(): void {
    const from = this.#view?.from ?? 0
    for (const [at, element] of [...this.#list.children].entries()) {
      if ((from + at) % this.#columns !== 0 || !(element instanceof HTMLElement)) continue
      element.dataset['index'] = String((from + at) / this.#columns)
      this.#virtualizer.measureElement(element)
    }
  }

  /** Says which rows the screen needs; whether the list shows them already. */
  #tell(): boolean {
    const rows = this.#virtualizer.getVirtualItems()
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return true
    const top = this.#virtualizer.options.scrollMargin
    const height = this.#virtualizer.getTotalSize()
    const view: View = {
      from: first.index * this.#columns,
      to: Math.min((last.index + 1) * this.#columns, this.#slots),
      before: first.start - top,
      after: height - (last.end - top),
    }
    const isUpToDate = isSame(view, this.#view)
    if (!isUpToDate) this.#listener.onView(view)
    const below = top + height - (window.scrollY + window.innerHeight)
    if (below < 1.5 * window.innerHeight) this.#listener.onEndNear()
    return isUpToDate
  }
}

function isSame(one: View, other: View | null): boolean {
  return (
    other !== null &&
    one.from === other.from &&
    one.to === other.to &&
    Math.abs(one.before - other.before) < 0.5 &&
    Math.abs(one.after - other.after) < 0.5
  )
}

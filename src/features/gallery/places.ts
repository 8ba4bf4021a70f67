import { pagesBetween, type Trail } from './trail.ts'

/** Position of a post by page and offset within the page, unaffected by changes to earlier pages. */
export interface Place {
  readonly cursor: string | null
  readonly offset: number
}

/**
 * Returns the slots that begin a row of whole images: as many in a row as fit with `rowHeight`, as a flex container breaks its
 * lines. Posts of pages that have not loaded count as squares.
 */
export function rowStarts({ pages }: Trail, width: number, rowHeight: number, gap: number): number[] {
  const starts: number[] = []
  let left = 0
  let slot = 0
  for (const { count, ratios } of pages) {
    for (let at = 0; at < count; at += 1, slot += 1) {
      const itemWidth = (ratios[at] ?? 1) * rowHeight
      if (slot > 0 && left + itemWidth <= width) left += itemWidth + gap
      else {
        starts.push(slot)
        left = itemWidth + gap
      }
    }
  }
  return starts
}

/** Index of a place from the start of the trail, at most the last index of its page; null if the page is unknown. */
export function slotAt(trail: Trail, { cursor, offset }: Place): number | null {
  const found = pagesBetween(trail, -1, Infinity).find(({ page }) => page.cursor === cursor)
  return found ? found.start + Math.max(0, Math.min(offset, found.page.count - 1)) : null
}

/** Place of a slot; null beyond the end of the trail. */
export function placeAt(trail: Trail, slot: number): Place | null {
  const [found] = pagesBetween(trail, slot, slot + 1)
  return found ? { cursor: found.page.cursor, offset: slot - found.start } : null
}

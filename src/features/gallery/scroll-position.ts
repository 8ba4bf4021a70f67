import { placeAt, slotAt } from './trail.ts'
import type { Place, Trail } from './trail.ts'
import { cursorIn, termIn } from './gallery-address.ts'
import type { GalleryAddress } from './gallery-address.ts'
import type { Anchor } from './use-virtual-grid.ts'

/** The scroll position of a history entry, saved in `history.state` so that it survives a reload. */
export interface ScrollPosition {
  readonly address: GalleryAddress
  readonly trail: Trail
  readonly place: Place | null
  /** @see Anchor */
  readonly shift: number
}

/** Saves the scroll position in the current history entry. */
export function saveScrollPosition(address: GalleryAddress, trail: Trail, { slot, shift }: Anchor): void {
  const saved: ScrollPosition = { address, trail, place: slot === null ? null : placeAt(trail, slot), shift }
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), gallery: saved }, '')
}

/** The scroll position of the current history entry; null if none was saved for this address. */
export function savedScrollPosition({ search, cursor }: GalleryAddress): ScrollPosition | null {
  const saved = (history.state as { gallery?: ScrollPosition } | null)?.gallery
  return saved?.address.search === search && saved.address.cursor === cursor ? saved : null
}

/** Checks whether the browser shows this address. */
export function isAt({ search, cursor }: GalleryAddress): boolean {
  return (
    location.pathname === '/' && termIn(location.search) === search && cursorIn(location.search) === cursor
  )
}

/** Converts a saved position to an anchor in a trail that may have changed since. */
export function anchorOf(trail: Trail, { place, shift }: ScrollPosition): Anchor {
  const slot = place && slotAt(trail, place)
  return { slot, shift: place && slot === null ? 0 : shift }
}

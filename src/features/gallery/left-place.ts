import type { Anchor } from './grid-window.ts'
import { placeAt, slotAt } from './trail.ts'
import type { Place, Trail } from './trail.ts'
import { cursorIn, termIn } from './gallery-address.ts'
import type { GalleryAddress } from './gallery-address.ts'

/** Where a step of the browser's history was left: kept with it, so that it outlives the document. */
export interface ScrollPosition {
  readonly address: GalleryAddress
  readonly trail: Trail
  readonly place: Place | null
  /** As in `Anchor`. */
  readonly shift: number
}

/** Keeps the place with the present step of the history. */
export function keepPlace(address: GalleryAddress, trail: Trail, { slot, shift }: Anchor): void {
  const left: ScrollPosition = { address, trail, place: slot === null ? null : placeAt(trail, slot), shift }
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), gallery: left }, '')
}

/** Where the present step of the history was left, if that was at this address. */
export function scrollPosition({ search, cursor }: GalleryAddress): ScrollPosition | null {
  const left = (history.state as { gallery?: ScrollPosition } | null)?.gallery
  return left?.address.search === search && left.address.cursor === cursor ? left : null
}

/** Whether the browser's address is this one. */
export function isAt({ search, cursor }: GalleryAddress): boolean {
  return (
    location.pathname === '/' && termIn(location.search) === search && cursorIn(location.search) === cursor
  )
}

/** The place on a trail that has perhaps changed since. */
export function anchorOf(trail: Trail, { place, shift }: ScrollPosition): Anchor {
  const slot = place && slotAt(trail, place)
  return { slot, shift: place && slot === null ? 0 : shift }
}

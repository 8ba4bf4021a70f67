import { listAddressIn, listPath } from '../../api/list-address.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import { placeAt, slotAt } from './trail.ts'
import type { Place, Trail } from './trail.ts'
import type { Anchor } from './use-virtual-grid.ts'

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

import { createContext, createElement, use, type ReactNode } from 'react'
import { Router, type BaseLocationHook, type BaseSearchHook, type RouterProps } from 'wouter'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'

/** Path and query of the page that is shown. */
export interface PageLocation {
  readonly path: string
  /** With its question mark, unless empty. */
  readonly search: string
}

/**
 * Returns the page that a dialog with an address of its own covers; null without such a dialog. It is part of the state of
 * the history entry, and valid in the document that set it: after a reload the address names a page.
 */
export function coveredPage(): PageLocation | null {
  const { covered } = (history.state ?? {}) as { covered?: PageLocation & { documentStart: number } }
  return covered?.documentStart === performance.timeOrigin ? covered : null
}

/** Returns the page that is shown, possibly below a dialog. */
export function pageLocation(): PageLocation {
  return coveredPage() ?? { path: location.pathname, search: location.search }
}

/** Adds a history entry for a dialog over the current page, with its scroll position. */
export function pushOverPage(address: string): void {
  const covered = { ...pageLocation(), documentStart: performance.timeOrigin }
  history.pushState({ ...(history.state as object | null), covered }, '', address)
}

const PageLocationContext = createContext<PageLocation>({ path: '', search: '' })

const hooks: { hook: BaseLocationHook; searchHook: BaseSearchHook } = {
  hook: () => [use(PageLocationContext).path, navigate],
  searchHook: () => use(PageLocationContext).search,
}

/**
 * Router of the page that is shown. Follows it once for all links: reading the state of the history takes time.
 *
 * @param props.first the page of the first render, as on the server
 */
export function PageRouter({
  first,
  ...options
}: RouterProps & { first: PageLocation; children: ReactNode }) {
  const path = useLocationProperty(
    () => pageLocation().path,
    () => first.path,
  )
  const search = useLocationProperty(
    () => pageLocation().search,
    () => first.search,
  )
  // Renders again only when the page changes; its children stay the same.
  const router = createElement(Router, { ...options, ...hooks })
  return createElement(PageLocationContext, { value: { path, search } }, router)
}

/** The traversal of the history that the page has requested; null if there is none. */
let pending: Promise<void> | null = null

/** Calls a function that changes the history, after a pending traversal, which would revert its change, or at once. */
export function afterTraversal(change: () => void): void {
  if (pending) void pending.then(() => afterTraversal(change))
  else change()
}

/** Delays changes of the history until a traversal has ended. */
export function setPendingTraversal(traversal: Promise<void>): void {
  pending = traversal
  void traversal.then(() => (pending = null))
}

/** Number of dialogs over the page that the current history entry stands for. Each has an entry of its own. */
export function dialogsOfEntry(): number {
  return (history.state as { dialogs?: number } | null)?.dialogs ?? 0
}

/** A history entry, as the page shows it. */
interface HistoryEntry {
  readonly url: string
  readonly dialogs: number
  /** True if its address is that of a dialog over the page. */
  readonly isCovered: boolean
}

let left: HistoryEntry = { url: '', dialogs: 0, isCovered: false }
let shown = left

/** Returns the entries between which the page moved, for listeners of `popstate`. */
export function lastTraversal(): { readonly from: HistoryEntry; readonly to: HistoryEntry } {
  return { from: left, to: shown }
}

/**
 * Returns whether the traversal that `popstate` reports opens or closes a dialog, so that the page below stays as it is. Chromium
 * calls the listeners of the window in the order of their addition, captured or not: those of dialogs may come too late to stop
 * the event.
 */
export function isDialogTraversal(): boolean {
  return left.dialogs !== shown.dialogs || left.isCovered !== shown.isCovered
}

function followHistory(): void {
  function follow() {
    left = shown
    shown = { url: location.href, dialogs: dialogsOfEntry(), isCovered: coveredPage() !== null }
  }
  follow()
  for (const event of ['pushState', 'replaceState']) addEventListener(event, follow)
  // Added first, and captured: called before every other listener in all browsers.
  addEventListener('popstate', follow, true)
}

if (typeof window !== 'undefined') followHistory()

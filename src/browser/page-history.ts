import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

export interface PageLocation {
  readonly path: string
  /** With its question mark, unless empty. */
  readonly search: string
}

/** A history entry: a page, with what is over it. */
interface HistoryEntry extends PageLocation {
  /** Path of the dialog with an address of its own; null without one. */
  readonly cover: string | null
  /** Number of other dialogs. Each has an entry of its own, with the same address. */
  readonly dialogs: number
}

/** What an entry keeps beyond its address. */
interface EntryState {
  /** The page below a dialog. Valid in the document that set it: after a reload the address names a page. */
  readonly covered?: PageLocation & { readonly documentStart: number }
  readonly dialogs?: number
}

function currentEntry(): HistoryEntry {
  const { covered, dialogs = 0 } = (history.state ?? {}) as EntryState
  const { pathname, search } = location
  return covered?.documentStart === performance.timeOrigin
    ? { path: covered.path, search: covered.search, cover: pathname, dialogs }
    : { path: pathname, search, cover: null, dialogs }
}

/** The entry as the page shows it, which follows the current one once a view transition has its snapshot. */
let shown: HistoryEntry = { path: '', search: '', cover: null, dialogs: 0 }

const listeners = new Set<() => void>()

function follow(): void {
  shown = currentEntry()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param first what the server renders, and the first render in the browser */
function useShown<Value>(read: (entry: HistoryEntry) => Value, first: Value): Value {
  return useSyncExternalStore(
    subscribe,
    () => read(shown),
    () => first,
  )
}

/** Hooks of the router, which stays at the page below a dialog. */
export const pageHooks: { hook: BaseLocationHook; searchHook: BaseSearchHook } = {
  hook: ({ ssrPath }: { ssrPath: string }) => [useShown(({ path }) => path, ssrPath), navigate],
  searchHook: ({ ssrSearch }: { ssrSearch: string }) => useShown(({ search }) => search, ssrSearch),
}

/** Returns the path of the dialog with an address of its own; null without one. */
export function useCover(): string | null {
  return useShown(({ cover }) => cover, null)
}

/** Returns what `useCover` does, outside of components. */
export function shownCover(): string | null {
  return shown.cover
}

/** Adds a history entry for a dialog with an address of its own over the current page, with its scroll position. */
export function coverPage(address: string): void {
  const { path, search } = shown
  const covered = { path, search, documentStart: performance.timeOrigin }
  history.pushState({ ...(history.state as object | null), covered }, '', address)
}

/** Goes back to the covered page, once: a second Back would leave it. */
export function uncoverPage(): void {
  afterTraversal(() => currentEntry().cover !== null && goBack(1))
}

let traverseCover: (show: () => void, event: PopStateEvent) => void = (show) => show()

/** Sets how Back and Forward open and close the dialog with an address of its own: by a call of `show`, possibly later. */
export function animateCover(animate: typeof traverseCover): void {
  traverseCover = animate
}

/** Time after which a traversal that the browser has dropped no longer delays others, in milliseconds. */
const maxTraversalMs = 1_000

/** Ends the traversal that the page has requested, unless the browser does; undefined if there is none. */
let traversalTimer: ReturnType<typeof setTimeout> | undefined
const delayed: (() => void)[] = []

/** Calls a function that changes the history, after a pending traversal, which would revert its change, or at once. */
export function afterTraversal(change: () => void): void {
  if (traversalTimer === undefined) change()
  else delayed.push(change)
}

function goBack(entries: number): void {
  traversalTimer = setTimeout(endTraversal, maxTraversalMs)
  history.go(-entries)
}

function endTraversal(): void {
  clearTimeout(traversalTimer)
  traversalTimer = undefined
  for (const change of delayed.splice(0)) afterTraversal(change)
}

/** Functions that close the open dialogs, in the order in which they were opened. */
const closers: (() => void)[] = []

/**
 * Adds a history entry for a dialog while it is open, so that Back closes it and stays on the page. Closing the dialog in
 * another way removes the entry.
 */
export function useCloseOnBack(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const closer = () => onBack()
    closers.push(closer)
    // Later, for another dialog that opens or closes in the same update.
    queueMicrotask(matchEntries)
    return () => {
      closers.splice(closers.indexOf(closer), 1)
      queueMicrotask(matchEntries)
    }
  }, [isOpen])
}

export function dialogsOfEntry(): number {
  return currentEntry().dialogs
}

/** Adds or removes history entries until there is one for each open dialog. */
function matchEntries(): void {
  afterTraversal(() => {
    for (let dialogs = dialogsOfEntry() + 1; dialogs <= closers.length; dialogs += 1) {
      history.pushState({ ...(history.state as object | null), dialogs }, '')
    }
    const surplus = dialogsOfEntry() - closers.length
    if (surplus > 0) goBack(surplus)
  })
}

function onPopState(event: PopStateEvent): void {
  const { path, search, cover, dialogs } = currentEntry()
  const isSamePage = path === shown.path && search === shown.search
  const isCoverSame = cover === shown.cover
  // The page below the dialogs stays as it is.
  if (isSamePage && (dialogs !== shown.dialogs || !isCoverSame)) event.stopImmediatePropagation()
  if (isSamePage && !isCoverSame) traverseCover(follow, event)
  else follow()
  // A traversal that the page requested leaves a dialog that has opened since.
  if (traversalTimer === undefined) for (const close of closers.slice(dialogs).toReversed()) close()
  // After the listeners and the update: adds an entry for a dialog that cannot be closed now, and leaves that of a
  // dialog that is closed, which Forward has reached.
  setTimeout(() => {
    endTraversal()
    matchEntries()
  })
}

if (typeof window !== 'undefined') {
  follow()
  for (const event of ['pushState', 'replaceState']) addEventListener(event, follow)
  // Added first, and captured: called before every other listener in all browsers.
  addEventListener('popstate', onPopState, true)
  // Dialogs that were open before a reload are closed.
  matchEntries()
}

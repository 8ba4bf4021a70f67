import { useEffect, useEffectEvent } from 'react'
import { afterTraversal, dialogsOfEntry, lastTraversal, setPendingTraversal } from './page-history.ts'

/** Time after which a traversal that the browser has dropped no longer delays others, in milliseconds. */
const maxTraversalMs = 1_000

/** Functions that close the open dialogs, in the order in which they were opened. */
const closers: (() => void)[] = []
let endTraversal: (() => void) | null = null

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

/** Goes back in the history, after a pending traversal. */
export function goBack(entries = 1): void {
  afterTraversal(() => {
    setPendingTraversal(
      new Promise((resolve) => {
        const timer = setTimeout(resolve, maxTraversalMs)
        endTraversal = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    )
    history.go(-entries)
  })
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
  const { from, to } = lastTraversal()
  // The page below the dialogs stays as it is.
  if (to.url === from.url && to.dialogs !== from.dialogs) event.stopImmediatePropagation()
  for (const close of closers.slice(to.dialogs).toReversed()) close()
  // After the listeners and the update: adds an entry for a dialog that cannot be closed now, and leaves that of a
  // dialog that is closed, which Forward has reached.
  setTimeout(() => {
    endTraversal?.()
    endTraversal = null
    matchEntries()
  })
}

// Captured, and loaded before other listeners that are. Pages with dialogs are rendered on the server, too.
if (typeof window !== 'undefined') addEventListener('popstate', onPopState, true)

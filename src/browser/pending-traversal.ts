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

import { createContext, useCallback, useState, type ReactNode } from 'react'

// Not in dialog.tsx, which is not part of the entry.

/** What an open dialog calls when it has closed. */
export const ClosedContext = createContext(() => {})

/** A dialog while it is open, which is rendered where this is used, and a function that opens one. */
export function useDialog(): [ReactNode, (dialog: ReactNode) => void] {
  const [shown, setShown] = useState<{ readonly id: number; readonly dialog: ReactNode } | null>(null)
  const forget = useCallback(() => setShown(null), [])
  return [
    shown && (
      <ClosedContext key={shown.id} value={forget}>
        {shown.dialog}
      </ClosedContext>
    ),
    (dialog) => setShown((former) => ({ id: (former?.id ?? 0) + 1, dialog })),
  ]
}

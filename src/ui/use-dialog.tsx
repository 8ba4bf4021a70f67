import { Fragment, useState, type ReactNode } from 'react'

/** A dialog while it is open, which is rendered where this is used, and a function that opens one. */
export function useDialog(): [ReactNode, (render: (onClosed: () => void) => ReactNode) => void] {
  const [shown, setShown] = useState<{ readonly id: number; readonly dialog: ReactNode } | null>(null)
  return [
    shown && <Fragment key={shown.id}>{shown.dialog}</Fragment>,
    (render) => setShown((former) => ({ id: (former?.id ?? 0) + 1, dialog: render(() => setShown(null)) })),
  ]
}

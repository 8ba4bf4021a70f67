import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { lazyPart } from './loading.tsx'
import { VisuallyHidden } from './text.tsx'

const Toast = lazyPart(async () => (await import('./toast.tsx')).Toast)

/** The next step after a message: a link on this site, or a function. */
export type ToastAction = { readonly label: string } & (
  | { readonly href: string }
  | { readonly onClick: () => void }
)

interface ShownToast {
  /** Distinguishes it from an earlier one with the same text. */
  readonly id: number
  readonly message: string
  readonly action: ToastAction | null
}

interface Announcements {
  announce(message: string): void
  toast(message: string, action?: ToastAction): void
}

const AnnouncerContext = createContext<Announcements | null>(null)

/**
 * Provides the page's live region for screen readers, outside the parts that are mounted and unmounted, and the messages
 * that are also visible.
 */
export function Announcer({ children }: { children: ReactNode }) {
  const [announced, setAnnounced] = useState({ count: 0, message: '' })
  const [shown, setShown] = useState<ShownToast | null>(null)
  const close = useCallback(() => setShown(null), [])
  const announcements = useMemo<Announcements>(() => {
    const announce = (message: string) => setAnnounced(({ count }) => ({ count: count + 1, message }))
    return {
      announce,
      toast(message, action) {
        announce(message)
        setShown((former) => ({ id: (former?.id ?? 0) + 1, message, action: action ?? null }))
      },
    }
  }, [])
  return (
    <AnnouncerContext value={announcements}>
      {children}
      <VisuallyHidden>
        <span role="status">
          {/* A new element for each message, so that a repeated one is announced again. */}
          <span key={announced.count}>{announced.message}</span>
        </span>
      </VisuallyHidden>
      {shown && <Toast key={shown.id} message={shown.message} action={shown.action} onClose={close} />}
    </AnnouncerContext>
  )
}

function useAnnouncements(): Announcements {
  const announcements = useContext(AnnouncerContext)
  if (!announcements) throw new Error('useAnnounce and useToast need an Announcer above them')
  return announcements
}

/** Returns a function that announces a message to screen reader users. */
export function useAnnounce(): (message: string) => void {
  return useAnnouncements().announce
}

/** Returns a function that announces a message, and shows it at the bottom of the page for a few seconds. */
export function useToast(): (message: string, action?: ToastAction) => void {
  return useAnnouncements().toast
}

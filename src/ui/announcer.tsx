import { createContext, useCallback, useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { VisuallyHidden } from './text.tsx'

const AnnounceContext = createContext<(message: string) => void>(() => {
  throw new Error('useAnnounce needs an Announcer above it')
})

/** Provides the page's live region for screen readers, outside the parts that are mounted and unmounted. */
export function Announcer({ children }: { children: ReactNode }) {
  const [announced, setAnnounced] = useState({ count: 0, message: '' })
  const announce = useCallback(
    (message: string) => setAnnounced(({ count }) => ({ count: count + 1, message })),
    [],
  )
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden>
        <span role="status">
          {/* A new element for each message, so that a repeated one is announced again. */}
          <span key={announced.count}>{announced.message}</span>
        </span>
      </VisuallyHidden>
    </AnnounceContext>
  )
}

/** Returns a function that announces a message to screen reader users. */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext)
}

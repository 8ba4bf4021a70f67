import { createContext, useCallback, useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { VisuallyHidden } from './visually-hidden.tsx'

const AnnounceContext = createContext<(message: string) => void>(() => {
  throw new Error('useAnnounce needs an Announcer above it')
})

/** Holds the one live region of the page, outside everything that comes and goes. */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ count: 0, message: '' })
  const announce = useCallback(
    (message: string) => setSaid(({ count }) => ({ count: count + 1, message })),
    [],
  )
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden>
        <span role="status">
          {/* A new element each time, so that the same sentence is said again. */}
          <span key={said.count}>{said.message}</span>
        </span>
      </VisuallyHidden>
    </AnnounceContext>
  )
}

/** Returns a function that tells screen reader users what just happened. */
export function useAnnounce(): (message: string) => void {
  return useContext(AnnounceContext)
}

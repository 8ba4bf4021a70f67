import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { takeover } from './takeover-events.ts'

/** Before the page is hydrated: from now on React keeps what a user does until it can answer. */
export function beginTakeover(): void {
  document.dispatchEvent(new Event(takeover.begins))
}

/** Stands around the page: once that is hydrated, what a user did before is done. */
export function Takeover({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.dispatchEvent(new Event(takeover.ends))
  }, [])
  return children
}

import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../auth/session.ts'
import { forgetDraftWithOthers } from './draft.ts'

/** Something that goes on until it is told to stop. */
interface Disposable {
  dispose(): void
}

type Kept = Map<string, Disposable>

const CreationContext = createContext<Kept | null>(null)

/**
 * Keeps, above the pages, what the signed-in user is making, and stops it when the user goes. What that
 * is comes with the form's own code: until somebody opens it, this holds nothing.
 */
export function CreationKeeper({ children }: { children: ReactNode }) {
  const { viewer } = useSession()
  const [kept] = useState<Kept>(() => new Map())
  const viewerId = viewer?.id
  useEffect(() => {
    for (const [owner, creation] of kept) {
      if (owner === viewerId) continue
      creation.dispose()
      kept.delete(owner)
    }
  }, [kept, viewerId])
  useEffect(forgetDraftWithOthers, [])
  return <CreationContext value={kept}>{children}</CreationContext>
}

/** What is kept for a user, made by `create` when they first need it. */
export function useCached<Creation extends Disposable>(viewerId: string, create: () => Creation): Creation {
  const kept = useContext(CreationContext)
  if (!kept) throw new Error('useCached needs a CreationKeeper above it')
  const [creation] = useState(() => {
    const found = (kept.get(viewerId) as Creation | undefined) ?? create()
    kept.set(viewerId, found)
    return found
  })
  return creation
}

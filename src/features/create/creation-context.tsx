import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../auth/session.ts'
import { syncClearedDrafts } from './clear-drafts.ts'

interface Disposable {
  dispose(): void
}

/** Creations by user id. */
type CreationCache = Map<string, Disposable>

const CreationContext = createContext<CreationCache | null>(null)

/**
 * Keeps the signed-in user's creation across pages, and disposes it at sign-out. Empty until the form, which is loaded
 * lazily, is opened.
 */
export function CreationProvider({ children }: { children: ReactNode }) {
  const { viewer } = useSession()
  const [cache] = useState<CreationCache>(() => new Map())
  const viewerId = viewer?.id
  useEffect(() => {
    for (const [owner, creation] of cache) {
      if (owner === viewerId) continue
      creation.dispose()
      cache.delete(owner)
    }
  }, [cache, viewerId])
  useEffect(syncClearedDrafts, [])
  return <CreationContext value={cache}>{children}</CreationContext>
}

/** Returns the cached creation of a user; `create` makes the first one. */
export function useCachedCreation<Creation extends Disposable>(
  viewerId: string,
  create: () => Creation,
): Creation {
  const cache = useContext(CreationContext)
  if (!cache) throw new Error('useCachedCreation must be used within a CreationProvider')
  const [creation] = useState(() => {
    const found = (cache.get(viewerId) as Creation | undefined) ?? create()
    cache.set(viewerId, found)
    return found
  })
  return creation
}

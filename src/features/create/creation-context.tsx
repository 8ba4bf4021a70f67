import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { CreationActivityContext, type CreationActivity } from '../../browser/creation-activity.ts'
import { useSession } from '../auth/session.ts'
import { syncClearedDrafts } from './clear-drafts.ts'

interface Disposable {
  dispose(): void
}

interface CreationCache {
  /** By user id. */
  readonly creations: Map<string, Disposable>
  readonly report: (activity: CreationActivity) => void
}

const CreationContext = createContext<CreationCache | null>(null)

/**
 * Keeps the signed-in user's creation across pages, and disposes it at sign-out. Empty until the form, which is loaded
 * lazily, is opened.
 */
export function CreationProvider({ children }: { children: ReactNode }) {
  const { viewer } = useSession()
  const [activity, report] = useState<CreationActivity>('none')
  const [cache] = useState<CreationCache>(() => ({ creations: new Map(), report }))
  const viewerId = viewer?.id
  useEffect(() => {
    for (const [owner, creation] of cache.creations) {
      if (owner === viewerId) continue
      creation.dispose()
      cache.creations.delete(owner)
      cache.report('none')
    }
  }, [cache, viewerId])
  useEffect(syncClearedDrafts, [])
  return (
    <CreationContext value={cache}>
      <CreationActivityContext value={activity}>{children}</CreationActivityContext>
    </CreationContext>
  )
}

/** Returns the cached creation of a user; `create` makes the first one. */
export function useCachedCreation<Creation extends Disposable>(
  viewerId: string,
  create: (report: CreationCache['report']) => Creation,
): Creation {
  const cache = useContext(CreationContext)
  if (!cache) throw new Error('useCachedCreation must be used within a CreationProvider')
  const [creation] = useState(() => {
    const found = (cache.creations.get(viewerId) as Creation | undefined) ?? create(cache.report)
    cache.creations.set(viewerId, found)
    return found
  })
  return creation
}

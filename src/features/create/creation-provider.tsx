import { createContext, useEffect, useState, type ReactNode } from 'react'
import type { Quota } from '../../../shared/images.ts'
import { trpc } from '../../api/trpc.ts'
import { CreationActivityContext, type CreationActivity } from '../../browser/creation-activity.ts'
import { clearDraft, countKey, storeDailyCount } from '../../browser/apis.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { useSession } from '../auth/session.ts'
import type { CreationStore } from './creation-store.ts'

// This module is part of every page, unlike the form and its store.

interface Stores {
  /** By user id. */
  readonly stores: Map<string, CreationStore>
  readonly report: (activity: CreationActivity) => void
}

export const CreationStores = createContext<Stores>({ stores: new Map(), report() {} })

/**
 * Keeps the signed-in user's store across pages, and disposes it at sign-out. Empty until the form, which is loaded lazily,
 * is opened. Copies the server's count to the browser's storage on every page.
 */
export function CreationProvider({ children }: { children: ReactNode }) {
  const { status, viewer } = useSession()
  const quota = useDailyCount()
  const [activity, report] = useState<CreationActivity>('none')
  const [cache] = useState<Stores>(() => ({ stores: new Map(), report }))
  const viewerId = viewer?.id
  useEffect(() => {
    for (const [owner, creation] of cache.stores) {
      if (owner === viewerId) continue
      creation.dispose()
      cache.stores.delete(owner)
      cache.report('none')
    }
  }, [cache, viewerId])
  useEffect(() => {
    // Also on a new day without a change of the count, as another tab may have stored its own.
    if (quota || status === 'signed-out') storeDailyCount(quota?.used ?? null)
  }, [quota, status])
  // The account was deleted in another tab.
  useWindowEvent('storage', ({ key, newValue }) => key === countKey && newValue === null && clearDraft())
  return (
    <CreationStores value={cache}>
      <CreationActivityContext value={activity}>{children}</CreationActivityContext>
    </CreationStores>
  )
}

/** Minimum interval between requests, as this clock may reach midnight before the server's. */
const minRefetchMs = 30_000

/** Returns the quota of the signed-in user; null until the server has reported it. */
export function useDailyCount(): Quota | null {
  const { viewer } = useSession()
  const { data } = trpc.images.quota.useQuery(undefined, {
    enabled: viewer !== null,
    refetchInterval: ({ state }) =>
      state.data ? Math.max(Date.parse(state.data.resetsAt) - Date.now(), minRefetchMs) : false,
  })
  return viewer && data ? data : null
}

import { useEffect } from 'react'
import type { Quota } from '../../../shared/images.ts'
import { trpc } from '../../api/trpc.ts'
import { readStored, store } from '../../browser/apis.ts'
import { useSession } from '../auth/session.ts'

const storageKey = 'imageCount'

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

/** Deletes the stored count. */
export function clearDailyCount(): void {
  store('localStorage', storageKey, null)
}

/** Copies the server's count to the browser's storage. Rendered on every page without output. */
export function DailyCountMirror() {
  const { status } = useSession()
  const used = useDailyCount()?.used
  useEffect(() => {
    if (used !== undefined) store('localStorage', storageKey, String(used))
    else if (status === 'signed-out' && readStored('localStorage', storageKey) !== null) {
      store('localStorage', storageKey, '0')
    }
  }, [used, status])
  return null
}

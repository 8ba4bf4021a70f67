import { useEffect } from 'react'
import type { Quota } from '../../../shared/images.ts'
import { trpc } from '../../api/trpc.ts'
import { readStored, store } from '../../browser/apis.ts'
import { useSession } from '../auth/session.ts'

const storageKey = 'imageCount'

/** Clocks differ: a day that is over by ours is asked about again, but not more often than this. */
const shortestWait = 30_000

/** The images that the signed-in user had made today, as the server counts them; null until it said so. */
export function useDailyCount(): Quota | null {
  const { viewer } = useSession()
  const { data } = trpc.images.quota.useQuery(undefined, {
    enabled: viewer !== null,
    refetchInterval: ({ state }) =>
      state.data ? Math.max(Date.parse(state.data.resetsAt) - Date.now(), shortestWait) : false,
  })
  return viewer && data ? data : null
}

/** Keeps no count any more. */
export function forgetDailyCount(): void {
  store('localStorage', storageKey, null)
}

/** Keeps the browser's counter equal to the server's count. Stands on every page, and shows nothing. */
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

import { useCallback, useEffect, useMemo, useRef } from 'react'
import { trpc } from '../../../api/trpc.ts'
import { useDropPrivateQueries, type SessionState } from '../session.ts'

/** Delay of the session renewal, so that it does not compete with requests the page needs. */
const renewalDelayMs = 2_000

const channelName = 'session'

/** The session according to the server, queried after hydration and whenever it may have changed. */
export function useLocalSession(): SessionState {
  const { data, isError, refetch } = trpc.viewer.useQuery(undefined, { refetchOnWindowFocus: 'always' })
  useDropPrivateQueries(data?.id)
  useRenewal(Boolean(data))

  useEffect(() => {
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', () => void refetch())
    return () => channel.close()
  }, [refetch])

  return useMemo<SessionState>(() => {
    if (data) return { status: 'signed-in', viewer: data }
    if (data === null) return { status: 'signed-out', viewer: null }
    if (isError) return { status: 'error', viewer: null, retry: () => void refetch() }
    return { status: 'loading', viewer: null }
  }, [data, isError, refetch])
}

/** Returns a function that queries the session again, in this tab and the other tabs of this site. */
export function useRefreshSession(): () => Promise<void> {
  const { viewer } = trpc.useUtils()
  return useCallback(async () => {
    await viewer.refetch()
    const channel = new BroadcastChannel(channelName)
    channel.postMessage(null)
    channel.close()
  }, [viewer])
}

/** Renews the session cookie once per page load, so that a session in regular use never expires. */
function useRenewal(isSignedIn: boolean): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isSignedIn || isDone.current) return
    const timer = setTimeout(() => {
      isDone.current = true
      // A failed renewal is retried on the next visit.
      fetch('/api/auth/get-session', { priority: 'low' }).catch(() => {})
    }, renewalDelayMs)
    return () => clearTimeout(timer)
  }, [isSignedIn])
}

import { useCallback } from 'react'
import { trpc } from '../../../api/trpc.ts'
import { announceSessionChange } from './session-channel.ts'

/** Returns a function that asks anew who is signed in, and has this site's other tabs do the same. */
export function useRefreshSession(): () => Promise<void> {
  const { viewer } = trpc.useUtils()
  return useCallback(async () => {
    await viewer.refetch()
    announceSessionChange()
  }, [viewer])
}

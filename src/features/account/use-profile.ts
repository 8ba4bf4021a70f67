import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readProfile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/use-refresh-session.ts'

/** Name and email of the user signed in, as their account has them. */
export function useProfile(viewerId: string) {
  const refreshSession = useRefreshSession()
  const { data, isError, refetch } = useQuery({
    queryKey: ['profile', viewerId],
    queryFn: readProfile,
    // Nothing of it outlives the page that shows it.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const hasEnded = data === null
  useEffect(() => {
    if (hasEnded) void refreshSession()
  }, [hasEnded, refreshSession])
  return {
    /** Null until it is known. */
    profile: data ?? null,
    hasFailed: isError || hasEnded,
    reload: () => refetch(),
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import type { Session } from '../session.ts'
import { announceSessionChange, onSessionChange } from './session-channel.ts'

type State = Pick<Extract<Session, { status: 'loading' | 'signed-out' }>, 'status' | 'viewer'>
type LocalState =
  | State
  | { readonly status: 'signed-in'; readonly viewer: Viewer }
  | { readonly status: 'error'; readonly viewer: null; readonly retry: () => void }

/** Who is signed in, asked of the server after hydration and again whenever it may have changed. */
export function useLocalViewer(): { state: LocalState; refresh: () => Promise<void> } {
  const { data, isError, refetch } = trpc.viewer.useQuery(undefined, { refetchOnWindowFocus: 'always' })
  useDropPrivateAnswers(data?.id)

  useEffect(() => onSessionChange(() => void refetch()), [refetch])

  const refresh = useCallback(async () => {
    await refetch()
    announceSessionChange()
  }, [refetch])

  const state = useMemo<LocalState>(() => {
    if (data) return { status: 'signed-in', viewer: data }
    if (data === null) return { status: 'signed-out', viewer: null }
    if (isError) return { status: 'error', viewer: null, retry: () => void refetch() }
    return { status: 'loading', viewer: null }
  }, [data, isError, refetch])

  return { state, refresh }
}

/** Forgets what the server told one person before another one could see it. */
function useDropPrivateAnswers(viewerId: string | undefined): void {
  const queryClient = useQueryClient()
  const previous = useRef(viewerId)
  useEffect(() => {
    if (previous.current && previous.current !== viewerId) {
      void queryClient.resetQueries({ queryKey: getQueryKey(trpc.images) })
    }
    previous.current = viewerId
  }, [queryClient, viewerId])
}

import { useEffect, useMemo } from 'react'
import type { Viewer } from '../../../../shared/viewer.ts'
import { trpc } from '../../../api/trpc.ts'
import type { Session } from '../session.ts'
import { useDropPrivateQueries } from '../use-drop-private-answers.ts'
import { onSessionChange } from './session-channel.ts'
import { useRenewal } from './use-renewal.ts'

type State = Pick<Extract<Session, { status: 'loading' | 'signed-out' }>, 'status' | 'viewer'>
type LocalState =
  | State
  | { readonly status: 'signed-in'; readonly viewer: Viewer }
  | { readonly status: 'error'; readonly viewer: null; readonly retry: () => void }

/** Who is signed in, asked of the server after hydration and again whenever it may have changed. */
export function useLocalViewer(): LocalState {
  const { data, isError, refetch } = trpc.viewer.useQuery(undefined, { refetchOnWindowFocus: 'always' })
  useDropPrivateQueries(data?.id)
  useRenewal(Boolean(data))

  useEffect(() => onSessionChange(() => void refetch()), [refetch])

  return useMemo<LocalState>(() => {
    if (data) return { status: 'signed-in', viewer: data }
    if (data === null) return { status: 'signed-out', viewer: null }
    if (isError) return { status: 'error', viewer: null, retry: () => void refetch() }
    return { status: 'loading', viewer: null }
  }, [data, isError, refetch])
}

import { useEffect, useMemo } from 'react'
import type { Role } from '../../../../shared/viewer.ts'
import { trpc } from '../../../api/trpc.ts'
import type { SessionState } from '../session.ts'
import { useDropPrivateQueries } from '../use-drop-private-answers.ts'
import type { ClerkState } from './read-clerk.ts'

/** Clerk starts only once in the life of a page; what was typed is kept over a reload. */
const retry = () => window.location.reload()

/** The session by what Clerk said last, null where it said nothing yet. */
export function useSessionState(said: ClerkState | null, isOverdue: boolean): SessionState {
  const user = said?.status === 'signed-in' ? said.viewer : null
  const role = useRole(user?.id)
  useDropPrivateQueries(user?.id)

  return useMemo<SessionState>(() => {
    if (said?.status === 'signed-in') {
      return { status: 'signed-in', viewer: { ...said.viewer, role } }
    }
    if (said?.status === 'signed-out') return { status: 'signed-out', viewer: null }
    if (said || isOverdue) return { status: 'error', viewer: null, retry }
    return { status: 'loading', viewer: null }
  }, [said, isOverdue, role])
}

/** The user's role, which the server knows and Clerk does not. */
function useRole(viewerId: string | undefined): Role {
  const { data } = trpc.viewer.useQuery(undefined, { enabled: viewerId !== undefined })
  const { viewer } = trpc.useUtils()
  const isAnotherUser = data !== undefined && viewerId !== undefined && data?.id !== viewerId
  useEffect(() => {
    if (isAnotherUser) void viewer.invalidate()
  }, [viewer, isAnotherUser])
  return (!isAnotherUser && data?.role) || 'member'
}

import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useRef } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { dropPrivateQueries } from '../../api/page-data.ts'
import { useStable } from '../../browser/use-stable.ts'

export type SessionState =
  | { readonly status: 'loading'; readonly viewer: null }
  | { readonly status: 'signed-out'; readonly viewer: null }
  | { readonly status: 'signed-in'; readonly viewer: Viewer }
  /** The state could not be determined. */
  | { readonly status: 'error'; readonly viewer: null; readonly retry: () => void }

/** What a visitor wants an account for; `join` is none of the others. */
export interface SignInPurpose {
  readonly goal: 'like' | 'keep' | 'join'
  /** The drawing to keep. */
  readonly imageUrl?: string
  /** Token of the invitation that led to it, '' without one. */
  readonly invitation?: string
  /** Does it, once the visitor is signed in. */
  readonly onSignedIn?: () => void
}

/** The session of the viewer, independent of the sign-in service. */
export type Session = SessionState & {
  readonly openSignIn: () => void
  /**
   * Opens the modal, which says what the account is for: the one for creating one unless it is for a like, or sign-up is closed.
   * Waits until the session is known, and does nothing for users.
   */
  readonly openSignInFor: (purpose: SignInPurpose) => void
  /** Ends the session in every tab; rejects if the server could not be reached. */
  readonly signOut: () => Promise<void>
  /** Opens the profile dialog of the hosted sign-in service; null with local accounts. */
  readonly openProfile: (() => void) | null
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

/** Returns a function that keeps its last input until the session is known, and then calls `decide` with it. */
function useOnceKnown<Input>(
  status: Session['status'],
  decide: (input: Input, isSameAddress: boolean) => void,
): (input: Input) => void {
  const waiting = useRef<{ readonly input: Input; readonly address: string } | null>(null)
  const decideNow = useStable(() => {
    const kept = waiting.current
    if (!kept || status === 'loading') return
    waiting.current = null
    decide(kept.input, kept.address === location.href)
  })
  useEffect(decideNow, [status, decideNow])
  return useCallback(
    (input) => {
      waiting.current = { input, address: location.href }
      decideNow()
    },
    [decideNow],
  )
}

/** Returns `openSignInFor` of a session: `open` is called for visitors, where they asked for it. */
export function useOpenSignInFor(
  status: Session['status'],
  open: (purpose: SignInPurpose) => void,
): Session['openSignInFor'] {
  return useOnceKnown(status, (purpose, isSameAddress) => {
    if (status === 'signed-out' && isSameAddress) open(purpose)
  })
}

/** Returns a function that does something for a user, once it is known that there is one, and asks visitors who are still there to sign in. */
export function useWhenSignedIn(): (action: () => void) => void {
  const { status, openSignIn } = useSession()
  return useOnceKnown(status, (action, isSameAddress) => {
    if (status === 'signed-in') action()
    else if (isSameAddress) openSignIn()
  })
}

/** Drops what the server has answered to a user before another user could see it. */
export function useDropPrivateQueries(viewerId: string | undefined): void {
  const queryClient = useQueryClient()
  const previous = useRef(viewerId)
  useEffect(() => {
    if (previous.current && previous.current !== viewerId) dropPrivateQueries(queryClient)
    previous.current = viewerId
  }, [queryClient, viewerId])
}

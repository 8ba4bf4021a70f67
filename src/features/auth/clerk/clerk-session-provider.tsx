import type { Clerk, LoadedClerk } from '@clerk/clerk-react/types'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Role } from '../../../../shared/viewer.ts'
import type { SetTokens } from '../../../api/client.ts'
import { SessionTokens, type GetToken } from '../../../api/session-tokens.ts'
import { trpc } from '../../../api/trpc.ts'
import { pageHeading } from '../../../browser/apis.ts'
import { forgetContinuation } from '../../../browser/continuation.ts'
import { useStable } from '../../../browser/use-stable.ts'
import {
  SessionContext,
  useDropPrivateQueries,
  useOpenSignInFor,
  type Session,
  type SessionState,
} from '../session.ts'
import type { ClerkPart, ClerkState, OnClerkChange } from './clerk-part.tsx'

interface Known {
  readonly state: ClerkState
  readonly clerk: LoadedClerk
}

/** Provides the sessions of Clerk accounts. Clerk's code is loaded after the page, which works without it until then. */
export function ClerkSessionProvider(props: {
  publishableKey: string
  setTokens: SetTokens
  children: ReactNode
}) {
  const { publishableKey, setTokens, children } = props
  const [known, setKnown] = useState<Known | null>(null)
  const { Part, isOverdue } = useClerkPart(publishableKey)
  const state = useSessionState(known?.state ?? null, isOverdue)
  const keepFocus = useFocusAfterSignIn(state.status)

  const afterSignIn = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    if (state.status !== 'signed-in') return
    afterSignIn.current?.()
    afterSignIn.current = undefined
  }, [state.status])

  const onChange = useCallback<OnClerkChange>(
    (next, clerk) => {
      setTokens(next.status === 'signed-in' ? new SessionTokens(tokensOf(clerk)) : null)
      setKnown({ state: next, clerk })
    },
    [setTokens],
  )

  const clerk = known?.clerk
  const open = useStable((onSignedIn?: () => void) => {
    afterSignIn.current = onSignedIn
    keepFocus()
    if (clerk) void openSignIn(clerk)
  })
  // The same modal creates accounts.
  const openSignInFor = useOpenSignInFor(state.status, ({ onSignedIn }) => open(onSignedIn))
  const session = useMemo<Session>(
    () => ({
      ...state,
      openSignIn() {
        // Clerk does not report that its modal for continuing was dismissed.
        forgetContinuation()
        open()
      },
      openSignInFor,
      signOut: async () => clerk && signOut(clerk),
      openProfile: clerk ? () => clerk.openUserProfile() : null,
    }),
    [state, clerk, open, openSignInFor],
  )

  return (
    <SessionContext value={session}>
      {children}
      {Part && <Part publishableKey={publishableKey} onChange={onChange} />}
    </SessionContext>
  )
}

/** Clerk starts only once per page load. Typed text survives a reload. */
const retry = () => window.location.reload()

function useSessionState(clerkState: ClerkState | null, isOverdue: boolean): SessionState {
  const user = clerkState?.status === 'signed-in' ? clerkState.viewer : null
  const role = useRole(user?.id)
  useDropPrivateQueries(user?.id)

  return useMemo<SessionState>(() => {
    if (clerkState?.status === 'signed-in') {
      return { status: 'signed-in', viewer: { ...clerkState.viewer, role } }
    }
    if (clerkState?.status === 'signed-out') return { status: 'signed-out', viewer: null }
    if (clerkState || isOverdue) return { status: 'error', viewer: null, retry }
    return { status: 'loading', viewer: null }
  }, [clerkState, isOverdue, role])
}

/** The role of the user, which the server knows and Clerk does not. */
function useRole(viewerId: string | undefined): Role {
  const { data } = trpc.viewer.useQuery(undefined, { enabled: viewerId !== undefined })
  const { viewer } = trpc.useUtils()
  const isAnotherUser = data !== undefined && viewerId !== undefined && data?.id !== viewerId
  useEffect(() => {
    if (isAnotherUser) void viewer.invalidate()
  }, [viewer, isAnotherUser])
  return (!isAnotherUser && data?.role) || 'member'
}

/** Gets session tokens from Clerk, which caches each until shortly before it expires. */
function tokensOf(clerk: Pick<Clerk, 'session'>): GetToken {
  return async ({ fresh }) => {
    try {
      return (await clerk.session?.getToken({ skipCache: fresh })) ?? null
    } catch (error) {
      // The request revealed that the session has ended.
      if (!clerk.session) return null
      throw error
    }
  }
}

/** Opens Clerk's modal for signing in and up. The user stays on the current page. */
async function openSignIn(clerk: Pick<Clerk, 'openSignIn' | 'signOut' | 'user'>): Promise<void> {
  // The server has rejected Clerk's session, and Clerk allows only one.
  if (clerk.user) await signOut(clerk)
  const here = window.location.href
  clerk.openSignIn({ withSignUp: true, fallbackRedirectUrl: here, signUpFallbackRedirectUrl: here })
}

/** Ends the session in every tab. The callback keeps Clerk from navigating. */
function signOut(clerk: Pick<Clerk, 'signOut'>): Promise<void> {
  return clerk.signOut(() => {})
}

/** Number of frames after Clerk's dialog closes in which it may still restore the focus. */
const framesAfterDialog = 3

/**
 * Focuses the dialog below, or the heading of the page, after signing in, as the button that opened Clerk's dialog no longer exists.
 *
 * @returns a function to call when the dialog opens
 */
function useFocusAfterSignIn(status: SessionState['status']): () => void {
  const isExpected = useRef(false)
  useEffect(() => {
    if (status !== 'signed-in' || !isExpected.current) return
    isExpected.current = false
    let framesLeft = framesAfterDialog
    let frame = requestAnimationFrame(function check() {
      if (!document.querySelector('.cl-modalBackdrop')) framesLeft -= 1
      if (framesLeft > 0) frame = requestAnimationFrame(check)
      else if (document.activeElement === document.body)
        (document.querySelector<HTMLElement>('[role$=dialog]') ?? pageHeading())?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [status])
  return useCallback(() => {
    isExpected.current = true
  }, [])
}

/** Time after which sign-in is shown as unavailable. Clerk may still load later. */
const loadTimeoutMs = 8_000

/** Maximum time to wait for the images of the page before loading Clerk. */
const pageLoadTimeoutMs = 2_000

/** Clerk's loader retries, so that a single failure does not count. */
const scriptFailuresMax = 3

/** Loads Clerk's code after the first paint. `isOverdue` becomes true as soon as Clerk has failed to load or takes too long. */
export function useClerkPart(publishableKey: string) {
  const [loaded, setLoaded] = useState<{ readonly Part: typeof ClerkPart } | null>(null)
  const [isOverdue, setIsOverdue] = useState(false)

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const fail = () => !signal.aborted && setIsOverdue(true)
    onScriptFailure(publishableKey, fail, signal)
    async function load() {
      await firstPaint()
      if (signal.aborted) return
      setTimeout(fail, loadTimeoutMs)
      const { ClerkPart: Part } = await import('./clerk-part.tsx')
      setLoaded({ Part })
    }
    load().catch(fail)
    return () => stop.abort()
  }, [publishableKey])

  return { Part: loaded?.Part ?? null, isOverdue }
}

/** Resolves when the initial content of the page has loaded. */
function firstPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') requestAnimationFrame(resolve)
    else addEventListener('load', resolve, { once: true })
    setTimeout(resolve, pageLoadTimeoutMs)
  })
}

/** Calls `fail` when Clerk's scripts fail to load or throw, which Clerk itself reports after many seconds, if at all. */
function onScriptFailure(publishableKey: string, fail: () => void, signal: AbortSignal): void {
  let failures = 0

  function onError(event: Event) {
    const { target } = event
    if (target instanceof HTMLScriptElement && target.dataset['clerkPublishableKey'] === publishableKey) {
      failures += 1
      if (failures >= scriptFailuresMax) fail()
    }
    if (event instanceof ErrorEvent && isClerkScript(event.filename)) fail()
  }

  // The error event of a script does not bubble, but it passes the capture phase.
  window.addEventListener('error', onError, { capture: true, signal })
}

function isClerkScript(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.startsWith('/npm/@clerk/')
}

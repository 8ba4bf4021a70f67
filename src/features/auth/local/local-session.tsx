import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { providerErrorKey, type ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { trpc, type Api } from '../../../api/trpc.ts'
import { pageHeading } from '../../../browser/apis.ts'
import { useStable } from '../../../browser/use-stable.ts'
import { withOtherMessages } from '../../../i18n/messages.ts'
import { lazyPart } from '../../../ui/loading.tsx'
import { useDialog } from '../../../ui/use-dialog.tsx'
import {
  SessionContext,
  useDropPrivateQueries,
  useOpenSignInFor,
  type Session,
  type SessionState,
  type SignInPurpose,
} from '../session.ts'

const SignInDialog = lazyPart(
  async () => (await withOtherMessages(import('./sign-in-dialog.tsx'))).SignInDialog,
)

/** Provides the sessions of local accounts. */
export function LocalSessionProvider({ children }: { children: ReactNode }) {
  const { auth } = useSite()
  const state = useLocalSession()
  const refresh = useRefreshSession()
  const [dialog, openDialog] = useDialog()
  const signUp = auth.kind === 'local' ? auth.signUp : 'closed'

  const open = useStable((purpose?: SignInPurpose, error?: ProviderError) => {
    const opener = document.activeElement
    const around = opener?.closest<HTMLElement>('[role$=dialog]')
    const canSignUp = signUp === 'open' || (signUp === 'invite' && Boolean(purpose?.invitation))
    openDialog(
      <SignInDialog
        firstMode={purpose && purpose.goal !== 'like' && canSignUp ? 'sign-up' : 'sign-in'}
        canSignUp={canSignUp}
        purpose={purpose}
        error={error}
        focusAfter={() => focusAfter(opener, around)}
        onSignedIn={refresh}
      />,
    )
  })
  const openSignInFor = useOpenSignInFor(state.status, open)
  const session = useMemo<Session>(
    () => ({
      ...state,
      openSignIn: () => open(),
      openSignInFor,
      async signOut() {
        const { signOut } = await withOtherMessages(import('./accounts.ts'))
        await signOut()
        await refresh('ended')
      },
      openProfile: null,
    }),
    [state, refresh, open, openSignInFor],
  )

  useEffect(() => {
    if (location.hash.includes(providerErrorKey)) {
      void import('./sign-in-dialog.tsx').then((module) =>
        module.openAfterReturn((error) => open(undefined, error)),
      )
    }
  }, [open])

  return (
    <SessionContext value={session}>
      {children}
      {dialog}
    </SessionContext>
  )
}

/** The button that opened the dialog or, after signing in removed it, the dialog around it or the heading of the page. */
function focusAfter(opener: Element | null, around: HTMLElement | null | undefined): HTMLElement | null {
  const isInPage = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  return isInPage ? opener : around?.isConnected ? around : pageHeading()
}

/** Delay of the session renewal, so that it does not compete with requests the page needs. */
const renewalDelayMs = 2_000

const channelName = 'session'

/** The session according to the server, queried after hydration and whenever it may have changed. */
function useLocalSession(): SessionState {
  const { data, isError, refetch } = trpc.viewer.useQuery(undefined, { refetchOnWindowFocus: 'always' })
  const { viewer } = trpc.useUtils()
  useDropPrivateQueries(data?.id)
  useRenewal(Boolean(data))

  useEffect(() => {
    const channel = new BroadcastChannel(channelName)
    // Tabs of earlier versions post null after every change.
    channel.addEventListener(
      'message',
      ({ data: news }) => void update(viewer, news === 'ended' ? news : 'changed'),
    )
    return () => channel.close()
  }, [viewer])

  return useMemo<SessionState>(() => {
    if (data) return { status: 'signed-in', viewer: data }
    if (data === null) return { status: 'signed-out', viewer: null }
    if (isError) return { status: 'error', viewer: null, retry: () => void refetch() }
    return { status: 'loading', viewer: null }
  }, [data, isError, refetch])
}

type SessionNews = 'changed' | 'ended'

async function update(viewer: Api['viewer'], news: SessionNews): Promise<void> {
  if (news === 'changed') return viewer.refetch()
  // The answer to an earlier query may still say that the user is signed in.
  await viewer.cancel()
  viewer.setData(undefined, null)
}

/** Returns a function that queries the session again, unless it has ended, in this tab and the other tabs of this site. */
export function useRefreshSession(): (news?: SessionNews) => Promise<void> {
  const { viewer } = trpc.useUtils()
  return useCallback(
    async (news = 'changed') => {
      await update(viewer, news)
      const channel = new BroadcastChannel(channelName)
      channel.postMessage(news)
      channel.close()
    },
    [viewer],
  )
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

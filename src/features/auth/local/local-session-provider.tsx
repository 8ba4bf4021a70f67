import { lazy, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useSite } from '../../../api/site.tsx'
import { LazyPart } from '../../../ui/loading.tsx'
import { SessionContext, type Session } from '../session.ts'
import { useLocalSession, useRefreshSession } from './local-session.ts'

const SignInDialog = lazy(() =>
  import('./sign-in-dialog.tsx').then((module) => ({ default: module.SignInDialog })),
)

/** Provides the sessions of local accounts. */
export function LocalSessionProvider({ children }: { children: ReactNode }) {
  const { auth, name } = useSite()
  const state = useLocalSession()
  const refresh = useRefreshSession()
  const [dialog, setDialog] = useState<'never-opened' | 'open' | 'closed'>('never-opened')
  const opener = useRef<Element | null>(null)

  const session = useMemo<Session>(
    () => ({
      ...state,
      openSignIn() {
        opener.current = document.activeElement
        setDialog('open')
      },
      async signOut() {
        const { signOut } = await import('./accounts.ts')
        await signOut()
        await refresh()
      },
      openProfile: null,
    }),
    [state, refresh],
  )

  return (
    <SessionContext value={session}>
      {children}
      {dialog !== 'never-opened' && (
        <LazyPart fallback={null}>
          <SignInDialog
            open={dialog === 'open'}
            signUpOpen={auth.kind === 'local' && auth.signUp === 'open'}
            siteName={name}
            focusAfter={() => focusAfter(opener.current)}
            onClose={() => setDialog('closed')}
            onSignedIn={refresh}
          />
        </LazyPart>
      )}
    </SessionContext>
  )
}

/** The button that opened the dialog or, after signing in removed it, the heading of the page. */
function focusAfter(opener: Element | null): HTMLElement | null {
  const isInPage = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  return isInPage ? opener : document.querySelector<HTMLElement>('main h1')
}

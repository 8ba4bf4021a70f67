import { lazy, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { providerErrorKey, type ProviderError } from '../../../../shared/provider-sign-in.ts'
import type { SignUpMode } from '../../../../shared/site-options.ts'
import { useSite } from '../../../api/site.tsx'
import { LazyPart } from '../../../ui/loading.tsx'
import { SessionContext, type Session } from '../session.ts'
import type { AccountMode } from './sign-in-dialog.tsx'
import { useLocalSession, useRefreshSession } from './local-session.ts'

const SignInDialog = lazy(() =>
  import('./sign-in-dialog.tsx').then((module) => ({ default: module.SignInDialog })),
)

/** Provides the sessions of local accounts. */
export function LocalSessionProvider({ children }: { children: ReactNode }) {
  const { auth, name } = useSite()
  const state = useLocalSession()
  const refresh = useRefreshSession()
  const [dialog, setDialog] = useState<AccountDialog | null>(null)
  const opener = useRef<Element | null>(null)
  const signUp = auth.kind === 'local' ? auth.signUp : 'closed'

  const session = useMemo<Session>(() => {
    const open = (mode: AccountMode, invitation = '') => {
      opener.current = document.activeElement
      setDialog({ isOpen: true, mode, invitation })
    }
    return {
      ...state,
      openSignIn: () => open('sign-in'),
      openSignUp: (invitation = '') =>
        open(canSignUp(signUp, invitation) ? 'sign-up' : 'sign-in', invitation),
      async signOut() {
        const { signOut } = await import('./accounts.ts')
        await signOut()
        await refresh()
      },
      openProfile: null,
    }
  }, [state, refresh, signUp])

  useEffect(() => {
    if (location.hash.includes(providerErrorKey)) {
      void import('./provider-return.ts').then((module) => module.openAfterReturn(setDialog))
    }
  }, [])

  return (
    <SessionContext value={session}>
      {children}
      {dialog && (
        <LazyPart fallback={null}>
          <SignInDialog
            open={dialog.isOpen}
            mode={dialog.mode}
            invitation={dialog.invitation}
            onSwitch={canSignUp(signUp, dialog.invitation) ? (mode) => setDialog({ ...dialog, mode }) : null}
            siteName={name}
            error={dialog.error ?? null}
            focusAfter={() => focusAfter(opener.current)}
            onClose={() => setDialog({ ...dialog, isOpen: false })}
            onSignedIn={refresh}
          />
        </LazyPart>
      )}
    </SessionContext>
  )
}

export interface AccountDialog {
  readonly isOpen: boolean
  readonly mode: AccountMode
  /** Token of the invitation that led to it, '' without one. */
  readonly invitation: string
  /** With which the user came back from the provider. */
  readonly error?: ProviderError
}

function canSignUp(signUp: SignUpMode, invitation: string): boolean {
  return signUp === 'open' || (signUp === 'invite' && invitation !== '')
}

/** The button that opened the dialog or, after signing in removed it, the heading of the page. */
function focusAfter(opener: Element | null): HTMLElement | null {
  const isInPage = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  return isInPage ? opener : document.querySelector<HTMLElement>('main h1')
}

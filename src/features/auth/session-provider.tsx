import type { ReactNode } from 'react'
import type { SignInSettings } from '../../../shared/page-data.ts'
import type { SetTokens } from '../../api/client.ts'
import { useSite } from '../../api/site.tsx'
import type * as ClerkModule from './clerk/clerk-session-provider.tsx'
import { LocalSessionProvider } from './local/local-session.tsx'

let clerk: typeof ClerkModule | null = null

/** Loads what `SessionProvider` needs of a sign-in service; local accounts are in the entry. Call it before the first render. */
export async function loadSessionProvider(kind: SignInSettings['kind']): Promise<void> {
  if (kind === 'clerk') clerk ??= await import('./clerk/clerk-session-provider.tsx')
}

/** Provides the session of the sign-in service that the server is configured with. */
export function SessionProvider(props: { setTokens: SetTokens; children: ReactNode }) {
  const { setTokens, children } = props
  const { auth } = useSite()
  if (auth.kind === 'local') return <LocalSessionProvider>{children}</LocalSessionProvider>
  if (!clerk) throw new Error('SessionProvider needs loadSessionProvider first')
  const { ClerkSessionProvider } = clerk
  return (
    <ClerkSessionProvider publishableKey={auth.publishableKey} setTokens={setTokens}>
      {children}
    </ClerkSessionProvider>
  )
}

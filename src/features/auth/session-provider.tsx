import type { ReactNode } from 'react'
import type { SessionTokens } from '../../api/session-tokens.ts'
import { useSite } from '../../api/site.tsx'
import { ClerkSessionProvider } from './clerk/clerk-session-provider.tsx'
import { LocalSessionProvider } from './local/local-session-provider.tsx'

/** Provides the session of the sign-in service that the server is configured with. */
export function SessionProvider({ tokens, children }: { tokens: SessionTokens; children: ReactNode }) {
  const { auth } = useSite()
  switch (auth.kind) {
    case 'local':
      return <LocalSessionProvider>{children}</LocalSessionProvider>
    case 'clerk':
      return (
        <ClerkSessionProvider publishableKey={auth.publishableKey} tokens={tokens}>
          {children}
        </ClerkSessionProvider>
      )
  }
}

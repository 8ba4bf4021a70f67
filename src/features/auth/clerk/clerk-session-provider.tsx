import type { LoadedClerk } from '@clerk/clerk-react/types'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { SessionTokens } from '../../../api/session-tokens.ts'
import { SessionContext } from '../session.ts'
import type { Session } from '../session.ts'
import { openSignIn, signOut } from './clerk-actions.ts'
import type { OnClerkChange } from './clerk-part.tsx'
import { clerkTokens } from './clerk-tokens.ts'
import type { ClerkState } from './read-clerk.ts'
import { useClerkPart } from './use-clerk-part.ts'
import { useFocusAfterSignIn } from './use-focus-after-sign-in.ts'
import { useSessionState } from './use-session-state.ts'

interface Known {
  readonly state: ClerkState
  readonly clerk: LoadedClerk
}

/** Sessions of accounts at Clerk. Its code comes after the page, and the page does without it until then. */
export function ClerkSessionProvider(props: {
  publishableKey: string
  tokens: SessionTokens
  children: ReactNode
}) {
  const { publishableKey, tokens, children } = props
  const [known, setKnown] = useState<Known | null>(null)
  const { Part, isOverdue } = useClerkPart(publishableKey)
  const state = useSessionState(known?.state ?? null, isOverdue)
  const keepFocus = useFocusAfterSignIn(state.status)

  const onChange = useCallback<OnClerkChange>(
    (next, clerk) => {
      tokens.takeFrom(next.status === 'signed-in' ? clerkTokens(clerk) : null)
      setKnown({ state: next, clerk })
    },
    [tokens],
  )

  const session = useMemo<Session>(() => {
    const clerk = known?.clerk
    return {
      ...state,
      openSignIn() {
        keepFocus()
        if (clerk) void openSignIn(clerk)
      },
      signOut: async () => clerk && signOut(clerk),
      openProfile: clerk ? () => clerk.openUserProfile() : null,
    }
  }, [state, known?.clerk, keepFocus])

  return (
    <SessionContext value={session}>
      {children}
      {Part && <Part publishableKey={publishableKey} onChange={onChange} />}
    </SessionContext>
  )
}

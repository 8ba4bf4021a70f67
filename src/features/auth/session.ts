import { createContext, useContext } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'

/** What is known of the user. */
export type SessionState =
  | { readonly status: 'loading'; readonly viewer: null }
  | { readonly status: 'signed-out'; readonly viewer: null }
  | { readonly status: 'signed-in'; readonly viewer: Viewer }
  /** Who is signed in could not be found out. */
  | { readonly status: 'error'; readonly viewer: null; readonly retry: () => void }

interface SessionActions {
  /** Opens the modal in which a user signs in. */
  readonly openSignIn: () => void
  /** Ends the session in every tab; rejects where the server could not be told. */
  readonly signOut: () => Promise<void>
  /** Opens the hosted service's own dialog for name, password and deletion; null where accounts are kept here. */
  readonly openProfile: (() => void) | null
}

/** Who is signed in and how that changes, whatever service does the signing in. */
export type Session = SessionState & SessionActions

/** Filled by the implementation that `SessionProvider` picks. */
export const SessionContext = createContext<Session | null>(null)

/** The session of the user in front of the screen. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

import { clerkEnv, signInAtClerk } from './clerk.ts'
import type { TestUser, TestServer } from './test-server.ts'

/** A way in which a server may let users sign in. */
export interface SignInMode {
  readonly mode: 'local accounts' | 'Clerk'
  readonly env: Record<string, string>
  /** Of the session. */
  readonly cookieName: string
  /** Signs in somebody new. */
  readonly signIn: (server: TestServer) => Promise<TestUser>
}

/** Both ways, as rows for `describe.each`. */
export const signInModes: readonly SignInMode[] = [
  {
    mode: 'local accounts',
    env: {},
    cookieName: 'better-auth.session_token',
    signIn: (server) => server.signUp(),
  },
  {
    mode: 'Clerk',
    env: clerkEnv(),
    cookieName: '__session',
    signIn: (server) => Promise.resolve(signInAtClerk(server)),
  },
]

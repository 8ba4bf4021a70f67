import { clerkEnv, signInAtClerk } from './clerk.ts'
import type { TestUser, TestServer } from './test-server.ts'

/** A sign-in mode of a server. */
export interface SignInMode {
  readonly mode: 'local accounts' | 'Clerk'
  readonly env: Record<string, string>
  /** Name of the session cookie. */
  readonly cookieName: string
  /** Signs in a new user. */
  readonly signIn: (server: TestServer) => Promise<TestUser>
}

/** Every sign-in mode, as rows for `describe.each`. */
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

import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { clerkDialogOn } from './clerk/clerk-dialog.ts'
import { useClerkSite } from './clerk/clerk-site.ts'
import { password, signUp, type TestUser } from './user.ts'
import { dialogOn } from './sign-in-dialog.ts'
import { useSite, type Site } from './site.ts'

/** One of the ways to sign in, with a site that goes that way, in the terms of those who use it. */
export interface SignInWay {
  readonly site: Site
  newUser(name: string): Promise<TestUser>
  /** Signs in, in the dialog as it stands open; `given` is the password. */
  signIn(page: Page, user: TestUser, given?: string): Promise<void>
  /** Waits until the open dialog has said that the password is wrong. */
  readError(page: Page): Promise<void>
  /** Gives the right password, after a wrong one. */
  tryAgain(page: Page): Promise<void>
  /** Makes an account, in the dialog as it stands open. */
  signUp(page: Page, account: { name: string; email: string }): Promise<void>
  /**
   * Ends somebody's sessions while they are at a page, which finds out no earlier than its next call; returns what
   * to do when that is made.
   */
  loseSession(user: TestUser): Promise<() => void>
  /** What the browser prints when a password is refused. */
  readonly expectedConsoleError: RegExp
  /** Whether somebody's chip shows an image of theirs. */
  readonly hasAvatars: boolean
}

/** The ways, each to be set up before the tests that go it. */
export const signInWays: readonly { readonly name: string; readonly useWay: () => SignInWay }[] = [
  { name: 'accounts of our own', useWay: useLocalWay },
  { name: 'Clerk', useWay: useClerkWay },
]

function useLocalWay(): SignInWay {
  const site = useSite()
  return {
    site,
    newUser: (name) => signUp(site.url, name),
    async signIn(page, { email }, given = password) {
      const parts = dialogOn(page)
      await parts.email.fill(email)
      await parts.password.fill(given)
      await parts.signIn.click()
    },
    async readError(page) {
      await dialogOn(page)
        .failure.getByText(/do not belong together/)
        .waitFor()
    },
    async tryAgain(page) {
      await dialogOn(page).password.fill(password)
      await dialogOn(page).signIn.click()
    },
    async signUp(page, { name, email }) {
      const parts = dialogOn(page)
      await parts.toSignUp.click()
      await parts.name.fill(name)
      await parts.email.fill(email)
      await parts.password.fill(password)
      await parts.signUp.click()
    },
    async loseSession(user) {
      await user.endSessions()
      return () => {}
    },
    expectedConsoleError: /status of 401/,
    hasAvatars: false,
  }
}

function useClerkWay(): SignInWay {
  const { site, clerk, newUser } = useClerkSite()
  beforeEach(() => {
    // Clerk replaces tokens some seconds early, so that these are for nearly a single use.
    clerk.letTokensLive(7)
  })
  return {
    site,
    newUser: async (name) => newUser(name),
    async signIn(page, { email }, given = password) {
      const parts = clerkDialogOn(page)
      await parts.email.fill(email)
      await parts.next.click()
      await parts.password.fill(given)
      await parts.next.click()
    },
    async readError(page) {
      await clerkDialogOn(page)
        .failure.getByText(/Password is incorrect/)
        .waitFor()
    },
    async tryAgain(page) {
      await clerkDialogOn(page).password.fill(password)
      await clerkDialogOn(page).next.click()
    },
    async signUp(page, { name, email }) {
      const parts = clerkDialogOn(page)
      // An address that has no account leads on to making one.
      await parts.email.fill(email)
      await parts.next.click()
      await parts.firstName.fill(name)
      await parts.password.fill(password)
      await parts.next.click()
    },
    async loseSession(user) {
      clerk.tokens.become('is silent')
      await user.endSessions()
      // ClerkJS renews its token from a timer of five seconds, which a busy machine delays.
      await expect.poll(() => clerk.tokens.waiting, { timeout: 30_000 }).toBeGreaterThan(0)
      return () => {
        clerk.tokens.become('answers')
      }
    },
    expectedConsoleError: /status of 422/,
    hasAvatars: true,
  }
}

import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { clerkDialogOn } from './clerk/clerk-dialog.ts'
import { useClerkSite } from './clerk/clerk-site.ts'
import { password, signUp, type TestUser } from './user.ts'
import { dialogOn } from './sign-in-dialog.ts'
import { useSite, type Site } from './site.ts'

/** A way to sign in, with a site that uses it. */
export interface SignInWay {
  readonly site: Site
  newUser(name: string): Promise<TestUser>
  /** Signs in with the open dialog; `given` is the password. */
  signIn(page: Page, user: TestUser, given?: string): Promise<void>
  /** Waits until the open dialog reports a wrong password. */
  readError(page: Page): Promise<void>
  /** Enters the right password after a wrong one. */
  tryAgain(page: Page): Promise<void>
  /** Signs up with the open dialog. */
  signUp(page: Page, account: { name: string; email: string }): Promise<void>
  /**
   * Ends a user's sessions. The open page notices with its next call; returns a function to run when it is made.
   */
  loseSession(user: TestUser, page: Page): Promise<() => void>
  /** Console message of the browser for a wrong password. */
  readonly expectedConsoleError: RegExp
  /** True if the menu button shows an avatar. */
  readonly hasAvatars: boolean
}

/** Every way to sign in. `useWay` sets it up for the tests of a suite. */
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
    // Clerk replaces tokens some seconds before they expire, so that these are nearly single-use.
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
      // An email without an account leads to sign-up.
      await parts.email.fill(email)
      await parts.next.click()
      await parts.firstName.fill(name)
      await parts.password.fill(password)
      await parts.next.click()
    },
    async loseSession(user, page) {
      clerk.tokens.become('is silent')
      await user.endSessions()
      // ClerkJS renews its token every five seconds, later on a busy machine, and when the user returns to the tab.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await expect.poll(() => clerk.tokens.waiting, { timeout: 30_000 }).toBeGreaterThan(0)
      return () => {
        clerk.tokens.become('answers')
      }
    },
    expectedConsoleError: /status of 422/,
    hasAvatars: true,
  }
}

import type { Page } from 'playwright-core'

/** An authenticator of a page, in Chromium. */
export interface Authenticator {
  /** Number of passkeys that it keeps. */
  count(): Promise<number>
  /** Lets the user confirm with their fingerprint, or not. */
  setVerified(isVerified: boolean): Promise<void>
}

/** Adds an authenticator with user verification to a page, which confirms each request at once. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async count() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async setVerified(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

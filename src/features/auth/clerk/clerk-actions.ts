import type { Clerk } from '@clerk/clerk-react/types'

/** Opens Clerk's modal for signing in, from which a user can also sign up. They stay on the page they are on. */
export async function openSignIn(clerk: Pick<Clerk, 'openSignIn' | 'signOut' | 'user'>): Promise<void> {
  // Asked to sign in though Clerk has a session: the server does not take it, and Clerk gives no second one.
  if (clerk.user) await signOut(clerk)
  const here = window.location.href
  clerk.openSignIn({ withSignUp: true, fallbackRedirectUrl: here, signUpFallbackRedirectUrl: here })
}

/** Ends the session in every tab. The page stays as it is. */
export function signOut(clerk: Pick<Clerk, 'signOut'>): Promise<void> {
  // With a callback Clerk goes nowhere.
  return clerk.signOut(() => {})
}

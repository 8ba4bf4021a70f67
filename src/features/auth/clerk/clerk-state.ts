import type { Clerk } from '@clerk/clerk-react/types'
import type { Viewer } from '../../../../shared/viewer.ts'

/** The fields of Clerk's user that are read here. */
interface ClerkUser {
  readonly id: string
  readonly firstName: string | null
  readonly fullName: string | null
  readonly username: string | null
  readonly imageUrl: string
}

/** Clerk's session state. The role is known to the server only. */
export type ClerkState =
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly viewer: Omit<Viewer, 'role'> }
  | { readonly status: 'unavailable' }

/**
 * Reads Clerk's state. Null while Clerk is loading or switching users.
 *
 * @param wasReady true if Clerk has been ready since the page was opened
 */
export function readClerk(clerk: Pick<Clerk, 'status' | 'user'>, wasReady: boolean): ClerkState | null {
  switch (clerk.status) {
    case 'loading':
      return null
    case 'error':
      return { status: 'unavailable' }
    case 'degraded':
      // Clerk could not reach its server and relies on the last token, which holds only the id of the user.
      if (!wasReady && !clerk.user?.imageUrl) return { status: 'unavailable' }
  }
  if (clerk.user === undefined) return null
  return clerk.user ? { status: 'signed-in', viewer: clerkViewer(clerk.user) } : { status: 'signed-out' }
}

/** Converts Clerk's user, with a default if Clerk knows no name. */
export function clerkViewer(user: ClerkUser): Omit<Viewer, 'role'> {
  const names = [user.firstName, user.fullName?.trim().split(/\s+/)[0], user.username]
  return {
    id: user.id,
    firstName: names.find((name) => name?.trim())?.trim() ?? 'User',
    imageUrl: user.imageUrl || null,
  }
}

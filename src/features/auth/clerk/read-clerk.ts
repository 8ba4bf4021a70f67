import type { Clerk } from '@clerk/clerk-react/types'
import type { Viewer } from '../../../../shared/viewer.ts'
import { clerkViewer } from './clerk-viewer.ts'

/** What Clerk says of the user in front of the screen. */
export type ClerkState =
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly viewer: Omit<Viewer, 'role'> }
  | { readonly status: 'unavailable' }

/**
 * Reads Clerk's state; null while it says nothing new: it is loading, or between two users.
 *
 * @param wasReady whether Clerk has been in order since the page was opened
 */
export function readClerk(clerk: Pick<Clerk, 'status' | 'user'>, wasReady: boolean): ClerkState | null {
  switch (clerk.status) {
    case 'loading':
      return null
    case 'error':
      return { status: 'unavailable' }
    case 'degraded':
      // It could not ask its own server, and goes by the last token, which holds an id and no more of a user.
      if (!wasReady && !clerk.user?.imageUrl) return { status: 'unavailable' }
  }
  if (clerk.user === undefined) return null
  return clerk.user ? { status: 'signed-in', viewer: clerkViewer(clerk.user) } : { status: 'signed-out' }
}

import type { Clerk } from '@clerk/clerk-react/types'
import type { AskForToken } from '../../../api/session-tokens.ts'

/** Takes the session's tokens from Clerk, which keeps each until shortly before it expires. */
export function clerkTokens(clerk: Pick<Clerk, 'session'>): AskForToken {
  return async ({ fresh }) => {
    try {
      return (await clerk.session?.getToken({ skipCache: fresh })) ?? null
    } catch (error) {
      // In asking, Clerk found out that the session has ended.
      if (!clerk.session) return null
      throw error
    }
  }
}

/** TestUser with an account at Clerk. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly imageUrl: string
}

/** A session of an account in one browser. */
export interface ClerkSession {
  readonly id: string
  readonly account: Account
  isRevoked: boolean
}

/** What Clerk keeps of a browser. */
export interface ClerkClient {
  readonly id: string
  session: ClerkSession | null
  /** The address that is signing in. */
  identifier: string | null
  signInId: string
}

export interface Accounts {
  add(account: Omit<Account, 'id' | 'imageUrl'>): Account
  find(email: string | undefined): Account | undefined
  beginSession(client: ClerkClient, account: Account): ClerkSession
  /** Ends every session of an account, as its user or an administrator would elsewhere. */
  revokeSessions(account: Account): void
}

/** The users of a Clerk instance, and their sessions. */
export function makeAccounts(): Accounts {
  const accounts: Account[] = []
  const sessions: ClerkSession[] = []
  return {
    add(facts) {
      const id = `user_${accounts.length + 1}`
      const account = { ...facts, id, imageUrl: `https://img.clerk.com/${id}` }
      accounts.push(account)
      return account
    },
    find: (email) => accounts.find((account) => account.email === email),
    beginSession(client, account) {
      const session = { id: `sess_${sessions.length + 1}`, account, isRevoked: false }
      sessions.push(session)
      client.session = session
      client.identifier = null
      return session
    },
    revokeSessions(account) {
      for (const session of sessions) if (session.account === account) session.isRevoked = true
    },
  }
}

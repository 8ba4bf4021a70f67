/** A user with a Clerk account. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly imageUrl: string
}

/** A session of an account in a browser. */
export interface ClerkSession {
  readonly id: string
  readonly account: Account
  isRevoked: boolean
}

/** Clerk's state of a browser. */
export interface ClerkClient {
  readonly id: string
  session: ClerkSession | null
  /** Email of the sign-in in progress. */
  identifier: string | null
  signInId: string
}

export interface Accounts {
  add(account: Omit<Account, 'id' | 'imageUrl'>): Account
  find(email: string | undefined): Account | undefined
  beginSession(client: ClerkClient, account: Account): ClerkSession
  /** Ends every session of an account, as if done elsewhere. */
  revokeSessions(account: Account): void
}

/** Users and sessions of a Clerk instance. */
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

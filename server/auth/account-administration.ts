import type { PostsOfDeleted } from '../../shared/account.ts'

export type AccountRole = 'user' | 'administrator'

/** An account as the users who run the site see it. */
export interface AccountSummary {
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  /** When it was made, in ISO 8601. */
  readonly createdAt: string
  /** Posts in the gallery. */
  readonly posts: number
}

/**
 * What the users who run the site can do with accounts. Addresses are compared without regard to case.
 *
 * @throws AppError `not_found` for an address that no account has, `bad_input` for what is no address
 */
export interface AccountAdministration {
  /** Every account, the oldest first. */
  list(): Promise<AccountSummary[]>
  find(email: string): Promise<AccountSummary>
  /** Makes an account, also where sign-up is closed, and returns its password; `bad_input` where there is one already. */
  add(email: string, name: string): Promise<string>
  /** Sets and returns a new password, ends every session and revokes every API key. */
  resetPassword(email: string): Promise<string>
  setRole(email: string, role: AccountRole): Promise<void>
  remove(email: string, options: { readonly posts: PostsOfDeleted }): Promise<void>
}

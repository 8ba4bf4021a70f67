import type { PostsOfDeleted, SessionFacts } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { AccountAdministration } from './account-administration.ts'

/** What a request says of who sent it. */
export interface Credentials {
  /** The bearer token; it beats a cookie. Null where none was sent. */
  readonly bearer: string | null
  readonly headers: Headers
}

/** A user, and by what the server knows them. */
export interface Identity {
  readonly viewer: Viewer
  /** A session of their own; API_TOKEN; or a token that they made, which acts as them but keeps no account. */
  readonly by: 'session' | 'service token' | 'API key'
}

/** Tells who sent a request: local accounts or a hosted service. */
export interface Authenticator {
  /**
   * Who is signed in and by what, or null where nobody claims to be.
   *
   * @throws AppError `not_signed_in` for a bearer token that is not valid
   */
  authenticate(credentials: Credentials): Promise<Identity | null>
  /**
   * A user as they are now, of whom is known what they were earlier; null where their account is gone. Where
   * accounts are kept elsewhere they are taken for what they were.
   */
  recall(user: Omit<Viewer, 'role'>): Promise<Omit<Viewer, 'role'> | null>
  /** Answers requests below /api/auth; null where there are none. */
  readonly handle: ((request: Request) => Promise<Response>) | null
  /** What the account of a user says of them; null where it is kept elsewhere. */
  profileOf(userId: string): Promise<Profile | null>
  /** For the users who run the site; null where accounts are kept elsewhere. */
  readonly administration: AccountAdministration | null
}

/** What a user told their account. */
export interface Profile {
  readonly name: string
  readonly email: string
  /** When the account was made, in ISO 8601. */
  readonly createdAt: string
  /** Newest first. */
  readonly sessions: readonly SessionFacts[]
}

/** Forgets a user whose account is deleted, with or without the posts that they shared. */
export type DeleteAccountData = (userId: string, options: { readonly posts: PostsOfDeleted }) => Promise<void>

/**
 * Reads the credentials off a request's headers; an Authorization of another scheme is a proxy's, not ours.
 * A scheme without a token is an empty token, which is a bad one.
 */
export function readCredentials(headers: Headers): Credentials {
  const [, token] = /^Bearer(?: +(.*))?$/i.exec(headers.get('authorization') ?? '') ?? [null, null]
  return { bearer: token === null ? null : (token ?? '').trim(), headers }
}

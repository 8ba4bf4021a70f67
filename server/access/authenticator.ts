import type { ApiKeyScope, PostsOfDeleted } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { UserDirectory } from './user-directory.ts'

interface Credentials {
  /** The bearer token, which takes precedence over a cookie; null if none was sent. */
  readonly bearer: string | null
  readonly headers: Headers
  /** True for requests to the MCP server, for which alone programs have tokens. */
  readonly acceptsPrograms?: boolean
}

/** The user of a request, and the kind of credential that identified them. */
export type Identity = { readonly viewer: Viewer } & (
  | {
      readonly by: 'session'
      /** Id of the session; undefined with a hosted service. */
      readonly sessionId?: string
    }
  | { readonly by: 'service token' }
  | {
      readonly by: 'API key'
      readonly scopes: readonly ApiKeyScope[]
      /** True for an access token, whose program can ask the user for more scopes. */
      readonly isProgram: boolean
    }
)

/** Reports whether a credential has a scope. Only API keys are limited. */
export function hasScope(identity: Identity, scope: ApiKeyScope): boolean {
  return identity.by !== 'API key' || identity.scopes.includes(scope)
}

/** Identifies the user of a request, by local accounts or a hosted sign-in service. */
export interface Authenticator {
  /**
   * Returns null for a request without credentials, or with a cookie that is not valid.
   *
   * @throws AppError `not_signed_in` for a bearer token that is not valid
   */
  authenticate(credentials: Credentials): Promise<Identity | null>
  /**
   * Returns the current name and avatar of the user of an API key, null if the account no longer exists. A hosted
   * service is not asked: the user is returned unchanged.
   */
  recall(user: Omit<Viewer, 'role'>): Promise<Omit<Viewer, 'role'> | null>
  /** Handles requests below /api/auth; null if there are none. */
  readonly handle: ((request: Request) => Promise<Response>) | null
  /** Returns the profile of an account, null with a hosted service. */
  profileOf(userId: string): Promise<Profile | null>
  /** Commands of the operator; null with a hosted service. */
  readonly administration: AccountAdministration | null
  readonly directory: UserDirectory
}

/** Times are ISO 8601, UTC. */
interface Profile {
  readonly name: string
  readonly email: string
  readonly createdAt: string
  /** Connections with the sign-in provider, with the id that the user has there. */
  readonly connections: readonly Readonly<Record<'provider' | 'userId' | 'createdAt', string>>[]
  /** Newest first. */
  readonly sessions: readonly {
    /** Sign-in time, and expiry without further use. */
    readonly createdAt: string
    readonly expiresAt: string
    /** Network address and browser at sign-in, if known. */
    readonly ipAddress: string | null
    readonly userAgent: string | null
  }[]
}

export type DeleteAccountData = (userId: string, options: { readonly posts: PostsOfDeleted }) => Promise<void>

/**
 * Administration of local accounts by the operator. Emails are case-insensitive.
 *
 * @throws AppError `not_found` for an email without an account, `bad_input` for an invalid email
 */
export interface AccountAdministration {
  findId(email: string): Promise<string>
  /**
   * Creates an account, even if sign-up is closed, and returns its password, a generated one unless it is given.
   *
   * @throws AppError `bad_input` if the account exists
   */
  add(email: string, name: string, password?: string): Promise<string>
  /** Sets and returns a new password, ends every session and revokes every API key. */
  resetPassword(email: string): Promise<string>
  remove(email: string, options: { readonly posts: PostsOfDeleted }): Promise<void>
}

/**
 * Reads the credentials from the headers of a request. Other Authorization schemes are ignored, as they belong to a
 * proxy. A scheme without a token is an empty token, which is not valid.
 */
export function readCredentials(headers: Headers, acceptsPrograms = false): Credentials {
  const [, token] = /^Bearer(?: +(.*))?$/i.exec(headers.get('authorization') ?? '') ?? [null, null]
  return { bearer: token === null ? null : (token ?? '').trim(), headers, acceptsPrograms }
}

/**
 * Header with the client's address for better-auth's rate limiter. The server overwrites a header of this name that a
 * client sends.
 */
export const clientAddressHeader = 'x-rangoli-client-address'

/** Header with the language of a request, a BCP 47 tag. Overwritten by the server likewise. */
export const languageHeader = 'x-rangoli-language'

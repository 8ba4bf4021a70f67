import type { Viewer } from '../../shared/viewer.ts'

/** What a request says of who sent it. */
export interface Credentials {
  /** The bearer token; it beats a cookie. Null where none was sent. */
  readonly bearer: string | null
  readonly headers: Headers
}

/** Tells who sent a request: local accounts or a hosted service. */
export interface Authenticator {
  /**
   * The signed-in person, or null where nobody claims to be.
   *
   * @throws AppError `not_signed_in` for a bearer token that is not valid
   */
  authenticate(credentials: Credentials): Promise<Viewer | null>
  /** Answers requests below /api/auth; null where sign-in happens elsewhere. */
  readonly handle: ((request: Request) => Promise<Response>) | null
}

/**
 * Reads the credentials off a request's headers; an Authorization of another scheme is a proxy's, not ours.
 * A scheme without a token is an empty token, which is a bad one.
 */
export function readCredentials(headers: Headers): Credentials {
  const [, token] = /^Bearer(?: +(.*))?$/i.exec(headers.get('authorization') ?? '') ?? [null, null]
  return { bearer: token === null ? null : (token ?? '').trim(), headers }
}

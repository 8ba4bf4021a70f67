import { NoResponse } from './failure.ts'

/**
 * Gets a session token from a sign-in service; null if the user is signed out. `fresh` bypasses the cache of the service.
 */
export type GetToken = (options: { readonly fresh: boolean }) => Promise<string | null>

/**
 * Session tokens of a hosted sign-in service, sent with calls. Without a source, calls carry no token: the user is signed
 * out, or the session is a cookie.
 */
export class SessionTokens {
  readonly #timeoutMs: number
  #getToken: GetToken | null = null
  #isRejected = false

  /** @param timeoutMs maximum wait for a token */
  constructor(timeoutMs = 8_000) {
    this.#timeoutMs = timeoutMs
  }

  setSource(getToken: GetToken | null): void {
    this.#getToken = getToken
    this.#isRejected = false
  }

  /** Discards a token that the server has rejected. Returns true if the next call can get a fresh one. */
  invalidate(): boolean {
    this.#isRejected = this.#getToken !== null
    return this.#isRejected
  }

  /**
   * Returns the token for a call.
   *
   * @throws NoResponse if the service fails or times out
   */
  async read(): Promise<string | null> {
    if (!this.#getToken) return null
    const fresh = this.#isRejected
    this.#isRejected = false
    const timeout = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('Timed out')), this.#timeoutMs)
    })
    try {
      return await Promise.race([this.#getToken({ fresh }), timeout])
    } catch (cause) {
      throw new NoResponse('The sign-in service returned no session token', { cause })
    }
  }
}

import { NoResponse } from './failure.ts'

/**
 * Gets a session token from a sign-in service; null if the user is signed out. `fresh` bypasses the cache of the service.
 */
export type GetToken = (options: { readonly fresh: boolean }) => Promise<string | null>

/** Session tokens of a user of a hosted sign-in service, sent with calls. */
export class SessionTokens {
  readonly #getToken: GetToken
  readonly #timeoutMs: number
  #isRejected = false

  /** @param timeoutMs maximum wait for a token */
  constructor(getToken: GetToken, timeoutMs = 8_000) {
    this.#getToken = getToken
    this.#timeoutMs = timeoutMs
  }

  /** Discards a token that the server has rejected: the next call gets a fresh one. */
  invalidate(): void {
    this.#isRejected = true
  }

  /**
   * Returns the token for a call.
   *
   * @throws NoResponse if the service fails or times out
   */
  async read(): Promise<string | null> {
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

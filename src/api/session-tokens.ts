import { NoResponse } from './no-answer.ts'

/** Asks a sign-in service for a session token; null where nobody is signed in. `fresh`: not one that it has kept. */
export type AskForToken = (options: { readonly fresh: boolean }) => Promise<string | null>

/**
 * The session tokens that calls carry where a service of its own signs users in. Without a source calls
 * carry none: nobody is signed in there, or the session is a cookie's.
 */
export class SessionTokens {
  readonly #patience: number
  #ask: AskForToken | null = null
  #isRejected = false

  /** @param patience how long a call waits for its token, in milliseconds */
  constructor(patience = 8_000) {
    this.#patience = patience
  }

  /** From now on tokens come from here; null: there are none. */
  takeFrom(ask: AskForToken | null): void {
    this.#ask = ask
    this.#isRejected = false
  }

  /** The server has refused the last token; says whether there may be another, which the next call gets. */
  replace(): boolean {
    this.#isRejected = this.#ask !== null
    return this.#isRejected
  }

  /**
   * The token for a call that is about to be made.
   *
   * @throws NoResponse where the service does not give one, or not in time
   */
  async read(): Promise<string | null> {
    if (!this.#ask) return null
    const fresh = this.#isRejected
    this.#isRejected = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('It took too long')), this.#patience)
    })
    try {
      return await Promise.race([this.#ask({ fresh }), tooLate])
    } catch (cause) {
      throw new NoResponse('The sign-in service gave no session token', { cause })
    } finally {
      clearTimeout(timer)
    }
  }
}

import { AttemptLimiter, rateLimitKey, type AttemptLimits } from '../rate-limits/attempt-limiter.ts'

/** The limits of password attempts; a test replaces them. */
export interface PasswordLimits {
  /** Attempts from one network at one account. */
  readonly network: AttemptLimits
  /** Attempts at one account from wherever it is unknown. */
  readonly strangers: AttemptLimits
  /** Attempts of one browser that signed in to the account before, or within one session. */
  readonly device: AttemptLimits
}

/**
 * Strangers have at most 100 attempts an hour at one account; as one network has far longer to wait, it cannot keep
 * the others waiting all the time.
 */
const defaultLimits: PasswordLimits = {
  network: { freeAttempts: 5, minWaitSeconds: 5, maxWaitSeconds: 5 * 60 },
  strangers: { freeAttempts: 10, minWaitSeconds: 5, maxWaitSeconds: 60 },
  device: { freeAttempts: 10, minWaitSeconds: 5, maxWaitSeconds: 5 * 60 },
}

/** Where an attempt to sign in comes from. */
export interface SignInAttempt {
  /** The account's email address in lower case, whether it exists or not. */
  readonly email: string
  readonly network: string
  /** The device cookie's id, if the browser signed in to this account before. */
  readonly device: string | null
  /** Whether the account has a session that began on this network. */
  readonly isKnownNetwork: boolean
}

/**
 * How a password attempt ended; `void` for one that was refused or failed for another reason than its password.
 */
export type AttemptOutcome = 'right' | 'wrong' | 'void'

interface Count {
  readonly limiter: AttemptLimiter
  readonly key: string
  /** Whether a right password forgets the earlier attempts, which are then known to be the user's own. */
  readonly isOwn: boolean
}

/**
 * Limits attempts to guess a password by account, as one attacker may have many addresses, without letting strangers
 * lock the owner out: a browser that signed in before has a count of its own, and so has a network on which the
 * account has a session.
 *
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#protect-against-automated-attacks
 */
export class PasswordAttempts {
  readonly #secret: string
  readonly #networks: AttemptLimiter
  readonly #strangers: AttemptLimiter
  readonly #devices: AttemptLimiter
  readonly #running = new WeakMap<Request, readonly Count[]>()

  /** @param secret hashes what is counted */
  constructor(secret: string, limits: PasswordLimits = defaultLimits) {
    this.#secret = secret
    this.#networks = new AttemptLimiter(limits.network)
    this.#strangers = new AttemptLimiter(limits.strangers)
    this.#devices = new AttemptLimiter(limits.device)
  }

  /**
   * Counts an attempt to sign in.
   *
   * @throws AppError `rate_limited`
   */
  async beginSignIn(request: Request, attempt: SignInAttempt): Promise<void> {
    const { email, network, device, isKnownNetwork } = attempt
    if (device !== null) return this.#begin(request, [this.#count(this.#devices, true, email, device)])
    const ofNetwork = this.#count(this.#networks, true, email, network)
    if (isKnownNetwork) return this.#begin(request, [ofNetwork])
    await this.#begin(request, [ofNetwork, this.#count(this.#strangers, false, email)])
  }

  /**
   * Counts an attempt to confirm a password within a session. By session, so that a stolen one keeps nobody from
   * changing the password in another.
   *
   * @throws AppError `rate_limited`
   */
  async beginConfirmation(request: Request, sessionId: string): Promise<void> {
    await this.#begin(request, [this.#count(this.#devices, true, sessionId)])
  }

  /** Corrects the counts by an attempt's outcome; does nothing for a request without an attempt. */
  async end(request: Request, outcome: AttemptOutcome): Promise<void> {
    const counts = this.#running.get(request) ?? []
    this.#running.delete(request)
    if (outcome === 'wrong') return
    for (const { limiter, key, isOwn } of counts) {
      await (outcome === 'right' && isOwn ? limiter.reset(key) : limiter.refund(key))
    }
  }

  async #begin(request: Request, counts: readonly Count[]): Promise<void> {
    const consumed: Count[] = []
    this.#running.set(request, consumed)
    for (const count of counts) {
      await count.limiter.consume(count.key)
      consumed.push(count)
    }
  }

  #count(limiter: AttemptLimiter, isOwn: boolean, ...parts: readonly string[]): Count {
    return { limiter, key: rateLimitKey(this.#secret, ...parts), isOwn }
  }
}

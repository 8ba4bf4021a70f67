import {
  countInMemory,
  type Counters,
  AttemptLimiter,
  rateLimitKey,
  type AttemptLimits,
} from '../rate-limits/rate-limiter.ts'

export interface PasswordLimits {
  /** Attempts from one network at one account. */
  readonly network: AttemptLimits
  /** Attempts from one network at any accounts, by unknown browsers. */
  readonly anyAccount: AttemptLimits
  /** Attempts at one account from unknown networks and browsers together. */
  readonly strangers: AttemptLimits
  /** Attempts of one browser that signed in to the account before, or within one session. */
  readonly device: AttemptLimits
}

/**
 * Unknown networks together have at most 100 attempts an hour at one account. A single network has to wait far longer,
 * so that it cannot use up the attempts of the others.
 */
const defaultLimits: PasswordLimits = {
  network: { freeAttempts: 5, minWaitSeconds: 5, maxWaitSeconds: 5 * 60 },
  anyAccount: { freeAttempts: 50, minWaitSeconds: 5, maxWaitSeconds: 60 },
  strangers: { freeAttempts: 10, minWaitSeconds: 5, maxWaitSeconds: 60 },
  device: { freeAttempts: 10, minWaitSeconds: 5, maxWaitSeconds: 5 * 60 },
}

export interface SignInAttempt {
  /** Email in lower case. The account may not exist. */
  readonly email: string
  readonly network: string
  /** Id of the device cookie, if the browser has signed in to this account before. */
  readonly device: string | null
  /** True if the account has a session from this network. */
  readonly isKnownNetwork: boolean
}

/** Outcome of a password attempt; `void` if it was rejected or failed for another reason than its password. */
export type AttemptOutcome = 'right' | 'wrong' | 'void'

interface Count {
  readonly limiter: AttemptLimiter
  readonly key: string
  /** True if a right password resets the count, as the earlier attempts were then the user's own. */
  readonly isOwn: boolean
}

/**
 * Limits password guesses per account, as one attacker may have many addresses, without letting others lock the owner
 * out: a browser that has signed in before has a separate count, and so does a network from which the account has a
 * session.
 *
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#protect-against-automated-attacks
 */
export class PasswordAttempts {
  readonly #secret: string
  readonly #networks: AttemptLimiter
  readonly #anyAccount: AttemptLimiter
  readonly #strangers: AttemptLimiter
  readonly #devices: AttemptLimiter
  readonly #running = new WeakMap<Request, readonly Count[]>()

  /** @param secret key of the hashes under which attempts are counted */
  constructor(secret: string, limits: PasswordLimits = defaultLimits, counters: Counters = countInMemory) {
    this.#secret = secret
    this.#networks = new AttemptLimiter(limits.network, 'passwords-of-network', counters)
    this.#anyAccount = new AttemptLimiter(limits.anyAccount, 'passwords-of-any-account', counters)
    this.#strangers = new AttemptLimiter(limits.strangers, 'passwords-of-strangers', counters)
    this.#devices = new AttemptLimiter(limits.device, 'passwords-of-device', counters)
  }

  /** Counts an attempt to sign in. @throws AppError `rate_limited` */
  async beginSignIn(request: Request, attempt: SignInAttempt): Promise<void> {
    const { email, network, device, isKnownNetwork } = attempt
    if (device !== null) return this.#begin(request, [this.#count(this.#devices, true, email, device)])
    await this.#begin(request, [
      this.#count(this.#networks, true, email, network),
      this.#count(this.#anyAccount, false, network),
      ...(isKnownNetwork ? [] : [this.#count(this.#strangers, false, email)]),
    ])
  }

  /**
   * Counts an attempt to confirm the password within a session. Counted per session, so that a stolen session does not
   * block the owner's.
   *
   * @throws AppError `rate_limited`
   */
  async beginConfirmation(request: Request, sessionId: string): Promise<void> {
    await this.#begin(request, [this.#count(this.#devices, true, sessionId)])
  }

  /** Adjusts the counts to the outcome of an attempt. Does nothing for a request without one. */
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

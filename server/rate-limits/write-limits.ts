import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/**
 * How often the server may be written to, and everything of a user be read at once. Other reading is not limited, and
 * what is costly has limits of its own: the images of a day, those in the making, and sign-in attempts.
 */
export interface WriteLimits {
  /** By the id of who writes, each call of a batch. */
  readonly ofUser: RateLimiter
  /** By the address that the writes come from, which many users may share, each request. */
  readonly ofAddress: RateLimiter
  /** Reports of posts, by the network that they come from: anyone may make them, and users have to read them. */
  readonly ofReports: RateLimiter
  /** Exports of an account, by the id of its user: one reads every row of theirs. */
  readonly ofExports: RateLimiter
}

const minute = 60
const hour = 60 * minute

export function createWriteLimits(): WriteLimits {
  return {
    ofUser: createRateLimiter(240, minute),
    ofAddress: createRateLimiter(1_200, minute),
    ofReports: createRateLimiter(10, 10 * minute),
    ofExports: createRateLimiter(10, hour, 'downloads of your data'),
  }
}

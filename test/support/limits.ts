import { createRateLimiter, type WriteLimits } from '../../server/rate-limits/rate-limiter.ts'

/** Creates write limits that no test reaches, for tests that send more requests than the default limits allow. */
export function unlimitedWrites(): WriteLimits {
  const unlimited = () => createRateLimiter(1_000_000_000, 60)
  return {
    perUser: unlimited(),
    perNetwork: unlimited(),
    reports: unlimited(),
    verifications: unlimited(),
    programs: unlimited(),
    exports: unlimited(),
    indexing: unlimited(),
    encodings: unlimited(),
  }
}

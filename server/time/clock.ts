/** Returns the time in milliseconds since 1970. */
export type Clock = () => number

/**
 * The clock of this process. Use cases get it as `now` of `Services`, where tests set another one; only code without
 * services reads it from here: commands, and what compares times that the system or a library has stored.
 *
 * - This clock dates what users see, and judges everything that was dated by it: expiry, quotas, retention, ages of files.
 * - The database's clock, `dbNow`, judges what several processes compare: leases, claims, due times of a queue.
 * - `performance.now()` measures durations.
 */
export const systemClock: Clock = () => Date.now()

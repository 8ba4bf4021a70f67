import { setTimeout as delay } from 'node:timers/promises'

/**
 * Runs work in at least a fixed time, so that its duration does not reveal what it did. The time must be longer than the
 * work takes.
 */
export async function withMinimumDuration<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = delay(milliseconds)
  try {
    return await work()
  } finally {
    await end
  }
}

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

/** Maximum number of ids whose last write is remembered. A forgotten one costs an extra write. */
const rememberedMax = 10_000

/**
 * Creates a function that writes when something was last used, at most once in an interval. Requests do not wait for it, so that
 * reads succeed while the database rejects writes.
 *
 * @param failed says what could not be recorded, in the log
 */
export function createUseRecorder<Use extends readonly unknown[]>(
  log: Logger,
  failed: string,
  intervalMs: number,
  write: (id: string, usedAt: number, ...use: Use) => Promise<void>,
): (id: string, usedAt: number, ...use: Use) => void {
  const writtenAt = new LRUCache<string, number>({ max: rememberedMax })
  return (id, usedAt, ...use) => {
    if (usedAt - (writtenAt.get(id) ?? -Infinity) < intervalMs) return
    writtenAt.set(id, usedAt)
    write(id, usedAt, ...use).catch((err: unknown) => log.warn({ err, id }, failed))
  }
}

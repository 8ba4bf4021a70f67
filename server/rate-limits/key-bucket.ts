import { createHmac } from 'node:crypto'

/**
 * Maps what is counted to one of 65,536 keys, which bounds a limiter's memory (25 MB with every key in use, by
 * measurement) and keeps email addresses out of it. The hash is keyed, so that nobody can look for a network or an
 * address that shares a count with somebody else's.
 */
export function keyBucket(secret: string, ...parts: readonly string[]): string {
  const hash = createHmac('sha256', secret).update(JSON.stringify(parts)).digest()
  return String(hash.readUInt16BE())
}

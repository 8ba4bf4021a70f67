import { hkdfSync } from 'node:crypto'

/** Derives a key for one purpose from the secret of the site, the same in all of its processes. @param bytes its length */
export function deriveKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))
}

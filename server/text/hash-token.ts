import { createHash } from 'node:crypto'

/** SHA-256 in hex, the only form in which a token is stored. A random token needs neither a salt nor a slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

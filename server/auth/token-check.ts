import { createHash, timingSafeEqual } from 'node:crypto'

/** Tells whether what was sent is the token, in a time that says nothing of it. */
export function createTokenCheck(token: string): (sent: string) => boolean {
  const expected = digest(token)
  // Digests have one length whatever was sent.
  return (sent) => timingSafeEqual(digest(sent), expected)
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

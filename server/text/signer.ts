import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Derives a key for one purpose from the secret of the site, the same in all of its processes. @param bytes its length */
export function deriveKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))
}

/** Signs texts for one purpose, with a key that is derived from the secret of the site. */
export class Signer {
  readonly #key: Buffer

  constructor(secret: string, purpose: string) {
    this.#key = deriveKey(secret, purpose)
  }

  /** Returns the signature of a text, in base64url. */
  sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }

  /** Checks a signature, in a time that says nothing about the right one. */
  isSigned(text: string, signature: string): boolean {
    const [expected, actual] = [Buffer.from(this.sign(text)), Buffer.from(signature)]
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }
}

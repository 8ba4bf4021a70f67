import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Prefix of every API key, by which users and secret scanners recognize one. */
const prefix = 'rgl_'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Number of base-62 digits for 256 bits, and for the 32 bits of the checksum. */
const secretLength = 43
const checksumLength = 6

/** Generates a key: the prefix, 256 random bits and a CRC-32 that detects a truncated or mistyped key. */
export function generateApiKey(): string {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return prefix + secret + checksum(secret)
}

/** Tells API keys from other bearer tokens by their prefix. */
export function isApiKey(token: string): boolean {
  return token.startsWith(prefix)
}

/** Checks length and checksum, without looking the key up. */
export function isCompleteApiKey(key: string): boolean {
  if (key.length !== prefix.length + secretLength + checksumLength) return false
  const secret = key.slice(prefix.length, -checksumLength)
  return isApiKey(key) && key.endsWith(checksum(secret))
}

/** SHA-256 in hex, the only form in which a key is stored. A random key needs neither a salt nor a slow hash. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), checksumLength)
}

function toBase62(value: bigint, length: number): string {
  const base = BigInt(digits.length)
  let text = ''
  for (let rest = value; rest > 0n; rest /= base) text = digits.charAt(Number(rest % base)) + text
  return text.padStart(length, '0')
}

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What every personal token begins with, so that users and scanners know one when they see it. */
const prefix = 'rgl_'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Digits for 256 bits, and for the 32 of the checksum. */
const secretLength = 43
const checksumLength = 6

/** A new token: the prefix, 256 random bits, and a checksum by which a token that was cut or mistyped is known. */
export function makeTokenText(): string {
  const secret = inDigits(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return prefix + secret + checksumOf(secret)
}

/** Whether a bearer token says that it is a personal one, whole or not. */
export function isApiKey(text: string): boolean {
  return text.startsWith(prefix)
}

/** Whether nothing of a personal token is missing or changed; whether anybody has it is another question. */
export function isWholeToken(text: string): boolean {
  if (text.length !== prefix.length + secretLength + checksumLength) return false
  const secret = text.slice(prefix.length, -checksumLength)
  return isApiKey(text) && text.endsWith(checksumOf(secret))
}

/** What is kept of a token. Its text is random enough to need no salt and no slow hash. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checksumOf(secret: string): string {
  return inDigits(BigInt(crc32(secret)), checksumLength)
}

function inDigits(value: bigint, length: number): string {
  const base = BigInt(digits.length)
  let text = ''
  for (let rest = value; rest > 0n; rest /= base) text = digits.charAt(Number(rest % base)) + text
  return text.padStart(length, '0')
}

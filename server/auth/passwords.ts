import { randomInt } from 'node:crypto'

/** Minimum number of distinct characters in a password. */
const distinctMin = 3

/** The most common passwords of sufficient length. */
const commonPasswords = new Set(
  `
  12345678 123456789 1234567890 0123456789 87654321 987654321 0987654321 123123123 12341234 11223344
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx abcdefgh abcd1234 asdfghjkl changeme iloveyou letmein1 passw0rd
  password qwerty12 qwerty123 qwertyui qwertyuiop qwertzui qwertzuiop zxcvbnm1
  `.split(/\s+/),
)

export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Detects passwords that are guessed first. Lenient, as length protects better than rules that users work around. */
export function isWeakPassword(password: string, { email, name }: PasswordOwner): boolean {
  const folded = fold(password)
  if (new Set(folded).size < distinctMin) return true
  const [mailbox = ''] = email.split('@')
  return commonPasswords.has(folded) || [email, mailbox, name].some((known) => fold(known) === folded)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
}

/** Lower-case letters and digits that are not easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groupCount = 4
const groupLength = 5

/** Generates a password of about 100 bits that is easy to read out and type. */
export function generatePassword(): string {
  const character = () => alphabet[randomInt(alphabet.length)]
  const group = () => Array.from({ length: groupLength }, character).join('')
  return Array.from({ length: groupCount }, group).join('-')
}

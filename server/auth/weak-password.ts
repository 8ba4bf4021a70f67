/** The fewest different characters of a password. */
const differentMin = 3

/** What is tried first, as far as it is long enough to be a password here. */
const triedFirst = new Set([
  '12345678',
  '123456789',
  '1234567890',
  '0123456789',
  '87654321',
  '987654321',
  '0987654321',
  '123123123',
  '12341234',
  '11223344',
  '1q2w3e4r',
  '1q2w3e4r5t',
  '1qaz2wsx',
  'abcdefgh',
  'abcd1234',
  'asdfghjkl',
  'changeme',
  'iloveyou',
  'letmein1',
  'passw0rd',
  'password',
  'qwerty12',
  'qwerty123',
  'qwertyui',
  'qwertyuiop',
  'qwertzui',
  'qwertzuiop',
  'zxcvbnm1',
])

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Whether a password would be guessed at once. Lenient: length does more for safety than rules that users work around. */
export function isWeakPassword(password: string, { email, name }: PasswordOwner): boolean {
  const folded = fold(password)
  if (new Set(folded).size < differentMin) return true
  const [mailbox = ''] = email.split('@')
  return triedFirst.has(folded) || [email, mailbox, name].some((known) => fold(known) === folded)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
}

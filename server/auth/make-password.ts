import { randomInt } from 'node:crypto'

/** Small letters and digits that nobody takes for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 5

/** A password of about 100 bits that can be read out and typed off. */
export function makePassword(): string {
  return Array.from({ length: groups }, makeGroup).join('-')
}

function makeGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}

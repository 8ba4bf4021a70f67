import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'

test.each([1, 24, 1_000_000, Number.MAX_SAFE_INTEGER])('a cursor gives its place %i back', (seq) => {
  expect(decodeCursor('post', encodeCursor('post', seq))).toBe(seq)
})

test('a cursor fits into an address as it is', () => {
  expect(encodeCursor('image', Number.MAX_SAFE_INTEGER)).toMatch(/^[A-Za-z0-9_-]+$/)
})

const forged = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  '',
  'x',
  '1',
  'a.b.c',
  encodeCursor('image', 5),
  `${encodeCursor('post', 5)}=`,
  ` ${encodeCursor('post', 5)}`,
  forged('post:0'),
  forged('post:-5'),
  forged('post:05'),
  forged('post:1e3'),
  forged('post:99999999999999999999'),
  forged('post:5 OR 1=1'),
  forged('post:'),
  forged('5'),
])('%j is no cursor of the gallery', (cursor) => {
  expect(() => decodeCursor('post', cursor)).toThrow('The cursor is not one that this server gave out.')
})

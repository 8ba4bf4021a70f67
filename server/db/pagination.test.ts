import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/fuzz/seed.ts'
import { decodeCursor, encodeCursor } from './pagination.ts'

const forged = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  '',
  'a.b.c',
  encodeCursor('image', 5),
  `${encodeCursor('post', 5)}=`,
  ` ${encodeCursor('post', 5)}`,
  ...['post:0', 'post:05', 'post:1e3', 'post:99999999999999999999', 'post:5 OR 1=1', 'post:', '5'].map(
    forged,
  ),
])('rejects %j as a cursor of the gallery', (cursor) => {
  expect(() => decodeCursor('post', cursor)).toThrow('The cursor is not one that this server gave out.')
})

test('decodes every cursor that was encoded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (seq) => {
      expect(decodeCursor('image', encodeCursor('image', seq))).toBe(seq)
    }),
    tries(200),
  )
})

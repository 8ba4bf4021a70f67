import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/fuzz/seed.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { AppError } from '../errors/app-error.ts'
import { decodeCursor, encodeCursor, type CursorKind } from './pagination.ts'

const kind = fc.constantFrom<CursorKind>('post', 'image')
const position = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

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
])('rejects %j as a cursor of the gallery', (cursor) => {
  expect(() => decodeCursor('post', cursor)).toThrow('The cursor is not one that this server gave out.')
})

test('decodes every cursor that was encoded', () => {
  fc.assert(
    fc.property(kind, position, (list, seq) => {
      expect(decodeCursor(list, encodeCursor(list, seq))).toBe(seq)
    }),
    tries(1_000),
  )
})

/** Arbitrary strings, and strings that resemble a cursor. */
const anything = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.base64String(),
  fc
    .tuple(kind, fc.oneof(fc.integer(), fc.double(), fc.string()))
    .map(([list, value]) => Buffer.from(`${list}:${value}`).toString('base64url')),
  fc
    .tuple(kind, position, fc.nat(30), fc.string({ maxLength: 1 }))
    .map(
      ([list, seq, at, change]) =>
        encodeCursor(list, seq).slice(0, at) + change + encodeCursor(list, seq).slice(at),
    ),
)

test('rejects every other string with a message for users', () => {
  fc.assert(
    fc.property(kind, anything, (list, text) => {
      try {
        // An accepted cursor is exactly the one that encoding its position returns.
        expect(encodeCursor(list, decodeCursor(list, text))).toBe(text)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        expect(error).toMatchObject({
          code: 'bad_input',
          message: 'The cursor is not one that this server gave out.',
        })
      }
    }),
    tries(2_000),
  )
})

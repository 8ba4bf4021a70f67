import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { decodeCursor, encodeCursor, type CursorKind } from './cursor.ts'

const kind = fc.constantFrom<CursorKind>('post', 'image')
const place = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

test('any place comes back out of its cursor', () => {
  fc.assert(
    fc.property(kind, place, (list, seq) => {
      expect(decodeCursor(list, encodeCursor(list, seq))).toBe(seq)
    }),
    tries(1_000),
  )
})

/** Anything at all, and what looks much like a cursor. */
const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.base64String(),
  fc
    .tuple(kind, fc.oneof(fc.integer(), fc.double(), fc.string()))
    .map(([list, value]) => Buffer.from(`${list}:${value}`).toString('base64url')),
  fc
    .tuple(kind, place, fc.nat(30), fc.string({ maxLength: 1 }))
    .map(
      ([list, seq, at, change]) =>
        encodeCursor(list, seq).slice(0, at) + change + encodeCursor(list, seq).slice(at),
    ),
)

test('any other text is refused, in our own words', () => {
  fc.assert(
    fc.property(kind, anything, (list, text) => {
      try {
        // What is taken is, to the letter, what would have been given out.
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

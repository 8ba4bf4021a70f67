import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/fuzz/seed.ts'
import { anyText } from '../../../test/support/texts.ts'
import { fold } from './normalize.ts'

/** Taken apart, as Unicode compares texts without case: otherwise the case of a subscript iota moves other marks. */
const apart = anyText.map((text) => text.toWellFormed().normalize('NFD'))

describe('whatever text it is given, fold', () => {
  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(apart, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      tries(2_000),
    )
  })

  test('makes no difference between upper and lower case', () => {
    fc.assert(
      fc.property(apart, (text) => {
        expect(fold(text.toUpperCase())).toBe(fold(text))
        expect(fold(text.toLowerCase())).toBe(fold(text))
      }),
      tries(2_000),
    )
  })

  test('leaves a text that has no case as it is', () => {
    fc.assert(
      fc.property(apart, (text) => {
        fc.pre(text.toLowerCase() === text && text.toUpperCase() === text && !/ι|Ι|\u0345/u.test(text))
        expect(fold(text)).toBe(text.normalize('NFC'))
      }),
      tries(500),
    )
  })

  test('knows every character that has case', () => {
    const strange: string[] = []
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point).toWellFormed().normalize('NFC')
      if (character.toUpperCase() === character.toLowerCase()) continue
      const folded = fold(character)
      const others = [folded, character.toUpperCase(), character.toLowerCase()]
      if (others.some((other) => fold(other) !== folded)) strange.push(point.toString(16))
    }
    expect(strange).toEqual([])
  })
})

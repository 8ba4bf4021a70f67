import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/fuzz/seed.ts'
import { anyText } from '../../test/support/texts.ts'
import { fold } from './search-text.ts'

/** Decomposed, as Unicode's caseless matching requires: otherwise folding a subscript iota moves other marks. */
const apart = anyText.map((text) => text.toWellFormed().normalize('NFD'))

/** The subscript iota, other widths, and optional marks of Arabic. */
const foldedMarks = /ι|Ι|\u0345|[\u0640\u064b-\u0652\u0670\u3000\uff01-\uff9f]/u

describe('for any text, fold', () => {
  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(apart, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      tries(2_000),
    )
  })

  test('ignores case', () => {
    fc.assert(
      fc.property(apart, (text) => {
        expect(fold(text.toUpperCase())).toBe(fold(text))
        expect(fold(text.toLowerCase())).toBe(fold(text))
      }),
      tries(2_000),
    )
  })

  test('does not change a text without case', () => {
    fc.assert(
      fc.property(apart, (text) => {
        fc.pre(text.toLowerCase() === text && text.toUpperCase() === text && !foldedMarks.test(text))
        expect(fold(text)).toBe(text.normalize('NFC'))
      }),
      tries(500),
    )
  })

  test('folds every character that has case', () => {
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

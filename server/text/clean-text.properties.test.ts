import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { promptLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { cpuTime } from '../../test/support/cpu-time.ts'
import { cleanText } from './clean-text.ts'
import { anyText } from '../../test/support/texts.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const charactersOf = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** More combining marks in a row than any script needs. */
const tower = /[\p{Mn}\p{Me}\u200c\u200d]{9}/u
/** An invisible code point. */
const invisible = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800]$/u
const canBeSeen = (text: string) => Array.from(text.toWellFormed()).some((point) => !invisible.test(point))

/** Checks a property of any text. */
const forAnyText = (check: (text: string, most: number) => void) =>
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 60 }), check), tries(3_000))

describe('for any text', () => {
  test('cleanText changes nothing the second time, and never adds characters', () => {
    forAnyText((text) => {
      const cleaned = cleanText(text)
      expect(cleanText(cleaned)).toBe(cleaned)
      expect(charactersOf(cleaned).length).toBeLessThanOrEqual(charactersOf(text).length)
    })
  })

  test('cleanText returns a well-formed line in NFC without controls, overrides and excess marks', () => {
    forAnyText((text) => {
      const cleaned = cleanText(text)
      expect(cleaned.isWellFormed()).toBe(true)
      expect(cleaned.normalize('NFC').trim()).toBe(cleaned)
      expect(cleaned).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
      expect(cleaned).not.toMatch(tower)
    })
  })

  test('cleanText returns nothing exactly if nothing is visible', () => {
    forAnyText((text) => {
      const isEmpty = cleanText(text) === ''
      // Only the first marks of many are kept, and they may all be invisible.
      if (!tower.test(text)) expect(isEmpty).toBe(!canBeSeen(text))
      else if (!canBeSeen(text)) expect(isEmpty).toBe(true)
    })
  })

  test('cleanText keeps a text within a limit that its composed form fits', () => {
    forAnyText((text, most) => {
      const limit = { characters: most, codeUnits: 3 * most }
      if (!exceededLimit(text.normalize('NFC'), limit))
        expect(exceededLimit(cleanText(text), limit)).toBeNull()
    })
  })

  test('exceededLimit counts the characters that users see, and code units', () => {
    forAnyText((text, most) => {
      const codeUnits = 4 * most
      const isTooLong = charactersOf(text).length > most || text.length > codeUnits
      expect(exceededLimit(text, { characters: most, codeUnits }) !== null).toBe(isTooLong)
    })
  })

  test.each(['👩‍👩‍👧‍👦', '👩🏽‍❤️‍💋‍👩🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'क्ष्म्य', '🇮🇳', 'ཧྐྵྨླྺྼྻྂ', 'שּׁ֛ו'])('counts %s as users do', (character) => {
    const count = charactersOf(character).length
    const limit = { characters: 500 * count, codeUnits: 16_000 }
    expect(exceededLimit(character.repeat(500), limit)).toBeNull()
    expect(exceededLimit(character.repeat(500) + 'a', limit)).toBe('characters')
    expect(cleanText(character)).toBe(character.normalize('NFC'))
  })
})

test.each([
  ['marks of two classes, which composing has to sort', 'a', '\u0301\u0323'],
  ['blanks', 'a', '\u3000'],
  ['controls', 'a', '\u0000'],
  ['invisible tags', 'a', '\u{e0067}'],
  ['lone surrogates', 'a', '\ud800'],
  ['half flags', '🇮', '🇮'],
  ['joined women', '👩', '\u200d👩'],
  ['dead consonants', 'क', '्क'],
])('400 KB of %s are cleaned and counted in 1.5 seconds of processor time', (_, first, more) => {
  const flood = first + more.repeat(Math.ceil(400_000 / more.length))
  const start = cpuTime()
  exceededLimit(flood, promptLimit)
  cleanText(flood)
  // Composing so many marks takes ten seconds.
  expect(cpuTime() - start).toBeLessThan(1_500)
})

import { expect, test } from 'vitest'
import { nGramToken, nGrams } from './n-grams.ts'

const tokensIn = (text: string) => new Set(nGrams(text).split(' '))
const tokensOf = (...pieces: string[]) => new Set(pieces.map((piece) => nGramToken(Array.from(piece))))

test.each([
  ['', ['']],
  ['a', ['a']],
  ['ab', ['a', 'b', 'ab']],
  ['abcd', ['a', 'b', 'c', 'd', 'ab', 'bc', 'cd']],
  ['aaaa', ['a', 'aa']],
  ['🪔नि', ['🪔', 'न', 'ि', '🪔न', 'नि']],
  ['a\u0000b', ['a', '\u0000', 'b', 'a\u0000', '\u0000b']],
])('returns the characters and bigrams of %j', (text, pieces) => {
  expect(tokensIn(text)).toEqual(tokensOf(...pieces))
})

test('nGramToken uses four letters and digits per character', () => {
  for (const piece of ['\u0000', '"', '\u{10ffff}', 'AND', 'z\ufffez']) {
    expect(nGramToken(Array.from(piece))).toMatch(/^[0-9a-z]+$/)
    expect(nGramToken(Array.from(piece))).toHaveLength(Array.from(piece).length * 4)
  }
})

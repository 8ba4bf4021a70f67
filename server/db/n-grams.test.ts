import { describe, expect, test } from 'vitest'
import { gram, grams } from './n-grams.ts'

const nGramsOf = (text: string) => new Set(grams(text).split(' '))
const of = (...pieces: string[]) => new Set(pieces.map((piece) => gram(Array.from(piece))))

describe('the grams of a text', () => {
  test.each([
    ['a', ['a']],
    ['ab', ['a', 'b', 'ab']],
    ['abcd', ['a', 'b', 'c', 'd', 'ab', 'bc', 'cd']],
    ['aaaa', ['a', 'aa']],
    ['🪔नि', ['🪔', 'न', 'ि', '🪔न', 'नि']],
    ['a\u0000b', ['a', '\u0000', 'b', 'a\u0000', '\u0000b']],
  ])('%j are its characters and their pairs', (text, pieces) => {
    expect(nGramsOf(text)).toEqual(of(...pieces))
  })

  test('of an empty one are none', () => {
    expect(grams('')).toBe('')
  })

  test('are letters and digits only, and as long as their characters are many', () => {
    for (const piece of ['\u0000', '"', '\u{10ffff}', 'AND', 'z\ufffez']) {
      expect(gram(Array.from(piece))).toMatch(/^[0-9a-z]+$/)
      expect(gram(Array.from(piece))).toHaveLength(Array.from(piece).length * 4)
    }
  })
})

import { describe, expect, test } from 'vitest'
import { promptLimit } from './limits.ts'
import { exceededLimit } from './text-length.ts'

const noUnits = Number.POSITIVE_INFINITY

describe('counts user-perceived characters', () => {
  test.each([
    ['Latin', 'a'],
    ['decomposed Latin', 'e\u0301'],
    ['a Hindi syllable', 'नि'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a couple with skin tones', '👩🏽‍❤️‍💋‍👩🏿'],
    ['a flag', '🇮🇳'],
    ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a Chinese sign beyond the first plane', '𠜎'],
    ['a letter with a mountain of marks', `a${'\u0301'.repeat(500)}`],
  ])('%s', (_, character) => {
    const limit = { characters: 80, codeUnits: noUnits }
    expect(exceededLimit(character.repeat(80), limit)).toBeNull()
    expect(exceededLimit(character.repeat(81), limit)).toBe('characters')
  })
})

describe('limits code units as well', () => {
  test.each([
    ['Hindi with clusters', 'क्षि', 4_000],
    ['emoji with a skin tone', '👩🏽', 4_000],
    ['families', '👩‍👩‍👧‍👦', 1_454],
    ['one letter under all marks', `a${'\u0301'.repeat(15_999)}`, 1],
  ])('a prompt of %s', (_, character, count) => {
    const text = character.repeat(count)
    expect(text.length).toBeGreaterThan(15_900)
    expect(exceededLimit(text, promptLimit)).toBeNull()
    expect(
      exceededLimit(text + character.repeat(Math.ceil(100 / character.length)), promptLimit),
    ).not.toBeNull()
  })

  test('reports characters if both limits are exceeded', () => {
    expect(exceededLimit('a'.repeat(1_000_000), promptLimit)).toBe('characters')
    expect(exceededLimit('👩‍👩‍👧‍👦'.repeat(4_000), promptLimit)).toBe('codeUnits')
  })
})

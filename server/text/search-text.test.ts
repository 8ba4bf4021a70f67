import { describe, expect, test } from 'vitest'
import { fold, searchText } from './search-text.ts'

describe('fold returns the same for texts that differ in case, width or optional marks', () => {
  test.each([
    ['accents', 'Émilie', 'éMILIE'],
    ['German ß, SS and the capital of ß', 'Straße Straße', 'STRASSE STRAẞE'],
    ['Greek with a final sigma, two marks and iota below', 'Οδυσσεύς Μαΐου ᾳ', 'ΟΔΥΣΣΕΎΣ ΜΑΪ́ΟΥ ᾼ'],
    ['Cyrillic', 'ёлка', 'ЁЛКА'],
    ['Turkish dotted and dotless i', 'İstanbul ışık', 'istanbul IŞIK'],
    ['a dotted I with another mark or dot', 'i\u094d\u0307 i\u0307', 'I\u094d\u0307 I\u0307\u0307'],
    ['Armenian and Georgian', 'Երևան თბილისი', 'ԵՐԵՒԱՆ ᲗᲑᲘᲚᲘᲡᲘ'],
    ['a ligature', 'ﬁre', 'FIRE'],
    ['a caron that has no capital', 'ǰ', 'J̌'],
    ['decomposed and composed', 'Ame\u0301lie', 'AMÉLIE'],
    ['Arabic vowels and tatweel', 'الرَّحْمـٰن', 'الرحمن'],
    ['full width and half-width katakana', 'ＬＯＴＵＳ　ﾊﾟﾝﾀﾞ', 'lotus パンダ'],
  ])('%s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other))
  })
})

test.each([
  ['दीवाली', 'दिवाली'],
  ['résumé', 'resume'],
  ['上海', '上每'],
  ['が', 'か'],
  ['क़लम', 'कलम'],
  ['على', 'علي'],
  ['أحمد', 'احمد'],
])('%s and %s stay different', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
})

test('no term matches across the name and the prompt', () => {
  const text = searchText('Asha', 'Rao dances')
  expect(text).toContain('asha')
  expect(text).toContain('rao dances')
  for (const term of ['ashar', 'asha rao', 'a r']) expect(text).not.toContain(term)
})

import { describe, expect, test } from 'vitest'
import { fold, searchText } from './search-text.ts'

describe('fold returns the same for texts that differ only in case', () => {
  test.each([
    ['Latin', 'Lotus', 'LOTUS'],
    ['accents', 'Émilie', 'éMILIE'],
    ['German ß and SS', 'Straße', 'STRASSE'],
    ['German ß and its capital', 'Straße', 'STRAẞE'],
    ['Greek final sigma', 'Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
    ['Greek with two marks', 'Μαΐου', 'ΜΑΪ́ΟΥ'],
    ['Greek with iota below', 'ᾳ', 'ᾼ'],
    ['Cyrillic', 'ёлка', 'ЁЛКА'],
    ['Turkish dotted I', 'İstanbul', 'istanbul'],
    ['a dotted I with another mark', 'i\u094d\u0307', 'I\u094d\u0307'],
    ['a dotted I with another dot', 'I\u0307\u0307', 'i\u0307'],
    ['Turkish dotless ı', 'ışık', 'IŞIK'],
    ['Armenian', 'Երևան', 'ԵՐԵՒԱՆ'],
    ['Georgian', 'თბილისი', 'ᲗᲑᲘᲚᲘᲡᲘ'],
    ['a ligature', 'ﬁre', 'FIRE'],
    ['a caron that has no capital', 'ǰ', 'J̌'],
    ['decomposed and composed', 'Ame\u0301lie', 'AMÉLIE'],
  ])('%s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other))
  })
})

test.each([
  ['दीवाली', 'दिवाली'],
  ['résumé', 'resume'],
  ['上海', '上每'],
])('%s and %s stay different', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
})

test('no term matches across the name and the prompt', () => {
  const text = searchText('Asha', 'Rao dances')
  expect(text).toContain('asha')
  expect(text).toContain('rao dances')
  for (const term of ['ashar', 'asha rao', 'a r']) expect(text).not.toContain(term)
})

import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

describe('cleanText', () => {
  test.each([
    ['keeps plain text', 'A lotus at dawn', 'A lotus at dawn'],
    ['keeps markup', '<b>& "quotes"</b>', '<b>& "quotes"</b>'],
    ['keeps Hindi with its joiners', 'क्‍ष दीवाली', 'क्‍ष दीवाली'],
    ['keeps a family in one piece', '👩‍👩‍👧', '👩‍👩‍👧'],
    ['trims', '  \t lotus \u00a0\u3000', 'lotus'],
    ['puts several lines on one', 'one\r\ntwo\nthree', 'one two three'],
    ['puts Unicode lines on one', 'one\u2028two\u2029three', 'one two three'],
    ['replaces control characters', 'a\u0000b\u001fc\u0085d\u007fe', 'a b c d e'],
    ['removes directional overrides', 'abc\u202edef\u202c\u2066ghi\u2069', 'abcdefghi'],
    ['keeps the directional marks of Hebrew and Arabic', 'שלום\u200f!', 'שלום\u200f!'],
    ['replaces lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['composes', 'e\u0301', '\u00e9'],
    ['composes characters that an override separated', 'e\u202e\u0301', '\u00e9'],
    ['keeps eight marks on a letter', `x${'\u0301'.repeat(8)}`, `x${'\u0301'.repeat(8)}`],
    ['removes the ninth', `x${'\u0301'.repeat(9)}y`, `x${'\u0301'.repeat(8)}y`],
    [
      'limits marks with joiners between them',
      `x${'\u0301\u200d'.repeat(50)}`,
      `x${'\u0301\u200d'.repeat(4)}`,
    ],
    ['limits marks that composing splits', `月${'\u0344'.repeat(8)}`, `月${'\u0308\u0301'.repeat(4)}`],
    ['keeps the highest Tibetan stack', 'ཧྐྵྨླྺྼྻྂ', 'ཧྐྵྨླྺྼྻྂ'],
    ['returns nothing for an empty text', '', ''],
    ['returns nothing for blanks', ' \u00a0\u2003\n', ''],
    ['returns nothing for zero-width characters', '\u200b\u200d\ufeff\u2060', ''],
    ['returns nothing for overrides', '\u202e\u202c', ''],
    ['returns nothing for invisible letters', '\u3164\u115f\uffa0', ''],
    ['returns nothing for the empty braille cell', '\u2800', ''],
    ['returns nothing for a lone variation selector', '\ufe0f', ''],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected)
  })
})

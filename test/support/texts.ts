import * as fc from 'fast-check'

/** Characters that need special treatment. */
const difficult = [
  '',
  // White space, controls and invisible characters.
  ...Array.from(
    ' \u00a0\u3000\u0000\n\u001f\u0085\u2028\u202e\u2066\u2069\u200b\u200c\u200d\u200f\ufe0f\ufeff\u2800\u3164',
  ),
  '\ud800',
  '\udc00',
  ...Array.from('\ufffd\ufffe'),
  // Letters whose case or normalization changes their length.
  ...Array.from('eiIıİßẞςΣᾳΐǰﬁÅ'),
  ...Array.from('\u0301\u0323\u0307\u0344\u0345\u0489\u20dd\u0958\ufb2c'),
  // Clusters of several characters.
  ...'\u1d160 क \u094d नि क्ष ᄀ ᅡ ᆨ 月 𠜎 🪔 🏽 👩‍👩‍👧‍👦 👩🏽‍❤️‍💋‍👩🏿 🇮 🏴󠁧󠁢󠁥󠁮󠁧󠁿'.split(' '),
  // Syntax of SQL, search, JSON and HTML.
  ...Array.from('%_\\\'"*<'),
]

const firstSurrogate = 0xd800
const surrogates = 0x800

/**
 * Any code point that is a character: the unit `binary` of fast-check's strings, without its table of a million characters,
 * which takes a second to create.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates })
  .map(toCharacter, (character) => {
    const codePoint = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0
    const index = codePoint < firstSurrogate ? codePoint : codePoint - surrogates
    if (toCharacter(index) !== character) throw new Error('not a character')
    return index
  })

function toCharacter(index: number): string {
  return String.fromCodePoint(index < firstSurrogate ? index : index + surrogates)
}

const character = fc.oneof(
  fc.constantFrom(...difficult),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
)

/** A character with many combining marks. */
const tower = fc
  .tuple(
    character,
    fc.array(fc.constantFrom('\u0301', '\u0323', '\u0344', '\u0489', '\u200d', '\ufe0f'), { maxLength: 40 }),
  )
  .map(([base, marks]) => base + marks.join(''))

/** Texts of any characters, including unassigned ones and lone surrogates. */
export const anyText = fc
  .array(fc.oneof({ weight: 6, arbitrary: character }, tower), { maxLength: 40 })
  .map((parts) => parts.join(''))

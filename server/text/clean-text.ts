/** Directional overrides and isolates, which make text around them read backwards. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
const lineBreaksAndControls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Spaces, formatting, what fonts may ignore (Hangul fillers, variation selectors), and the empty braille cell. */
const nothingVisible = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*$/u

/** One form for what people type: NFC, well-formed, on one line, without control characters, trimmed; '' if nothing of it can be seen. */
export function cleanText(text: string): string {
  const cleaned = text
    .toWellFormed()
    .replace(directionControls, '')
    .replace(lineBreaksAndControls, ' ')
    .normalize('NFC')
    .trim()
  return nothingVisible.test(cleaned) ? '' : cleaned
}

/** Whether a text has more than `most` characters as people see them, where 👩‍👩‍👧 and नि are one each. */
export function isLongerThan(text: string, most: number): boolean {
  // A character takes at least one code unit, and what takes very many is no character that anybody writes.
  if (text.length <= most) return false
  if (text.length > most * 16) return true
  let characters = 0
  for (const _ of graphemes.segment(text)) {
    characters += 1
    if (characters > most) return true
  }
  return false
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Directional overrides and isolates, which reverse the text around them. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
const lineBreaksAndControls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Spaces, formatting, ignorable characters (Hangul fillers, variation selectors) and the empty braille cell. */
const invisible = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*$/u

/**
 * Combining marks on one character, and joiners between them, from the ninth on. Biblical Hebrew, Burmese and the highest
 * Tibetan stacks need at most eight; hundreds would be drawn across the whole page.
 */
const excessMarks = /([\p{Mn}\p{Me}\u200c\u200d]{8})[\p{Mn}\p{Me}\u200c\u200d]+/gu

/**
 * Normalizes text from users: NFC, well-formed, a single line, trimmed, without control characters or excess combining
 * marks. Returns '' if nothing is visible.
 */
export function cleanText(text: string): string {
  const plain = text.toWellFormed().replace(directionControls, '').replace(lineBreaksAndControls, ' ')
  // Limits marks before composing, which would take minutes for thousands, and after it, which splits some marks in two.
  const cleaned = limitMarks(limitMarks(plain).normalize('NFC')).trim()
  return invisible.test(cleaned) ? '' : cleaned
}

function limitMarks(text: string): string {
  return text.replace(excessMarks, '$1')
}

/** Directional overrides and isolates, which make text around them read backwards. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
const lineBreaksAndControls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Spaces, formatting, what fonts may ignore (Hangul fillers, variation selectors), and the empty braille cell. */
const nothingVisible = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*$/u

/**
 * Marks that stack on one character, and the joiners that could stand between them, from the ninth on. Biblical Hebrew,
 * Burmese and the highest Tibetan stacks get by with eight; hundreds would be drawn across the whole page.
 */
const marksBeyondWriting = /([\p{Mn}\p{Me}\u200c\u200d]{8})[\p{Mn}\p{Me}\u200c\u200d]+/gu

/**
 * One form for what users type: NFC, well-formed, on one line, without control characters or towers of marks,
 * trimmed; '' if nothing of it can be seen.
 */
export function cleanText(text: string): string {
  const plain = text.toWellFormed().replace(directionControls, '').replace(lineBreaksAndControls, ' ')
  // Before composing, which takes minutes for a long tower; and after it, as some marks come apart into two.
  const cleaned = limitMarks(limitMarks(plain).normalize('NFC')).trim()
  return nothingVisible.test(cleaned) ? '' : cleaned
}

function limitMarks(text: string): string {
  return text.replace(marksBeyondWriting, '$1')
}

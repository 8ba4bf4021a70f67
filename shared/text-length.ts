import type { TextLimit } from './limits.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the limit that a text exceeds, `characters` first; null if it fits. 👩‍👩‍👧 and नि are one character each. */
export function exceededLimit(text: string, { characters, codeUnits }: TextLimit): keyof TextLimit | null {
  if (text.length <= characters) return null
  let count = 0
  // Segments no more than the limit of code units, so that a long text costs no more than one that fits.
  for (const _ of graphemes.segment(text.slice(0, codeUnits))) {
    count += 1
    if (count > characters) return 'characters'
  }
  return text.length > codeUnits ? 'codeUnits' : null
}

/** Shortens a text to a limit, at the end of a character. */
export function truncateText(text: string, { characters, codeUnits }: TextLimit): string {
  let end = 0
  let count = 0
  for (const { index, segment } of graphemes.segment(text)) {
    if (count === characters || index + segment.length > codeUnits) break
    count += 1
    end = index + segment.length
  }
  return text.slice(0, end)
}

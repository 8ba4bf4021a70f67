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

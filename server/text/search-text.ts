/** Never occurs in cleaned text, so that no term matches across the end of a name and the start of a prompt. */
const separator = '\u001f'

/** Returns the text that a post is searched by: its author's name and prompt, folded. */
export function searchText(name: string, prompt: string): string {
  return fold(name) + separator + fold(prompt)
}

/** Returns the folded prompt in the text of `searchText`; empty if it is hidden. */
export function promptIn(text: string): string {
  return text.slice(text.indexOf(separator) + 1)
}

/** Returns the folded term of a search; one of nothing but optional marks as it is, so that it finds nothing. */
export function searchTerm(text: string): string {
  return (fold(text).trim() || text).toWellFormed()
}

/** Full-width ASCII and spaces, and half-width katakana. */
const otherWidth = /[\u3000\uff01-\uff9f]+/g

/** Vowel marks of Arabic, which most texts lack, and the tatweel, which only stretches a word. */
const optionalInArabic = /[\u0640\u064b-\u0652\u0670]/g

/**
 * Folds the case of a text, in every script that has case, widths, and optional marks of Arabic. Letters remain, also those
 * that Arabic search often unites: words are shown as they are folded, and the name علي would be a part of every على.
 * Converts to upper case, since some letters (ß, ı, final ς) have no lower-case form of their own that equals the others';
 * and to lower case before that, since some capitals (ẞ) do only then. Decomposes meanwhile, because a subscript iota
 * becomes a letter.
 */
export function fold(text: string): string {
  const narrow = text.replace(otherWidth, (characters) => characters.normalize('NFKC'))
  const plain = narrow.normalize('NFD').replace(optionalInArabic, '')
  const folded = plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.normalize('NFD').replace(marksOfI, withoutDot).normalize('NFC')
}

/** The dot of a capital İ remains as a combining mark, possibly among others. */
const marksOfI = /i\p{M}+/gu

function withoutDot(letter: string): string {
  return letter.replaceAll('\u0307', '')
}

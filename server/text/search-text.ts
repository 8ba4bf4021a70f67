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

/**
 * Folds the case of a text, in every script that has case. Converts to upper case, since some letters (ß, ı, final ς) have
 * no lower-case form of their own that equals the others'; and to lower case before that, since some capitals (ẞ) do only
 * then. Decomposes meanwhile, because a subscript iota becomes a letter.
 */
export function fold(text: string): string {
  const folded = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFD').replace(marksOfI, withoutDot).normalize('NFC')
}

/** The dot of a capital İ remains as a combining mark, possibly among others. */
const marksOfI = /i\p{M}+/gu

function withoutDot(letter: string): string {
  return letter.replaceAll('\u0307', '')
}

/** Can't occur in cleaned text, so that no term matches across a name's end and a prompt's beginning. */
const separator = '\u001f'

/** What a post is searched by: its author and prompt, folded. */
export function searchText(name: string, prompt: string): string {
  return fold(name) + separator + fold(prompt)
}

/**
 * Makes texts comparable without regard to case, in every script that has case. By way of upper case, as some
 * letters (ß, ı, final ς) have no lower-case form of their own that would meet the others; and lower case before
 * it, as some capitals (ẞ) meet theirs only there. Taken apart meanwhile, as a subscript iota becomes a letter.
 */
export function fold(text: string): string {
  const folded = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFD').replace(marksOfI, withoutDot).normalize('NFC')
}

/** The dot of a capital İ stays behind as a mark of its own, perhaps among others. */
const marksOfI = /i\p{M}+/gu

function withoutDot(letter: string): string {
  return letter.replaceAll('\u0307', '')
}

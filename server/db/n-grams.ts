/** The longest term, in characters, that is looked up as one gram; FTS5 finds longer ones by their trigrams. */
export const maxNGramLength = 2

/**
 * Every character in a text and every two neighbours, each as a token that no tokenizer takes apart. SQLite calls
 * this from the triggers that keep `posts_grams`: two versions of it must never write one database.
 */
export function grams(text: string): string {
  const tokens = new Set<string>()
  let previous = ''
  for (const character of text) {
    const token = tokenOf(character)
    tokens.add(token)
    if (previous) tokens.add(previous + token)
    previous = token
  }
  return [...tokens].join(' ')
}

/** The token that one or two characters stand for. */
export function gram(characters: readonly string[]): string {
  return characters.map(tokenOf).join('')
}

/** Four digits are enough for every character, so that no token can be mistaken for another. */
function tokenOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(36).padStart(4, '0')
}

import { sql } from 'kysely'

/** Longest term, in characters, that is looked up as a single n-gram; FTS5 finds longer ones by their trigrams. */
export const maxNGramLength = 2

/**
 * Returns every character of a text and every bigram as tokens for FTS5, separated by spaces. Triggers call it to maintain
 * `posts_grams`, so that its output for a text must never change.
 */
export function nGrams(text: string): string {
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

/** Returns the token of one or two characters. */
export function nGramToken(characters: readonly string[]): string {
  return characters.map(tokenOf).join('')
}

/** Encodes a character in four letters and digits, enough for every code point, so that no two tokens are equal. */
function tokenOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(36).padStart(4, '0')
}

/**
 * Posts are searched in blocks of 2^13 numbers of `seq`. SQLite blocks the process while it works; searching one block
 * takes milliseconds.
 */
export const blockBits = 13

/** Characters (code points) of a post's text that take up one number of a block. */
const charactersPerNumber = 128

/**
 * Returns the `seq` of a new post, which takes up as many numbers as its text is long. A block therefore has about a
 * million characters at most, and searching it takes no longer if texts are long.
 */
export function nextPostSeq(searchText: string) {
  return sql<number>`
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'posts')
      + max(1, length(${searchText}) / ${sql.lit(charactersPerNumber)})`
}

export function blockOf(seq: number): number {
  return Math.floor(seq / 2 ** blockBits)
}

/** Private-use character of the first block. */
const firstMark = 0xf_00_00

/**
 * Returns the trigram that precedes the texts of a block's posts in `posts_trigrams`. FTS5 looks for the next match of a
 * phrase however far away it is; with the mark in the query, it stops at the end of the block. A trigger writes it.
 */
export function blockMark(block: number): string {
  return String.fromCodePoint(firstMark + block).repeat(3)
}

/**
 * Returns the trigram that precedes the texts of a user's images in `images_trigrams`, and the token in `images_grams`. Some
 * other users have the same: it only makes a search cheap on a site of many users. Migration 0039 writes them.
 */
export function ownerMark(ownerId: string): { readonly trigram: string; readonly token: string } {
  const end = Array.from(`  ${ownerId}`).slice(-2).join('')
  return {
    trigram: String.fromCodePoint(firstMark) + end,
    token: `o${Buffer.from(end).toString('hex').toUpperCase()}`,
  }
}

/**
 * Returns the pattern for a term of at least three characters in a full-text table of trigrams whose texts begin with a mark.
 * With `isExact` false, some of the rows found do not contain the term.
 */
export function trigramQuery(
  characters: readonly string[],
  mark: string,
): { readonly pattern: string; readonly isExact: boolean } {
  const term = characters.join('')
  const trigrams = characters.slice(2).map((_, from) => characters.slice(from, from + 3).join(''))
  const isPhrase = characters.length <= maxPhraseLength && !isRepetitive(trigrams)
  const phrases = [mark, ...(isPhrase ? [term] : sampleTrigrams(trigrams))]
  const quoted = phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' ')
  return { pattern: `NEAR(${quoted}, ${anyDistance})`, isExact: isPhrase && !ambiguous.test(term) }
}

/** Maximum distance between the mark and a term, in characters: longer than any text. */
const anyDistance = 100_000_000

/** Longest term, in characters, that is looked up as a phrase: each trigram of a phrase costs time. */
const maxPhraseLength = 12

/**
 * Reports whether a trigram occurs more than twice. A phrase visits every position of each of its trigrams: in a text of
 * 4,000 equal letters, `aaaaaaaaaaaa` would visit ten times the text.
 */
function isRepetitive(trigrams: readonly string[]): boolean {
  return trigrams.some((trigram) => trigrams.filter((other) => other === trigram).length > 2)
}

/** Picks up to four different trigrams of a term, from its start to its end. */
function sampleTrigrams(trigrams: readonly string[]): readonly string[] {
  const last = trigrams.length - 1
  const picked = [0, 1 / 3, 2 / 3, 1].map((part) => trigrams[Math.floor(last * part)] ?? '')
  return [...new Set(picked)]
}

/** Characters that FTS5's trigrams do not distinguish, and the private-use characters of marks. */
const ambiguous = /[\ufffd-\uffff\u{f0000}-\u{10ffff}]/u

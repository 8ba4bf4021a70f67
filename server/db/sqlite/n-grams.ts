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
 * phrase however far away it is; with the mark in the query, it stops at the end of the block. Migration 0006 writes it.
 */
export function blockMark(block: number): string {
  return String.fromCodePoint(firstMark + block).repeat(3)
}

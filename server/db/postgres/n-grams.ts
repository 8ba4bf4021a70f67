import { sql, type RawBuilder } from 'kysely'

/** Longest n-gram of the indexes, in characters. */
export const maxNGramLength = 3

/** Returns the n-grams that every text with a term has: its trigrams, or a shorter term itself. */
export function nGramNumbers(term: string): RawBuilder<unknown> {
  const characters = Array.from(term)
  const length = Math.min(characters.length, maxNGramLength)
  const numbers = new Set(
    characters.slice(length - 1).map((_, from) => nGramNumber(characters.slice(from, from + length))),
  )
  return sql`${`{${[...numbers].join(',')}}`}::bigint[]`
}

/** Packs up to three code points of 21 bits into a number, as `n_grams` does. */
function nGramNumber(characters: readonly string[]): bigint {
  return characters.reduce((packed, character) => (packed << 21n) | BigInt(character.codePointAt(0) ?? 0), 0n)
}

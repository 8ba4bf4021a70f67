import type { VocabularyEntry } from '../design.ts'
import type { ColorName } from '../named-colors.ts'
import { animals } from './animals.ts'
import { colorWords } from './color-words.ts'
import { elements } from './elements.ts'
import { festivals } from './festivals.ts'
import { forms } from './forms.ts'
import { moods } from './moods.ts'
import { objects } from './objects.ts'
import { people } from './people.ts'
import { plants } from './plants.ts'

/** Meaning of a word. `kind` determines the precedence of entries, see `interpretPrompt`. */
export interface Meaning {
  readonly kind: 'form' | 'festival' | 'thing' | 'mood'
  readonly entry: VocabularyEntry
}

/** All known words with their meanings, each listed once. */
export const lexicon: readonly (readonly [word: string, meaning: Meaning])[] = [
  ...wordsOf('form', forms),
  ...wordsOf('festival', festivals),
  ...wordsOf('thing', [...objects, ...people, ...elements, ...plants, ...animals]),
  ...wordsOf('mood', moods),
]

const meanings = new Map(lexicon)
const colorNames = new Map(
  colorWords.flatMap(([name, words]) => splitWords(words).map((word): [string, ColorName] => [word, name])),
)

/** Returns the meaning of a word in lower case, or undefined if it is unknown. */
export function findMeaning(word: string): Meaning | undefined {
  return lookUp(meanings, word)
}

/** Returns the color that a word in lower case names, or undefined. */
export function findColor(word: string): ColorName | undefined {
  return lookUp(colorNames, word)
}

/** Splits a text into words in lower case; an emoji counts as a word. */
export function splitWords(text: string): readonly string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu)
  return words ?? []
}

function wordsOf(
  kind: Meaning['kind'],
  entries: readonly VocabularyEntry[],
): readonly (readonly [string, Meaning])[] {
  return entries.flatMap((entry) => {
    const meaning = { kind, entry }
    return splitWords(entry.words).map((word) => [word, meaning] as const)
  })
}

/** Looks up a word, then the word without the ending of an English plural. */
function lookUp<T>(map: ReadonlyMap<string, T>, word: string): T | undefined {
  return (
    map.get(word) ??
    map.get(word.replace(/ies$/, 'y')) ??
    map.get(word.replace(/s$/, '')) ??
    map.get(word.replace(/es$/, ''))
  )
}

import type { VocabularyEntry } from '../design.ts'
import type { ColorName } from '../named-colors.ts'
import { animals } from './animals.ts'
import { colorWords } from './color-words.ts'
import { elements, scenes } from './elements.ts'
import { festivals } from './festivals.ts'
import { forms } from './forms.ts'
import { moods } from './moods.ts'
import { objects } from './objects.ts'
import { people } from './people.ts'
import { plants } from './plants.ts'
import { normalizeSpelling, possibleForms } from './word-forms.ts'

/** Meaning of a word. `kind` determines the precedence of entries, see `interpretPrompt`. */
export interface Meaning {
  readonly kind: 'form' | 'festival' | 'thing' | 'scene' | 'mood'
  readonly entry: VocabularyEntry
}

/** All known words and pairs of words with their meanings, each listed once. */
export const lexicon: readonly (readonly [word: string, meaning: Meaning])[] = [
  ...wordsOf('form', forms),
  ...wordsOf('festival', festivals),
  ...wordsOf('thing', [...objects, ...people, ...elements, ...plants, ...animals]),
  ...wordsOf('scene', scenes),
  ...wordsOf('mood', moods),
]

const meanings = new Map(lexicon)
const colorNames = new Map(
  colorWords.flatMap(([name, words]) => splitWords(words).map((word): [string, ColorName] => [word, name])),
)

/** A known word or pair of words in a list of words. */
export interface FoundMeaning {
  readonly meaning: Meaning
  /** Index of the first word. */
  readonly index: number
  readonly words: 1 | 2
}

/** Finds the known words and pairs of words in a list, in its order. */
export function findMeanings(words: readonly string[]): readonly FoundMeaning[] {
  const found: FoundMeaning[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const ofPair = meanings.get(`${word} ${words[index + 1] ?? ''}`)
    const meaning = ofPair ?? lookUp(meanings, word)
    if (meaning !== undefined) found.push({ meaning, index, words: ofPair ? 2 : 1 })
    if (ofPair !== undefined) index++
  }
  return found
}

/** Returns the color that a word names, or undefined. */
export function findColor(word: string): ColorName | undefined {
  return lookUp(colorNames, word)
}

/** Splits a text into words without differences of spelling; an emoji counts as a word. */
export function splitWords(text: string): readonly string[] {
  const words = normalizeSpelling(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu)
  return words ?? []
}

function wordsOf(
  kind: Meaning['kind'],
  entries: readonly VocabularyEntry[],
): readonly (readonly [string, Meaning])[] {
  return entries.flatMap((entry) => {
    const meaning = { kind, entry }
    const phrases = entry.phrases?.split(',').map((phrase) => splitWords(phrase).join(' ')) ?? []
    return [...splitWords(entry.words), ...phrases].map((word) => [word, meaning] as const)
  })
}

/** Looks up a word, then those of which it may be an inflected form. */
function lookUp<T>(map: ReadonlyMap<string, T>, word: string): T | undefined {
  for (const form of possibleForms(word)) {
    const value = map.get(form)
    if (value !== undefined) return value
  }
  return undefined
}

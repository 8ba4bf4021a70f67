import type { ColourName } from '../colors.ts'
import { animals } from './animals.ts'
import { colourWords } from './color-words.ts'
import { elements } from './elements.ts'
import type { Entry } from './entry.ts'
import { festivals } from './festivals.ts'
import { forms } from './forms.ts'
import { moods } from './moods.ts'
import { objects } from './objects.ts'
import { people } from './people.ts'
import { plants } from './plants.ts'

/** What is known of one word; `rank` says whose wishes come first. */
export interface Meaning {
  readonly rank: 'form' | 'festival' | 'thing' | 'mood'
  readonly entry: Entry
}

/** Every known word with its meaning; a test sees to it that none is listed twice. */
export const lexicon: readonly (readonly [word: string, meaning: Meaning])[] = [
  ...wordsOf('form', forms),
  ...wordsOf('festival', festivals),
  ...wordsOf('thing', [...objects, ...people, ...elements, ...plants, ...animals]),
  ...wordsOf('mood', moods),
]

const meanings = new Map(lexicon)
const colourOf = new Map(
  colourWords.flatMap(([name, words]) => split(words).map((word): [string, ColourName] => [word, name])),
)

export function findMeaning(word: string): Meaning | undefined {
  return firstKnown(meanings, word)
}

export function findColour(word: string): ColourName | undefined {
  return firstKnown(colourOf, word)
}

/** The words of a text, in lower case; an emoji is a word. */
export function split(text: string): readonly string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu)
  return words ?? []
}

function wordsOf(rank: Meaning['rank'], entries: readonly Entry[]): readonly (readonly [string, Meaning])[] {
  return entries.flatMap((entry) => {
    const meaning = { rank, entry }
    return split(entry.words).map((word) => [word, meaning] as const)
  })
}

/** Tries the word as it is, then without the endings of an English plural. */
function firstKnown<T>(known: ReadonlyMap<string, T>, word: string): T | undefined {
  return (
    known.get(word) ??
    known.get(word.replace(/ies$/, 'y')) ??
    known.get(word.replace(/s$/, '')) ??
    known.get(word.replace(/es$/, ''))
  )
}

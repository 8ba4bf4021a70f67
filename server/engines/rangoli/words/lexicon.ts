import type { Relation, VocabularyEntry } from '../design.ts'
import { hasMotif, loadFigures, type MotifName } from '../figures/catalog.ts'
import type { ColorName } from '../named-colors.ts'
import { isUnspaced, languagesOf, possibleForms, splitWords } from './spelling.ts'
import data from './words.json' with { type: 'json' }

/** Lists of entries of `words.json`, with the kind of their meanings. */
const kinds = {
  /** Kinds of drawings. They determine the layout before all other words, which determine the subject. */
  forms: 'form',
  festivals: 'festival',
  objects: 'thing',
  people: 'thing',
  /** Fire, mountains and what is in the sky. */
  elements: 'thing',
  /** Flowers, trees, fruit and seasons. */
  plants: 'thing',
  animals: 'thing',
  scenes: 'scene',
  moods: 'mood',
} as const

type ListName = keyof typeof kinds

interface Vocabulary extends Readonly<Record<ListName, readonly VocabularyEntry[]>> {
  /** Words that name a color. They take precedence over the colors of the subjects in a prompt. */
  readonly colors: Readonly<Record<string, readonly string[]>>
  /** Words from `2` to `9`. */
  readonly numbers: Readonly<Record<string, string>>
  readonly relations: Readonly<Record<Relation, string>>
  /** Figures of places and times: beside another figure they only color the drawing. */
  readonly settings: Readonly<Record<MotifName, Pick<VocabularyEntry, 'colors' | 'backgrounds'>>>
  /** Words that show nothing, of languages by their codes. */
  readonly ignored: Readonly<Record<string, string>>
}

/** Words that the engine knows. A test checks that the names in the file exist. */
export const vocabulary = data as Vocabulary

/** Meaning of a word. `kind` determines the precedence of entries, see `interpretPrompt`. */
export interface Meaning {
  readonly kind: (typeof kinds)[ListName]
  readonly entry: VocabularyEntry
  /** True for a keyword of a figure, as *red* of a heart, which is not its name. */
  readonly isKeyword?: boolean
}

/** Words of `words.json` with their meanings, each listed once. */
export const lexicon = (Object.keys(kinds) as ListName[]).flatMap(wordsOf)

const ours: Words = { meanings: new Map(lexicon), near: new Map() }
const colorNames = new Map(
  Object.entries(vocabulary.colors).flatMap(([name, lines]) =>
    lines.flatMap(splitWords).map((word) => [word, name as ColorName]),
  ),
)
const numbers = wordsWithKeys(vocabulary.numbers, Number)
const relations = wordsWithKeys(vocabulary.relations, (relation) => relation as Relation)
const ignoredWords = wordsWithKeys(vocabulary.ignored, (language) => language)

function wordsWithKeys<K extends string, T>(
  lists: Readonly<Record<K, string>>,
  valueOf: (key: string) => T,
): ReadonlyMap<string, T> {
  return new Map(
    Object.entries<string>(lists).flatMap(([key, list]) =>
      list.split(',').map((phrase) => [splitWords(phrase).join(' '), valueOf(key)] as const),
    ),
  )
}

/** Words of one language, from the Unicode CLDR, or of ours. */
interface Words {
  readonly meanings: ReadonlyMap<string, Meaning>
  /** Words of figures that are not drawn, with the titles of others that are alike. */
  readonly near: ReadonlyMap<string, readonly string[]>
}

const files = import.meta.glob<string>('./*.tsv', {
  query: '?raw',
  import: 'default',
  base: '../figures/words/',
})

const loaded = new Map<string, Promise<Words>>()

function wordsIn(language: string): Promise<Words> {
  const words = loaded.get(language) ?? readWords(language)
  loaded.set(language, words)
  return words
}

async function readWords(language: string): Promise<Words> {
  const file = files[`./${language}.tsv`]
  if (file === undefined) throw new Error(`There are no words of ${language}.`)
  const [known, near] = [new Map<string, Meaning>(), new Map<string, readonly string[]>()]
  const titles = new Map<MotifName, string>()
  for (const line of (await file()).trimEnd().split('\n')) {
    const [name = '', title = '', list = ''] = line.split('\t')
    if (name === '')
      near.set(
        title,
        list.split('|').map((figure) => titles.get(figure) ?? figure),
      )
    else if (hasMotif(name)) {
      titles.set(name, titles.get(name) ?? title)
      const entry = { words: [], motifs: [name], ...vocabulary.settings[name] }
      for (const [position, word] of list.split('|').entries()) {
        const meaning: Meaning = { kind: 'thing', entry, isKeyword: position > 0 && title !== '' }
        if (known.get(word)?.isKeyword ?? true) known.set(word, meaning)
      }
    }
  }
  return { meanings: known, near }
}

/** Meaning of one word or several in a list of words. */
export interface Found {
  readonly index: number
  readonly length: number
  readonly meaning?: Meaning
  readonly color?: ColorName
  readonly number?: number
  readonly relation?: Relation
  /** True for a relation that stands after the figure that the other is in, on or under, as in Hindi. */
  readonly isPostposition?: boolean
  /** Shows nothing, as an article. */
  readonly isIgnored?: boolean
  /** Titles of figures that are like what it means, which is not drawn. */
  readonly near?: readonly string[]
}

/** Longest phrases that are looked up, in words, and in characters of scripts without spaces. */
const [maxPhraseWords, maxPhraseCharacters] = [4, 10]

/**
 * Finds what a list of words means, in the words of `more.tsv`, which has what the CLDR lacks, and those of the first language that knows
 * all of them, or of all: the longest phrases first.
 */
export async function findMeanings(words: readonly string[]): Promise<readonly Found[]> {
  await loadFigures()
  const more = await wordsIn('more')
  const tried: Words[] = []
  for (const language of languagesOf(words.join(' '))) {
    const own = await wordsIn(language)
    const found = match(words, [more, ours, own])
    if (!found.some(isUnknown)) return found
    tried.push(own)
  }
  return match(words, [more, ours, ...byCoverage(words, tried)])
}

/** Checks whether nothing is known of a word but its place. */
export function isUnknown(found: Found): boolean {
  return Object.keys(found).length === 2
}

/** @param known where words are looked up, one after the other */
function match(words: readonly string[], known: readonly Words[]): readonly Found[] {
  const found: Found[] = []
  for (let index = 0; index < words.length;) {
    const one = longestAt(words, index, known) ?? { index, length: 1 }
    found.push(one)
    index += one.length
  }
  return found
}

/** Sorts languages by the number of the words that they know, as *gift* is a present in English and poison in German. */
function byCoverage(words: readonly string[], languages: readonly Words[]): readonly Words[] {
  const covered = (one: Words) =>
    words.filter((word) => firstOf(possibleForms(word), one.meanings) !== undefined).length
  return languages
    .map((one) => ({ one, count: covered(one) }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ one }) => one)
}

function longestAt(words: readonly string[], index: number, known: readonly Words[]): Found | undefined {
  const longest = isUnspaced.test(words[index] ?? '') ? maxPhraseCharacters : maxPhraseWords
  for (let length = Math.min(longest, words.length - index); length > 0; length--) {
    const phrase = words.slice(index, index + length).join(' ')
    const found = foundAs(possibleForms(phrase), known)
    if (found !== undefined) return { ...found, index, length }
  }
  return undefined
}

/** Returns what a phrase means, given its possible forms, of which the first is the phrase itself. */
function foundAs(
  forms: readonly string[],
  known: readonly Words[],
): Omit<Found, 'index' | 'length'> | undefined {
  const [phrase = ''] = forms
  const number = numbers.get(phrase) ?? (/^[2-9]$/.test(phrase) ? Number(phrase) : undefined)
  if (number !== undefined) return { number }
  const relation = relations.get(phrase)
  if (relation !== undefined) return { relation, isPostposition: /^\p{Script=Devanagari}/u.test(phrase) }
  if (ignoredWords.has(phrase) && !ours.meanings.has(phrase)) return { isIgnored: true }
  const meaning = firstOf(forms, ...known.map((one) => one.meanings))
  const color = firstOf(forms, colorNames)
  if (meaning !== undefined && !(color !== undefined && meaning.isKeyword))
    return { meaning, ...(color !== undefined && { color }) }
  if (color !== undefined) return { color }
  const near = firstOf(forms, ...known.map((one) => one.near))
  return near && { near }
}

/** Looks up the forms of a word, each in one map after the other. */
function firstOf<T>(forms: readonly string[], ...maps: readonly ReadonlyMap<string, T>[]): T | undefined {
  for (const form of forms) {
    for (const map of maps) {
      const value = map.get(form)
      if (value !== undefined) return value
    }
  }
  return undefined
}

function wordsOf(list: ListName) {
  return vocabulary[list].flatMap((entry) => {
    const meaning: Meaning = { kind: kinds[list], entry }
    const phrases = entry.phrases?.split(',').map((phrase) => splitWords(phrase).join(' ')) ?? []
    return [...entry.words.flatMap(splitWords), ...phrases].map((word) => [word, meaning] as const)
  })
}

import type { VocabularyEntry } from '../design.ts'
import type { ColorName } from '../named-colors.ts'
import data from './words.json' with { type: 'json' }

interface Vocabulary extends Readonly<
  Record<
    | 'festivals'
    | 'objects'
    | 'people'
    /** Fire, mountains and what is in the sky. */
    | 'elements'
    /** Flowers, trees, fruit and seasons. */
    | 'plants'
    | 'animals'
    | 'scenes'
    | 'moods'
    /** Kinds of drawings. They determine the layout before all other words, which determine the subject. */
    | 'forms',
    readonly VocabularyEntry[]
  >
> {
  /** Words that name a color. They take precedence over the colors of the subjects in a prompt. */
  readonly colors: Readonly<Record<string, readonly string[]>>
}

/** Words that the engine knows. A test checks that the names in the file exist. */
export const vocabulary = data as Vocabulary

/** Marks that writers leave out: Latin accents other than the tilde, the nukta of Devanagari, Arabic vowels. */
const optionalMarks = /[\u0300-\u0302\u0304-\u036f\u093c\u0610-\u061a\u064b-\u065f\u0670]/g

/** Letters that are also written as another one: chandrabindu as anusvara, and variants of Arabic letters. */
const variants: readonly (readonly [RegExp, string])[] = [
  [/\u0901/g, '\u0902'],
  [/[ىی]/g, 'ي'],
  [/ک/g, 'ك'],
  [/ة/g, 'ه'],
  [/ٱ/g, 'ا'],
]

/** Writes a text in lower case and without differences of spelling. */
function normalizeSpelling(text: string): string {
  // Joiners and the Arabic tatweel only change the shape of letters.
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u200c|\u200d|\u0640/g, '')
  const plain = letters.normalize('NFD').replace(optionalMarks, '')
  return variants.reduce((word, [variant, letter]) => word.replace(variant, letter), plain).normalize('NFC')
}

/** Ending of an inflected form, and the ending of the form in the vocabulary. */
type Rule = readonly [ending: RegExp, replacement: string]

const latinRules: readonly Rule[] = [
  [/ies$/, 'y'],
  [/s$/, ''],
  [/es$/, ''],
  [/ces$/, 'z'],
]

/** Plurals and oblique forms of Hindi. */
const devanagariRules: readonly Rule[] = [
  [/ियों$/, 'ी'],
  [/ियां$/, 'ी'],
  [/े$/, 'ा'],
  [/ों$/, ''],
  [/ों$/, 'ा'],
  [/ओं$/, ''],
  [/एं$/, ''],
  [/ें$/, ''],
]

/** Articles, plurals and cases of Bengali. */
const bengaliRules: readonly Rule[] = [
  [/(?:গুলির|গুলোর|গুলিকে|গুলোকে|গুলি|গুলো)$/, ''],
  [/(?:টির|টার|টিকে|টাকে|টিতে|টাতে|টি|টা)$/, ''],
  [/(?:দের|কে|তে)$/, ''],
  [/েরা$/, ''],
  [/ের$/, ''],
  [/রা$/, ''],
  [/র$/, ''],
  [/ে$/, ''],
]

/** Plurals and cases of Tamil; nouns in -am change it to -att- or -ang-. */
const tamilRules: readonly Rule[] = [
  [/ங்க(?:ள்|ளை|ளின்|ளில்|ளும்|ளுக்கு|ளுடன்|ளால்|ளோடு)$/, 'ம்'],
  [/க்க(?:ள்|ளை|ளின்|ளில்|ளும்|ளுக்கு|ளுடன்|ளால்|ளோடு)$/, ''],
  [/க(?:ள்|ளை|ளின்|ளில்|ளும்|ளுக்கு|ளுடன்|ளால்|ளோடு)$/, ''],
  [/த்(?:தை|தின்|தில்|துக்கு|திற்கு|துடன்|தால்|தும்|தோடு)$/, 'ம்'],
  [/(?:யை|யின்|யில்|யும்|யுடன்|யால்|யோடு|க்கு)$/, ''],
  [/(?:ை|ின்|ில்|ும்|ுக்கு|ிற்கு|ுடன்|ால்|ோடு)$/, '்'],
  [/(?:ை|ின்|ில்|ுக்கு|ிற்கு|ுடன்|ால்|ோடு)$/, 'ு'],
]

/** Plurals and cases of Telugu; nouns in -am have plurals in -aalu. */
const teluguRules: readonly Rule[] = [
  [/ా(?:లు|లను|లతో|లలో|లకు|లపై|ల)$/, 'ం'],
  [/(?:లు|లను|లతో|లలో|లకు|లపై|ల)$/, ''],
  [/(?:లో|తో|కి|కు|ని|ను|పై)$/, ''],
]

/** The article of Arabic, with the particles that are written together with it. */
const arabicRules: readonly Rule[] = [
  [/^(?:و|ف)?(?:ال|بال|كال|لل)/, ''],
  [/^و/, ''],
]

const scripts: readonly (readonly [script: RegExp, minLength: number, rules: readonly Rule[]])[] = [
  [/^\p{Script=Latin}/u, 1, latinRules],
  [/^\p{Script=Devanagari}/u, 2, devanagariRules],
  [/^\p{Script=Bengali}/u, 3, bengaliRules],
  [/^\p{Script=Tamil}/u, 3, tamilRules],
  [/^\p{Script=Telugu}/u, 3, teluguRules],
  [/^\p{Script=Arabic}/u, 3, arabicRules],
]

/** Returns a word and the words of which it may be an inflected form, by the rules of its script. */
function possibleForms(word: string): readonly string[] {
  const [, minLength, rules] = scripts.find(([script]) => script.test(word)) ?? [undefined, 0, []]
  const baseForms = rules
    .filter(([ending]) => ending.test(word))
    .map(([ending, replacement]) => word.replace(ending, replacement))
  return [word, ...baseForms.filter((form) => form.length >= minLength)]
}

/** Meaning of a word. `kind` determines the precedence of entries, see `interpretPrompt`. */
export interface Meaning {
  readonly kind: 'form' | 'festival' | 'thing' | 'scene' | 'mood'
  readonly entry: VocabularyEntry
}

/** All known words and pairs of words with their meanings, each listed once. */
export const lexicon: readonly (readonly [word: string, meaning: Meaning])[] = [
  ...wordsOf('form', vocabulary.forms),
  ...wordsOf('festival', vocabulary.festivals),
  ...wordsOf('thing', vocabulary.objects),
  ...wordsOf('thing', vocabulary.people),
  ...wordsOf('thing', vocabulary.elements),
  ...wordsOf('thing', vocabulary.plants),
  ...wordsOf('thing', vocabulary.animals),
  ...wordsOf('scene', vocabulary.scenes),
  ...wordsOf('mood', vocabulary.moods),
]

const meanings = new Map(lexicon)
const colorNames = new Map(
  Object.entries(vocabulary.colors).flatMap(([name, lines]) =>
    lines.flatMap(splitWords).map((word) => [word, name as ColorName]),
  ),
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
    return [...entry.words.flatMap(splitWords), ...phrases].map((word) => [word, meaning] as const)
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

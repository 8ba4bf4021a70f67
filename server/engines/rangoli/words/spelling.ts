import data from './scripts.json' with { type: 'json' }

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

interface Script {
  /** Codes of its languages; those that are looked up first at the beginning. */
  readonly languages: string
  /** Shortest word that a rule results in. */
  readonly minLength?: number
  /** Endings of inflected forms, and those of the forms in the vocabulary: plurals, cases, articles and particles. */
  readonly inflections?: readonly (readonly string[])[]
}

const scripts = Object.entries<Script>(data).map(
  ([name, { languages, minLength = 0, inflections = [] }]) => ({
    any: new RegExp(`\\p{Script=${name}}`, 'u'),
    first: new RegExp(`^\\p{Script=${name}}`, 'u'),
    languages: languages.split(' '),
    minLength,
    rules: inflections.map(([ending = '', replacement = '']) => [new RegExp(ending), replacement] as const),
  }),
)

/** Languages that a text may be in, by its scripts. */
export function languagesOf(text: string): ReadonlySet<string> {
  return new Set(scripts.filter(({ any }) => any.test(text)).flatMap(({ languages }) => languages))
}

/** Returns a word and the words of which it may be an inflected form, by the rules of its script. */
export function possibleForms(word: string): readonly string[] {
  const { minLength, rules } = scripts.find(({ first }) => first.test(word)) ?? { minLength: 0, rules: [] }
  const baseForms = rules
    .filter(([ending]) => ending.test(word))
    .map(([ending, replacement]) => word.replace(ending, replacement))
  return [word, ...baseForms.filter((form) => form.length >= minLength)]
}

/** A character of a script that is written without spaces, which is a word of its own here. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー]'
export const isUnspaced = new RegExp(unspaced, 'u')
const wordPattern = new RegExp(
  `${unspaced}\\p{M}*|(?!${unspaced})[\\p{L}\\p{N}](?:(?!${unspaced})[\\p{L}\\p{M}\\p{N}])*|\\p{Extended_Pictographic}`,
  'gu',
)

/** Splits a text into words without differences of spelling; an emoji counts as a word, as do characters of scripts without spaces. */
export function splitWords(text: string): readonly string[] {
  return normalizeSpelling(text).match(wordPattern) ?? []
}

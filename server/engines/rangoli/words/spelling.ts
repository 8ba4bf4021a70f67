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

/** The article of Arabic with the particles that are written together with it, duals and plurals. */
const arabicRules: readonly Rule[] = [
  [/^(?:و|ف)?(?:ال|بال|كال|لل)/, ''],
  [/^و/, ''],
  [/(?:ان|ين|ون)$/, ''],
  [/ات$/, 'ه'],
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
export function possibleForms(word: string): readonly string[] {
  const [, minLength, rules] = scripts.find(([script]) => script.test(word)) ?? [undefined, 0, []]
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

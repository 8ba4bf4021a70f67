import { type Design, type LayoutName, layoutNames, type Mood, type VocabularyEntry } from './design.ts'
import { type MotifName, motifsIn, ornaments } from './motifs/catalog.ts'
import type { BackgroundName, ColorName } from './named-colors.ts'
import { createRandom, cyclicAt, type NonEmpty, type Random } from './random.ts'
import { findColor, findMeanings, type Meaning, splitWords, vocabulary } from './words/vocabulary.ts'

/** Maximum number of words that are looked up. Words beyond it still affect the seed. */
const maxLookedUpWords = 400

const orders: NonEmpty<number> = [4, 5, 6, 6, 8, 8, 8, 10, 12, 12, 16]

/** Layouts for a prompt without a known subject. */
const plainLayouts: NonEmpty<LayoutName> = ['kolam', 'girih', 'mandala']

/** Layouts that show more than the motifs of a design: water, feathers, ground or powder. */
const scenicLayouts: ReadonlySet<LayoutName> = new Set(['waves', 'fan', 'horizon', 'splash'])

const neutralLayouts = layoutNames.filter((name) => !scenicLayouts.has(name))

/**
 * Derives a design from the known words of a prompt. Everything else is chosen at random, seeded with the prompt. Figures
 * appear only for known words.
 *
 * @param variant integer that selects another drawing of the same words; null selects the default one
 */
export function interpretPrompt(prompt: string, variant: number | null = null): Design {
  const seed = variant === null ? prompt : `${prompt}\n#${variant}`
  const random = createRandom(seed)
  const words = splitWords(prompt).slice(0, maxLookedUpWords)
  const meanings = unique(findMeanings(words).map(({ meaning }) => meaning))
  const entries = byKind(meanings, ['form', 'festival', 'thing', 'scene', 'mood'])
  const subjects = byKind(meanings, ['festival', 'thing', 'scene', 'mood', 'form'])
  const namedColors = unique(words.map(findColor))
  const layout = chooseLayout(entries, random)
  return {
    seed,
    layout: variant === null ? layout : chooseVariantLayout(prompt, variant, meanings),
    order: entries.find((entry) => entry.order !== undefined)?.order ?? random.pick(orders),
    motifs: chooseMotifs(subjects, random),
    colors: chooseColors(subjects, namedColors, random),
    harmony: random.integer(0, 1000),
    background: chooseBackground(entries, random),
    backgroundColor: namedColors[0],
    mood: combineMoods(entries),
  }
}

/** Entries of the given kinds in that order, and within a kind in the order of the prompt. */
function byKind(meanings: readonly Meaning[], kinds: readonly Meaning['kind'][]): readonly VocabularyEntry[] {
  return kinds
    .flatMap((kind) => meanings.filter((meaning) => meaning.kind === kind))
    .map(({ entry }) => entry)
}

function chooseLayout(entries: readonly VocabularyEntry[], random: Random): LayoutName {
  const [first, ...others] =
    entries.find((entry) => entry.layouts !== undefined)?.layouts ?? layoutsWithout(entries)
  return first === undefined ? 'mandala' : random.pick([first, ...others])
}

/** Layouts for a prompt whose words suggest none. */
function layoutsWithout(entries: readonly VocabularyEntry[]): readonly LayoutName[] {
  return entries.some((entry) => entry.motifs !== undefined) ? neutralLayouts : plainLayouts
}

/** Selects a layout so that successive variants differ: variant 0 has the default one, the next those that suit the prompt. */
function chooseVariantLayout(prompt: string, variant: number, meanings: readonly Meaning[]): LayoutName {
  const usual = interpretPrompt(prompt).layout
  const random = createRandom(`${prompt}/variants`)
  const form = byKind(meanings, ['form']).find((entry) => entry.layouts !== undefined)
  const suitable = meanings.flatMap(({ entry }) => entry.layouts ?? [])
  const options = form?.layouts ?? [
    ...shuffle(suitable, random),
    ...shuffle(layoutsWithout(meanings.map(({ entry }) => entry)), random),
  ]
  return cyclicAt([usual, ...unique(options).filter((name) => name !== usual)], variant)
}

function shuffle<T>(list: readonly T[], random: Random): readonly T[] {
  return list
    .map((item) => ({ item, position: random.between(0, 1) }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ item }) => item)
}

/** Takes the first motif of every entry, then the second of each, and so on, then ornaments. */
function chooseMotifs(subjects: readonly VocabularyEntry[], random: Random): NonEmpty<MotifName> {
  const requested = unique(interleave(subjects.map((entry) => entry.motifs ?? [])))
  const [first, ...others] = [...requested, ...shuffle(ornaments, random)]
  return [first ?? ornaments[0], ...others]
}

/** Takes the colors that the prompt names, with those of its subjects as accents; without named ones, the subjects'. */
function chooseColors(
  subjects: readonly VocabularyEntry[],
  namedColors: readonly ColorName[],
  random: Random,
): readonly ColorName[] {
  const subjectColors = unique(interleave(subjects.map((entry) => entry.colors ?? [])))
  if (namedColors.length > 0) {
    const accents = subjectColors.filter((name) => !namedColors.includes(name)).slice(0, 2)
    return [...namedColors.slice(0, 4), ...accents]
  }
  const [first, second, ...others] = subjectColors.slice(0, 5)
  return unique(random.chance(0.5) ? [first, second, ...others] : [second, first, ...others])
}

function chooseBackground(entries: readonly VocabularyEntry[], random: Random): BackgroundName | undefined {
  const [first, ...others] = entries.find((entry) => entry.backgrounds !== undefined)?.backgrounds ?? []
  return first === undefined ? undefined : random.pick([first, ...others])
}

/** Merges all moods; on conflict the last entry wins. */
function combineMoods(entries: readonly VocabularyEntry[]): Mood {
  const combined: Partial<Mood> = {}
  for (const entry of entries) Object.assign(combined, entry.mood)
  return { chroma: 1, lightness: 0, tone: undefined, isMonochrome: false, ...combined }
}

function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

function unique<T>(list: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(list)].filter((item) => item !== undefined)
}

/** Maximum number of words that `drawnFrom` returns. */
const maxNamedWords = 12

/** Words as they are written, with the joiners that normalization removes; an emoji counts as a word. */
const writtenWord = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*|\p{Extended_Pictographic}/gu

/**
 * Returns the words of a prompt that an image shows, as they are written and in their order: those of its figures, colors,
 * layout and mood. Words of the same meaning are named once.
 *
 * @param design of the prompt
 * @param svg image of the design
 */
export function drawnFrom(prompt: string, design: Design, svg: string): readonly string[] {
  const words = (prompt.match(writtenWord) ?? []).flatMap((written) =>
    splitWords(written).map((word) => ({ word, written })),
  )
  const shown = motifsIn(svg)
  const found = new Map<unknown, { readonly index: number; readonly text: string }>()
  function add(meaning: unknown, index: number, count: number): void {
    if (found.has(meaning)) return
    const written = words.slice(index, index + count).map((one) => one.written)
    found.set(meaning, { index, text: [...new Set(written)].join(' ') })
  }
  for (const { meaning, index, words: count } of findMeanings(words.map(({ word }) => word))) {
    if (isShown(meaning, design, shown)) add(meaning, index, count)
  }
  for (const [index, { word }] of words.entries()) {
    const color = findColor(word)
    if (color !== undefined && design.colors.includes(color)) add(color, index, 1)
  }
  const texts = [...found.values()].toSorted((a, b) => a.index - b.index).map(({ text }) => text)
  return [...new Set(texts)].slice(0, maxNamedWords)
}

/** A word that names a figure needs the figure: its colors and layouts alone would not show what it means. Rain or fire shows in colors. */
function isShown({ kind, entry }: Meaning, design: Design, shown: ReadonlySet<string>): boolean {
  const { motifs = [], layouts = [], colors = [], backgrounds = [] } = entry
  if (motifs.some((name) => shown.has(name))) return true
  if (entry.mood !== undefined || entry.order === design.order) return true
  const isFigure = kind === 'thing' && motifs.length > 0 && !vocabulary.elements.includes(entry)
  if (layouts.includes(design.layout) && (!isFigure || scenicLayouts.has(design.layout))) return true
  if (isFigure) return false
  return (
    colors.some((name) => design.colors.includes(name)) ||
    (design.background !== undefined && backgrounds.includes(design.background))
  )
}

import {
  type Design,
  type LayoutName,
  layoutNames,
  type Mood,
  type Relation,
  type Subject,
  type VocabularyEntry,
} from './design.ts'
import { type MotifName, motifNamed, motifsIn, ornaments } from './figures/catalog.ts'
import type { ColorName } from './named-colors.ts'
import { createRandom, cyclicAt, type NonEmpty, type Random } from './random.ts'
import { findMeanings, isUnknown, type Found, type Meaning, vocabulary } from './words/lexicon.ts'
import { splitWords } from './words/spelling.ts'

/** Maximum number of words that are looked up. Words beyond it still affect the seed. */
const maxLookedUpWords = 400

const orders: NonEmpty<number> = [4, 5, 6, 6, 8, 8, 8, 10, 12, 12, 16]

/** Layouts for a prompt without a known subject. */
const plainLayouts: NonEmpty<LayoutName> = ['kolam', 'tile', 'mandala', 'growth']

/** Layouts that show more than the motifs of a design: feathers or powder. */
const scenicLayouts: ReadonlySet<LayoutName> = new Set(['fan', 'splash'])

/** Figures of the sky that sit in trees. */
const perching: ReadonlySet<MotifName> = new Set(['bird', 'owl', 'butterfly', 'dove', 'eagle', 'parrot'])

/** Layouts that show subjects large and as many as the prompt counts. */
const pictorialLayouts: ReadonlySet<LayoutName> = new Set(['portrait', 'pair', 'procession', 'scene', 'tree'])

const neutralLayouts = layoutNames.filter((name) => !scenicLayouts.has(name) && !pictorialLayouts.has(name))

/** A prompt as the engine understands it: its design, its words as they are written, and what they mean. */
type Reading = Awaited<ReturnType<typeof readPrompt>>

/**
 * Derives a design from the known words of a prompt. Everything else is chosen at random, seeded with the prompt. Figures
 * appear only for known words.
 *
 * @param variant integer that selects another drawing of the same words; null selects the default one
 */
export async function readPrompt(prompt: string, variant: number | null = null) {
  const written = writtenWords(prompt)
  const found = await findMeanings(written.map(({ word }) => word).slice(0, maxLookedUpWords))
  return { design: createDesign(prompt, variant, found), written: written.map(({ text }) => text), found }
}

/** Derives the design of a prompt, see `readPrompt`. */
export async function interpretPrompt(prompt: string, variant: number | null = null): Promise<Design> {
  return (await readPrompt(prompt, variant)).design
}

function createDesign(prompt: string, variant: number | null, found: readonly Found[]): Design {
  const seed = variant === null ? prompt : `${prompt}\n#${variant}`
  const random = createRandom(seed)
  const { subjects, tints, loose, relation, dots } = parse(found)
  const meanings = unique(found.map((one, index) => (colorAt(found, index) ? undefined : one.meaning)))
  const entries = byKind(meanings, ['form', 'festival', 'thing', 'scene', 'mood'])
  const themes = byKind(meanings, ['festival', 'thing', 'scene', 'mood', 'form'])
  const layouts = suitableLayouts(entries, subjects, relation, prompt)
  return {
    seed,
    layout: variant === null ? layouts[0] : cyclicAt(layouts, variant),
    order: entries.find((entry) => entry.order !== undefined)?.order ?? random.pick(orders),
    motifs: chooseMotifs(themes, random),
    subjects,
    relation,
    dots,
    scenery: byKind(meanings, ['scene'])[0]?.motifs?.[0],
    tints,
    colors: chooseColors(themes, loose.length > 0 ? loose : unique(Object.values(tints)), random),
    palette: pickFromFirst(entries, (entry) => entry.palettes, random),
    background: pickFromFirst(entries, (entry) => entry.backgrounds, random),
    backgroundColor: loose[0],
    mood: combineMoods(entries),
  }
}

/** Finds the subjects of a prompt with their numbers and colors, colors that belong to none, and a relation of the first two. */
function parse(found: readonly Found[]) {
  const subjects: Subject[] = []
  const tints: Record<MotifName, ColorName> = {}
  const loose: ColorName[] = []
  let relation: Relation | undefined
  let isLandmarkFirst = false
  let count = 1
  let countAt = 0
  let pending: ColorName | undefined
  for (const [index, one] of found.entries()) {
    if (one.number !== undefined) [count, countAt] = [one.number, index]
    if (one.relation !== undefined && subjects.length === 1) {
      relation ??= one.relation
      isLandmarkFirst = one.isPostposition ?? false
    }
    const color = colorAt(found, index)
    if (color !== undefined) {
      // Before its figure in English and Hindi, after it in Spanish and Arabic.
      const before = thingOf(found[index - 1])
      const isBeforeThing = thingOf(found.slice(index + 1).find(({ isIgnored }) => !isIgnored)) !== undefined
      const isNextToThing = thingOf(found[index + 1]) !== undefined
      if (isBeforeThing && (isNextToThing || before === undefined)) pending = color
      else if (before !== undefined) tints[before] ??= color
      else loose.push(color)
      continue
    }
    const motif = thingOf(one)
    if (motif === undefined) continue
    if (count > 1 && hasOtherNoun(found.slice(countAt, index))) count = 1
    const same = subjects.findIndex((subject) => subject.motif === motif)
    if (same === -1) subjects.push({ motif, count })
    // A king and a queen are two of the same figure; the same word twice is not.
    else if (!found.slice(0, index).some(({ meaning }) => meaning === one.meaning))
      subjects[same] = { motif, count: (subjects[same]?.count ?? 0) + count }
    if (pending !== undefined) tints[motif] ??= pending
    pending = undefined
    count = 1
  }
  const figures = subjects.filter(({ motif }) => !(motif in vocabulary.settings))
  const shown = figures.length > 0 ? figures : subjects
  const [landmark, ...others] = shown
  return {
    subjects: isLandmarkFirst && landmark ? [...others.slice(0, 1), landmark, ...others.slice(1)] : shown,
    tints,
    loose: unique(loose),
    relation: shown.length > 1 ? relation : undefined,
    dots: count > 1 ? count : undefined,
  }
}

/** Checks whether words after a number end a noun that is not drawn, which is counted: a conjunction or preposition with an article follows. */
function hasOtherNoun(words: readonly Found[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1]
    const isLast = (next?.isIgnored || next?.relation !== undefined) && words[index + 2]?.isIgnored
    return isLast && (word.near !== undefined || isUnknown(word))
  })
}

/** The figure that a word means, without those of weather and landscapes. */
function thingOf(one: Found | undefined): MotifName | undefined {
  return one?.meaning?.kind === 'thing' ? one.meaning.entry.motifs?.[0] : undefined
}

/** The color that a word means. One that is a color and a thing, as *orange*, is the color before another thing. */
function colorAt(found: readonly Found[], index: number): ColorName | undefined {
  const [one, next] = [found[index], found[index + 1]]
  if (one?.meaning === undefined) return one?.color
  return thingOf(next) !== undefined && next?.color === undefined ? one.color : undefined
}

/** Layouts that suit a prompt: the one of its default image first, then those of its variants. */
function suitableLayouts(
  entries: readonly VocabularyEntry[],
  subjects: readonly Subject[],
  relation: Relation | undefined,
  prompt: string,
): NonEmpty<LayoutName> {
  const random = createRandom(`${prompt}/layouts`)
  const suggested = entries.flatMap((entry) => entry.layouts ?? [])
  const plain = entries.some((entry) => entry.motifs !== undefined) ? neutralLayouts : plainLayouts
  const shuffled = [...shuffle(suggested, random), ...shuffle(plain, random)]
  const pictorial = pictorialLayoutsFor(subjects, relation, random)
  const isForm = (entry: VocabularyEntry) => vocabulary.forms.includes(entry)
  const kind = entries.find(
    (entry) => entry.layouts && (isForm(entry) || vocabulary.festivals.includes(entry)),
  )
  if (kind) {
    const others = isForm(kind) ? [] : [...pictorial, ...shuffled]
    return nonEmpty(unique([...shuffle(kind.layouts ?? [], random), ...others]))
  }
  // Feathers alone are no peacock.
  const isScenic = entries.some(
    (entry) => !vocabulary.elements.includes(entry) && entry.layouts?.some((name) => scenicLayouts.has(name)),
  )
  const isPictorialFirst =
    subjects.length > 1 ||
    (subjects[0]?.count ?? 1) > 1 ||
    isScenic ||
    suggested.length === 0 ||
    random.chance(0.5)
  const order = isPictorialFirst
    ? [...pictorial, ...shuffled]
    : [...shuffled.slice(0, 1), ...pictorial, ...shuffled]
  return nonEmpty(unique(order))
}

function nonEmpty(layouts: readonly LayoutName[]): NonEmpty<LayoutName> {
  const [first = 'mandala', ...others] = layouts
  return [first, ...others]
}

/** Layouts for the figures that a prompt names. */
function pictorialLayoutsFor(
  subjects: readonly Subject[],
  relation: Relation | undefined,
  random: Random,
): readonly LayoutName[] {
  const [first, second] = subjects
  if (first === undefined) return []
  if (second?.motif === 'tree' && (relation === 'in' || relation === 'on')) return ['tree', 'scene']
  if (relation !== undefined && relation !== 'beside') return ['scene']
  if (first.count === 2 && second === undefined) return ['pair', 'scene']
  if (first.count > 2) return ['procession', 'scene']
  if (subjects.length > 2)
    return unique<LayoutName>(shuffle(['scene', 'scene', 'procession', 'tree', 'mandala', 'quilt'], random))
  if (second !== undefined) return shuffle(['pair', 'scene'], random)
  const { surroundings } = motifNamed(first.motif)
  if (first.motif === 'tree') return ['tree', 'scene']
  if (surroundings === 'none') return ['portrait', random.pick(['procession', 'growth', 'tile'])]
  const outdoors = surroundings === 'ground' || perching.has(first.motif) ? 'tree' : 'procession'
  return unique<LayoutName>(shuffle(['portrait', 'portrait', 'scene', 'scene', outdoors], random))
}

/** Entries of the given kinds in that order, and within a kind in the order of the prompt. */
function byKind(meanings: readonly Meaning[], kinds: readonly Meaning['kind'][]): readonly VocabularyEntry[] {
  return kinds
    .flatMap((kind) => meanings.filter((meaning) => meaning.kind === kind))
    .map(({ entry }) => entry)
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

/** Picks one of the first list that an entry has. */
function pickFromFirst<T>(
  entries: readonly VocabularyEntry[],
  listOf: (entry: VocabularyEntry) => readonly T[] | undefined,
  random: Random,
): T | undefined {
  const [first, ...others] = entries.map(listOf).find((list) => list !== undefined) ?? []
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

/** Maximum number of words that `drawnFrom` and `notDrawn` return. */
const maxNamedWords = 12

/** Words as they are written, with the joiners that normalization removes, and as they are looked up. */
function writtenWords(prompt: string): readonly { readonly text: string; readonly word: string }[] {
  return Array.from(
    prompt.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*|\p{Extended_Pictographic}/gu),
  ).flatMap(([text]) => {
    const words = splitWords(text)
    return words.map((word) => ({ text: words.length === 1 ? text : word, word }))
  })
}

/**
 * Tells the words of a prompt that an image shows, as they are written and in their order: those of its figures, colors, layout and
 * mood. Words of the same meaning are named once.
 *
 * @param svg image of the design
 * @returns also the titles of figures that are like what words mean that are not drawn, in the language of the prompt: `near`
 */
export function describeDrawing({ design, written, found }: Reading, svg: string) {
  const shown = motifsIn(svg)
  const drawn = new Map<unknown, string>()
  const missing = new Set<string>()
  const near: Record<string, readonly string[]> = {}
  for (const [position, one] of found.entries()) {
    const text = joined(written.slice(one.index, one.index + one.length))
    const color = colorAt(found, position)
    if (color === undefined ? isShown(one.meaning, design, shown) : design.colors.includes(color)) {
      const meaning = color ?? one.meaning?.entry.motifs?.[0] ?? one.meaning
      if (!drawn.has(meaning)) drawn.set(meaning, text)
    } else if (one.number !== undefined || one.relation !== undefined || one.isIgnored) {
      continue
    } else if (/\p{L}{2}|\p{Extended_Pictographic}|\p{Lo}/u.test(text)) {
      missing.add(text)
      if (one.near !== undefined) near[text] = one.near
    }
  }
  const drawnFrom = [...new Set(drawn.values())].slice(0, maxNamedWords)
  const notDrawn = [...missing].filter((text) => !drawnFrom.includes(text)).slice(0, maxNamedWords)
  return { drawnFrom, notDrawn, near }
}

/** Joins words as they are written: without spaces where the script has none. */
function joined(words: readonly string[]): string {
  const isSpaced = !words.every((word) =>
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word),
  )
  return [...(isSpaced ? new Set(words) : words)].join(isSpaced ? ' ' : '')
}

/** A word that names a figure needs the figure: its colors and layouts alone would not show what it means. Rain or fire shows in colors. */
function isShown(meaning: Meaning | undefined, design: Design, shown: ReadonlySet<string>): boolean {
  if (meaning === undefined) return false
  const { kind, entry } = meaning
  const { motifs = [], layouts = [], colors = [], backgrounds = [] } = entry
  if (motifs.some((name) => shown.has(name))) return true
  if (entry.mood !== undefined || entry.order === design.order) return true
  const isFigure =
    kind === 'thing' &&
    motifs.some((name) => !(name in vocabulary.settings)) &&
    !vocabulary.elements.includes(entry)
  if (layouts.includes(design.layout) && (!isFigure || scenicLayouts.has(design.layout))) return true
  if (isFigure) return false
  return (
    colors.some((name) => design.colors.includes(name)) ||
    (design.background !== undefined && backgrounds.includes(design.background))
  )
}

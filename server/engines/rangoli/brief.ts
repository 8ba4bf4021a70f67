import type { ColourName, GroundName } from './colors.ts'
import type { MotifName, StructureName } from './names.ts'
import { structureNames } from './names.ts'
import { createRandom } from './random.ts'
import type { NonEmpty, Random } from './random.ts'
import type { Entry, Mood } from './words/entry.ts'
import { findColour, findMeaning, split } from './words/vocabulary.ts'
import type { Meaning } from './words/vocabulary.ts'

/** Everything that a prompt decides about its image. */
export interface Brief {
  /** What the words leave open follows from this. */
  readonly seed: string
  readonly structure: StructureName
  /** How often the pattern repeats around the middle. */
  readonly order: number
  /** What the image shows, the subject first; at least three. */
  readonly motifs: NonEmpty<MotifName>
  /** The powders that the words ask for, up to five; none leaves it to the harmony. */
  readonly colours: readonly ColourName[]
  /** The harmony for a prompt without colours, as an index. */
  readonly harmony: number
  readonly ground: GroundName | undefined
  /** A colour that the prompt names: the floor takes it too. */
  readonly groundColour: ColourName | undefined
  readonly mood: Mood
}

/** Words beyond these no longer steer anything but the seed. */
const WORDS_READ = 400

const orders: NonEmpty<number> = [4, 5, 6, 6, 8, 8, 8, 10, 12, 12, 16]

/** What a prompt without a known word can become: a splash is for those that ask for colour. */
const openStructures = structureNames.filter((name) => name !== 'splash')

const fallbackMotifs: NonEmpty<MotifName> = [
  'lotus',
  'paisley',
  'feather',
  'marigold',
  'leaf',
  'jasmine',
  'fish',
  'bird',
  'star',
  'sunflower',
  'butterfly',
  'hibiscus',
]

export function readBrief(prompt: string): Brief {
  const random = createRandom(prompt)
  const words = split(prompt).slice(0, WORDS_READ)
  const meanings = unique(words.map(findMeaning))
  const entries = byRank(meanings, ['form', 'festival', 'thing', 'mood'])
  const subjects = byRank(meanings, ['festival', 'thing', 'mood', 'form'])
  const named = unique(words.map(findColour))
  return {
    seed: prompt,
    structure: chooseStructure(entries, random),
    order: entries.find((entry) => entry.order !== undefined)?.order ?? random.pick(orders),
    motifs: chooseMotifs(subjects, random),
    colours: chooseColours(subjects, named, random),
    harmony: random.whole(0, 1000),
    ground: chooseGround(entries, random),
    groundColour: named[0],
    mood: blendMoods(entries),
  }
}

/** What the known words ask for, by their rank, and within a rank in the order of the prompt. */
function byRank(meanings: readonly Meaning[], ranks: readonly Meaning['rank'][]): readonly Entry[] {
  return ranks
    .flatMap((rank) => meanings.filter((meaning) => meaning.rank === rank))
    .map(({ entry }) => entry)
}

function chooseStructure(entries: readonly Entry[], random: Random): StructureName {
  const [first, ...others] =
    entries.find((entry) => entry.structures !== undefined)?.structures ?? openStructures
  return first === undefined ? 'mandala' : random.pick([first, ...others])
}

/** The first motif of every entry, then the second ones, and so on; filled up by chance. */
function chooseMotifs(subjects: readonly Entry[], random: Random): NonEmpty<MotifName> {
  const asked = unique(interleave(subjects.map((entry) => entry.motifs ?? [])))
  const [first, ...others] = unique([
    ...asked,
    ...Array.from({ length: 6 }, () => random.pick(fallbackMotifs)),
  ])
  return [first ?? 'lotus', ...others]
}

/** Colours that are named rule; the things' own colours are kept for accents then. */
function chooseColours(
  subjects: readonly Entry[],
  named: readonly ColourName[],
  random: Random,
): readonly ColourName[] {
  const own = unique(interleave(subjects.map((entry) => entry.colours ?? [])))
  if (named.length > 0) {
    const accents = own.filter((name) => !named.includes(name)).slice(0, 2)
    return [...named.slice(0, 4), ...accents]
  }
  const [first, second, ...others] = own.slice(0, 5)
  return unique(random.chance(0.5) ? [first, second, ...others] : [second, first, ...others])
}

function chooseGround(entries: readonly Entry[], random: Random): GroundName | undefined {
  const [first, ...others] = entries.find((entry) => entry.grounds !== undefined)?.grounds ?? []
  return first === undefined ? undefined : random.pick([first, ...others])
}

function blendMoods(entries: readonly Entry[]): Mood {
  const asked: Partial<Mood> = {}
  for (const entry of entries) Object.assign(asked, entry.mood)
  return { chroma: 1, lift: 0, tone: undefined, isMonochrome: false, ...asked }
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

import type { MotifName } from './figures/catalog.ts'
import type { BackgroundName, ColorName, PaletteName } from './named-colors.ts'
import layouts from './layouts.json' with { type: 'json' }
import type { NonEmpty } from './random.ts'

export type LayoutName = keyof typeof layouts

/** Layouts of an image, drawn by functions in layouts/. The order is part of the algorithm. */
export const layoutNames = Object.keys(layouts) as readonly LayoutName[]

/** Adjustment of the palette. */
export interface Mood {
  /** Factor for the chroma of every color. */
  readonly chroma: number
  /** Offset of the lightness of every color. */
  readonly lightness: number
  /** Tone of the background; undefined leaves it open. */
  readonly tone: 'light' | 'dark' | undefined
  /** Gives every color the hue of the first one. */
  readonly isMonochrome: boolean
}

/** A figure that the prompt names. */
export interface Subject {
  readonly motif: MotifName
  /** Number of them, from 1 to 9. */
  readonly count: number
}

export type Relation = 'on' | 'under' | 'over' | 'in' | 'beside'

/** Everything that a prompt determines about its image. */
export interface Design {
  /** Seed of all random choices. */
  readonly seed: string
  readonly layout: LayoutName
  /** Order of rotational symmetry. */
  readonly order: number
  /** Motifs to show, the subject first; at least three. */
  readonly motifs: NonEmpty<MotifName>
  /** Figures of the motifs that words name, in the order of the prompt; without what only belongs to them. */
  readonly subjects: readonly Subject[]
  /** Where the first subject is, seen from the second. */
  readonly relation: Relation | undefined
  /** Number that belongs to no figure, as in *a kolam of 7 dots*. */
  readonly dots: number | undefined
  /** Motif of the landscape or weather around the subjects. */
  readonly scenery: MotifName | undefined
  /** Colors that the prompt gives to single figures. */
  readonly tints: Readonly<Record<MotifName, ColorName>>
  /** Colors that the prompt asks for, at most six. */
  readonly colors: readonly ColorName[]
  /** Palette of the words for times, seasons and moods; `colors` come before its own. */
  readonly palette: PaletteName | undefined
  readonly background: BackgroundName | undefined
  /** First color that the prompt names; also tints the background. */
  readonly backgroundColor: ColorName | undefined
  readonly mood: Mood
}

/** A group of words and their effect on the design. Lists are in order of preference. */
export interface VocabularyEntry {
  /** Lines of words of any language; an emoji counts as a word. */
  readonly words: readonly string[]
  /** Pairs of words that mean something else than each of them, separated by commas. */
  readonly phrases?: string
  readonly motifs?: readonly MotifName[]
  readonly colors?: readonly ColorName[]
  readonly backgrounds?: readonly BackgroundName[]
  readonly palettes?: readonly PaletteName[]
  readonly layouts?: readonly LayoutName[]
  readonly order?: number
  readonly mood?: Partial<Mood>
}

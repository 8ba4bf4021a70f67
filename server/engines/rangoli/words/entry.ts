import type { ColourName, GroundName } from '../colors.ts'
import type { MotifName, StructureName } from '../names.ts'

/** How a feeling bends the palette. */
export interface Mood {
  /** Multiplies the chroma of every powder. */
  readonly chroma: number
  /** Added to the lightness of every powder. */
  readonly lift: number
  /** Asks for a pale or a deep floor. */
  readonly tone: 'light' | 'dark' | undefined
  /** Every powder takes the first one's hue. */
  readonly isMonochrome: boolean
}

/** What a group of words asks the picture for; lists begin with what matters most. */
export interface Entry {
  /** In lower case, separated by spaces; English, Hindi and others side by side, an emoji counts as a word. */
  readonly words: string
  readonly motifs?: readonly MotifName[]
  readonly colours?: readonly ColourName[]
  readonly grounds?: readonly GroundName[]
  readonly structures?: readonly StructureName[]
  readonly order?: number
  readonly mood?: Partial<Mood>
}

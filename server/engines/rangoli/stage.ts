import type { Brief } from './brief.ts'
import { at } from './random.ts'
import type { Random } from './random.ts'
import type { Palette, Swatch } from './palette.ts'

/** What every part of an image is drawn from. */
export interface Stage {
  readonly brief: Brief
  readonly palette: Palette
  readonly random: Random
}

/** The colours that one motif is drawn in. */
export interface Ink {
  readonly fill: Swatch
  readonly second: Swatch
  readonly third: Swatch
  readonly leaf: Swatch
  readonly flame: Swatch
  /** The outlines and the filigree. */
  readonly line: string
  /** The floor, for what is cut out of a shape. */
  readonly ground: string
}

/** Inks for one ring: the palette's powders, starting with the one at `index`. */
export function inkAt(palette: Palette, index: number): Ink {
  return {
    fill: at(palette.fills, index),
    second: at(palette.fills, index + 1),
    third: at(palette.fills, index + 2),
    leaf: palette.leaf,
    flame: palette.flame,
    line: palette.line,
    ground: palette.ground,
  }
}

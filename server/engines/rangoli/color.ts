import {
  contrast as contrastOf,
  formatHex,
  toLinearRgb,
  type Oklch,
  type Rgb,
} from '../../../shared/oklch.ts'
import type { NonEmpty } from './random.ts'

/** A color in three shades, as #rrggbb. */
export interface Swatch {
  readonly light: string
  readonly base: string
  readonly deep: string
  /** The base color, to compare with others. */
  readonly color: Oklch
}

/**
 * All colors of an image, on a ladder of lightness; strings are #rrggbb. The ground and its shades take about 60 % of an
 * image, the figures and the field 30 %, the accent 10 %.
 */
export interface Palette {
  /** Center of the background: the ground. */
  readonly background: string
  /** Corners of the background. */
  readonly backgroundEdge: string
  /** Shade between the background and the swatches: the field. */
  readonly backgroundTone: string
  readonly isDark: boolean
  /** Color of outlines: near white on a dark background, dark on a light one. */
  readonly stroke: string
  /** Colors of figures and ornaments: the main one, a second, the accent, a third, and a calm one. */
  readonly swatches: NonEmpty<Swatch>
  readonly leaf: Swatch
  readonly flame: Swatch
  /** Colors that the prompt gives to figures, by their names. */
  readonly tints: ReadonlyMap<string, Swatch>
}

/** Colors of one motif or band. */
export interface MotifColors extends Palette {
  readonly primary: Swatch
  readonly secondary: Swatch
  readonly tertiary: Swatch
}

/** Converts a color to #rrggbb. Outside of sRGB it reduces the chroma and keeps lightness and hue. */
export function toHex(color: Oklch): string {
  const l = Math.min(1, Math.max(0, color.l))
  let inside = 0
  let outside = color.c
  let rgb = toLinearRgb({ ...color, l })
  if (!isDisplayable(rgb)) {
    for (let step = 0; step < 12; step++) {
      const c = (inside + outside) / 2
      if (isDisplayable(toLinearRgb({ l, c, h: color.h }))) inside = c
      else outside = c
    }
    rgb = toLinearRgb({ l, c: inside, h: color.h })
  }
  return formatHex(rgb)
}

function isDisplayable(rgb: Rgb): boolean {
  return rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)
}

/** Contrast of two colors as WCAG defines it, from 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  return contrastOf(toLinearRgb(a), toLinearRgb(b))
}

/** Distance of two colors in OKLab, with weights of its parts. */
export function colorDistance(
  a: Oklch,
  b: Oklch,
  { lightness, chroma } = { lightness: 1, chroma: 1 },
): number {
  const [turnA, turnB] = [(a.h * Math.PI) / 180, (b.h * Math.PI) / 180]
  return Math.hypot(
    lightness * (a.l - b.l),
    chroma * (a.c * Math.cos(turnA) - b.c * Math.cos(turnB)),
    chroma * (a.c * Math.sin(turnA) - b.c * Math.sin(turnB)),
  )
}

/** Darkens a color by an amount of lightness. Yellows shift towards orange, because they would turn olive. */
export function darken({ l, c, h }: Oklch, amount: number): Oklch {
  const yellowness = c < 0.06 ? 0 : Math.max(0, 1 - Math.abs((h % 360) - 88) / 45)
  return {
    l: l - amount * (1 - 0.15 * yellowness),
    c: c * (1 + amount * 0.5 * yellowness),
    h: h - amount * 190 * yellowness,
  }
}

/**
 * Color of the OKLCH space: lightness from 0 to 1, chroma from 0 to about 0.3, hue in degrees.
 *
 * @see https://bottosson.github.io/posts/oklab/
 */
export interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

/** A color in three shades, as #rrggbb. */
export interface Swatch {
  readonly light: string
  readonly base: string
  readonly deep: string
  /** The base color, to compare with others. */
  readonly color: Oklch
}

/** Colors of one motif or band. */
export interface MotifColors {
  readonly primary: Swatch
  readonly secondary: Swatch
  readonly tertiary: Swatch
  readonly leaf: Swatch
  readonly flame: Swatch
  /** Color of outlines and line ornaments. */
  readonly stroke: string
  /** Background color, for holes in a shape. */
  readonly background: string
  readonly backgroundEdge: string
  readonly isDark: boolean
  /** All swatches of the image. */
  readonly swatches: readonly Swatch[]
  /** Colors that the prompt gives to figures, by their names. */
  readonly tints: ReadonlyMap<string, Swatch>
}

type Rgb = readonly [red: number, green: number, blue: number]

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
  return `#${rgb.map(toHexByte).join('')}`
}

function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function isDisplayable(rgb: Rgb): boolean {
  return rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)
}

function toHexByte(linear: number): string {
  const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.min(255, Math.max(0, Math.round(encoded * 255)))
    .toString(16)
    .padStart(2, '0')
}

/** Contrast of two colors as WCAG defines it, from 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  const [light = 0, dark = 0] = [a, b].map(luminance).toSorted((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Oklch): number {
  const [red, green, blue] = toLinearRgb(color)
  return Math.max(0, 0.2126 * red + 0.7152 * green + 0.0722 * blue)
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

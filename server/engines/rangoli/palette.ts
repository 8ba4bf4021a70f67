import { darken, type MotifColors, type Oklch, type Swatch, toHex } from './color.ts'
import type { Design } from './design.ts'
import { type BackgroundName, harmonies, namedBackgrounds, namedColors } from './named-colors.ts'
import { cyclicAt, type NonEmpty, type Random } from './random.ts'

/** All colors of an image; strings are #rrggbb. */
export interface Palette {
  /** Center of the background. */
  readonly background: string
  /** Corners of the background. */
  readonly backgroundEdge: string
  /** Shade between the background and the swatches. */
  readonly backgroundTone: string
  readonly isDark: boolean
  /** Color of outlines: near white on a dark background, dark on a light one. */
  readonly stroke: string
  readonly swatches: NonEmpty<Swatch>
  readonly leaf: Swatch
  readonly flame: Swatch
  readonly tints: ReadonlyMap<string, Swatch>
}

/** Lightness below which a background is dark. */
const DARK_MAX_LIGHTNESS = 0.66

/** Minimum difference in lightness between a swatch and the background. */
const MIN_CONTRAST = 0.2

/** Chroma below which a color is treated as a tinted gray. */
const GRAYISH_MAX_CHROMA = 0.06

/** Chroma below which a color has no hue of its own. */
const GRAY_MAX_CHROMA = 0.03

/** Creates the palette of a design: its colors and background, adjusted to each other. */
export function createPalette(design: Design, random: Random): Palette {
  const baseColors = chooseBaseColors(design, random)
  const background = chooseBackground(design, baseColors, random)
  const isDark = background.l < DARK_MAX_LIGHTNESS
  const adjust = (color: Oklch) => ensureContrast(applyMood(color, design, baseColors[0]), background)
  const [first, ...others] = separate(baseColors.map(adjust))
  return {
    background: toHex(background),
    backgroundEdge: toHex({
      ...background,
      l: background.l * (isDark ? 0.66 : 0.93),
      c: background.c * (isDark ? 0.95 : 1.3),
    }),
    backgroundTone: toHex({
      ...background,
      l: background.l + (isDark ? 0.085 : -0.065),
      c: background.c * 1.25,
    }),
    isDark,
    stroke: toHex(isDark ? { l: 0.97, c: 0.018, h: 88 } : darkStroke(baseColors[0])),
    swatches: [createSwatch(first), ...others.map(createSwatch)],
    leaf: createSwatch(adjust(namedColors.green)),
    flame: createSwatch(adjust(namedColors.marigold)),
    tints: new Map(
      Object.entries(design.tints).map(([name, color]) => [name, createSwatch(adjust(namedColors[color]))]),
    ),
  }
}

/** Selects the colors of one motif or band: three swatches of the palette, the first at `index`. */
export function motifColors(palette: Palette, index: number): MotifColors {
  return {
    primary: cyclicAt(palette.swatches, index),
    secondary: cyclicAt(palette.swatches, index + 1),
    tertiary: cyclicAt(palette.swatches, index + 2),
    leaf: palette.leaf,
    flame: palette.flame,
    stroke: palette.stroke,
    background: palette.background,
    isDark: palette.isDark,
    swatches: palette.swatches,
    tints: palette.tints,
  }
}

/** Returns five colors: those of the design, then matching ones. */
function chooseBaseColors(design: Design, random: Random): NonEmpty<Oklch> {
  const requested = design.colors.map((name) => namedColors[name])
  const [lead, ...rest] = requested
  if (lead === undefined) {
    const [first, ...others] = cyclicAt(harmonies, design.harmony).colors
    return [namedColors[first], ...others.map((name) => namedColors[name])]
  }
  return [lead, ...[...rest, ...matchingColors(lead, random)].slice(0, 4)]
}

/** Returns an analogous color on each side of the color wheel, a tint, and an accent that is almost complementary. */
function matchingColors(lead: Oklch, random: Random): readonly Oklch[] {
  const isGray = lead.c < GRAY_MAX_CHROMA
  const hue = isGray ? random.pick([80, 30, 230, 160]) : lead.h
  const spread = random.pick([28, 36, 44])
  const accent = random.pick([150, 180, 205])
  return [
    { l: 0.82, c: 0.13, h: hue + spread },
    { l: 0.93, c: 0.045, h: hue },
    { l: 0.55, c: 0.16, h: hue - spread },
    { l: 0.78, c: 0.15, h: hue + accent },
  ]
}

/** Backgrounds that suit any color. */
const neutralBackgrounds: NonEmpty<BackgroundName> = [
  'night',
  'indigo',
  'maroon',
  'teal',
  'plum',
  'forest',
  'oxide',
  'cream',
  'sand',
]

/** Chooses the background: in a color that the prompt names, else suggested by its words, else matching the colors. */
function chooseBackground(design: Design, baseColors: NonEmpty<Oklch>, random: Random): Oklch {
  const [lead] = baseColors
  const suggested = design.background === undefined ? undefined : namedBackgrounds[design.background]
  if (design.backgroundColor !== undefined) {
    return tintBackground(namedColors[design.backgroundColor], suggested, design, random)
  }
  if (suggested !== undefined) return suggested
  if (design.mood.tone === 'light') return { l: 0.93, c: 0.035, h: lead.h + random.pick([0, 40, -40]) }
  if (design.mood.tone === 'dark') return { l: 0.2, c: 0.035, h: random.pick([280, 255, 310]) }
  if (design.colors.length > 0) return namedBackgrounds[random.pick(neutralBackgrounds)]
  return namedBackgrounds[random.pick(cyclicAt(harmonies, design.harmony).backgrounds)]
}

/** Derives a background from a color: a pale tint or a deep shade of it. */
function tintBackground(color: Oklch, suggested: Oklch | undefined, { mood }: Design, random: Random): Oklch {
  const isPale =
    mood.tone === 'light' ||
    (mood.tone !== 'dark' && (suggested?.l ?? random.between(0.15, 0.8)) > DARK_MAX_LIGHTNESS)
  if (color.c < GRAY_MAX_CHROMA) return { ...color, l: color.l > 0.5 ? Math.max(color.l, 0.9) : 0.2 }
  if (color.l > 0.76 && mood.tone === undefined) {
    return { l: Math.max(0.84, color.l), c: color.c * 0.8, h: color.h }
  }
  if (isPale) return { l: 0.9, c: Math.min(color.c * 0.45, 0.085), h: color.h }
  const deep = darken(color, Math.max(0, color.l - 0.35))
  return { l: mood.tone === 'dark' ? 0.22 : 0.35, c: Math.min(color.c * 0.68, 0.14), h: deep.h }
}

function applyMood(color: Oklch, { mood }: Design, lead: Oklch): Oklch {
  const h = mood.isMonochrome ? lead.h : color.h
  const c = (mood.isMonochrome ? Math.min(lead.c, 0.14) : color.c) * mood.chroma
  return { l: color.l + mood.lightness, c, h }
}

/** Changes a color that is too similar to the background in lightness. */
function ensureContrast(color: Oklch, background: Oklch): Oklch {
  const distance = color.l - background.l
  if (Math.abs(distance) >= MIN_CONTRAST) return color
  if (background.l < DARK_MAX_LIGHTNESS) return { ...color, l: background.l + MIN_CONTRAST }
  if (color.c < GRAYISH_MAX_CHROMA) return isWarm(color) ? namedColors.terracotta : namedColors.peacock
  return darken(color, MIN_CONTRAST - Math.abs(distance) + Math.max(0, distance * 2))
}

/** Changes the lightness of colors that resemble an earlier one. */
function separate(colors: readonly Oklch[]): NonEmpty<Oklch> {
  const separated: Oklch[] = []
  for (const color of colors) {
    const similar = separated.find(
      (other) => Math.abs(other.l - color.l) < 0.05 && hueDistance(other, color) < 14,
    )
    separated.push(similar === undefined ? color : differFrom(similar, color))
  }
  const [first = namedColors.ivory, ...others] = separated
  return [first, ...others]
}

function differFrom(similar: Oklch, color: Oklch): Oklch {
  if (color.c < GRAYISH_MAX_CHROMA) return { l: color.l, c: 0.1, h: color.h + 30 }
  return similar.l > 0.7 ? darken(color, 0.17) : { ...color, l: similar.l + 0.17 }
}

/** Returns true for a tint of red or yellow such as ivory, false for one of blue or green. */
function isWarm({ h }: Oklch): boolean {
  return h < 150 || h > 330
}

/** Distance of two hues in degrees; 0 if one of the colors is gray. */
function hueDistance(a: Oklch, b: Oklch): number {
  const turn = Math.abs(a.h - b.h) % 360
  return Math.min(a.c, b.c) < GRAY_MAX_CHROMA ? 0 : Math.min(turn, 360 - turn)
}

function darkStroke(lead: Oklch): Oklch {
  return {
    l: 0.31,
    c: Math.min(0.1, Math.max(0.03, lead.c)),
    h: lead.c < GRAY_MAX_CHROMA ? 280 : lead.h,
  }
}

function createSwatch(color: Oklch): Swatch {
  return {
    light: toHex({ ...color, l: Math.min(0.965, color.l + 0.13), c: color.c * 0.72 }),
    base: toHex(color),
    deep: toHex(darken(color, 0.16)),
    color,
  }
}

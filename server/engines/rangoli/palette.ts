import type { Oklch } from '../../../shared/oklch.ts'
import { colorDistance, contrast, darken, type Palette, type Swatch, toHex } from './color.ts'
import type { Design } from './design.ts'
import { type ColorName, namedBackgrounds, namedColors, type PaletteName, palettes } from './named-colors.ts'
import { cyclicAt, type NonEmpty, type Random } from './random.ts'

/** Lightness below which a background is dark. */
const DARK_MAX_LIGHTNESS = 0.66

/** Minimum difference in lightness between a swatch and the background. */
const MIN_DISTANCE = 0.24

/** Chroma below which a color is treated as a tinted gray. */
const GRAYISH_MAX_CHROMA = 0.06

/** Chroma below which a color has no hue of its own. */
const GRAY_MAX_CHROMA = 0.03

/** Creates the palette of a design: a named one, with the colors and the background that the prompt asks for. */
export function createPalette(design: Design, random: Random): Palette {
  const requested = design.colors.map((name) => namedColors[name])
  const [groundName, field, ...rest] = palettes[chooseName(design, requested[0], random)]
  const background = chooseBackground(design, namedBackgrounds[groundName], random)
  const isDark = background.l < DARK_MAX_LIGHTNESS
  const [figure, second, third, accent] = rest.map((name: ColorName) => namedColors[name])
  const [lead = namedColors.marigold, ...others] = [
    ...requested,
    ...[figure, second, accent, third, namedColors[field]]
      .filter((color) => color !== undefined)
      .filter((color) => requested.every((other) => colorDistance(color, other) > 0.09)),
  ].slice(0, 5)
  const adjust = (color: Oklch) => keepDistance(applyMood(color, design, lead), background)
  const [first, ...following] = separate([lead, ...others].map(adjust))
  return {
    background: toHex(background),
    backgroundEdge: toHex({
      ...background,
      l: background.l * (isDark ? 0.72 : 0.93),
      c: background.c * (isDark ? 0.95 : 1.3),
    }),
    backgroundTone: toHex({
      ...background,
      l: background.l + (isDark ? 0.085 : -0.065),
      c: background.c * 1.25,
    }),
    isDark,
    stroke: toHex(
      isDark
        ? { l: 0.97, c: 0.018, h: 88 }
        : { l: 0.31, c: Math.min(0.1, Math.max(0.03, lead.c)), h: lead.c < GRAY_MAX_CHROMA ? 280 : lead.h },
    ),
    swatches: [createSwatch(first), ...following.map(createSwatch)],
    leaf: createSwatch(adjust(namedColors.green)),
    flame: createSwatch(adjust(accent ?? namedColors.marigold)),
    tints: new Map(
      Object.entries(design.tints).map(([name, color]) => [name, createSwatch(adjust(namedColors[color]))]),
    ),
  }
}

/** Selects the colors of one motif or band: three swatches of the palette, the first at `index`. */
export function motifColors(palette: Palette, index: number) {
  return {
    ...palette,
    primary: cyclicAt(palette.swatches, index),
    secondary: cyclicAt(palette.swatches, index + 1),
    tertiary: cyclicAt(palette.swatches, index + 2),
  }
}

/** The palette of the words of a prompt, or one with the lead color if it asks for one, and a ground of its tone. */
function chooseName({ palette, mood }: Design, lead: Oklch | undefined, random: Random): PaletteName {
  if (palette !== undefined && lead === undefined) return palette
  const names = Object.keys(palettes) as PaletteName[]
  const cost = (name: PaletteName): number => {
    const [ground, , ...colors] = palettes[name]
    const isDark = namedBackgrounds[ground].l < DARK_MAX_LIGHTNESS
    const distances = colors.map((color) => colorDistance(namedColors[color], lead ?? namedColors[color]))
    return (
      Math.min(...distances) +
      (name === palette ? 0 : 0.1) +
      (lead !== undefined && Math.abs(namedBackgrounds[ground].l - lead.l) < MIN_DISTANCE ? 0.2 : 0) +
      (mood.tone !== undefined && isDark !== (mood.tone === 'dark') ? 1 : 0) +
      random.between(0, 0.12)
    )
  }
  const [first = 'Lucknow at night'] = names
    .map((name) => ({ name, rank: cost(name) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name)
  return first
}

/** Chooses the background: in a color that the prompt names, else suggested by its words, else that of the palette. */
function chooseBackground(design: Design, ground: Oklch, random: Random): Oklch {
  const suggested = design.background === undefined ? undefined : namedBackgrounds[design.background]
  if (design.backgroundColor !== undefined) {
    return tintBackground(namedColors[design.backgroundColor], suggested, design, random)
  }
  const { tone } = design.mood
  const isOfTone = (color: Oklch) => tone === undefined || color.l < DARK_MAX_LIGHTNESS === (tone === 'dark')
  if (suggested !== undefined && isOfTone(suggested)) return suggested
  if (isOfTone(ground)) return ground
  return { ...ground, l: tone === 'light' ? 0.93 : 0.22, c: 0.035 }
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

/** Moves a color that is too similar to the background up the ladder on a dark one, down on a light one. */
function keepDistance(color: Oklch, background: Oklch): Oklch {
  const distance = color.l - background.l
  const isClear = contrast(color, background) >= 3
  if (Math.abs(distance) >= MIN_DISTANCE || isClear) return color
  if (background.l < DARK_MAX_LIGHTNESS) return { ...color, l: background.l + MIN_DISTANCE }
  if (color.c < GRAYISH_MAX_CHROMA) return isWarm(color) ? namedColors.terracotta : namedColors.peacock
  return darken(color, MIN_DISTANCE - Math.abs(distance) + Math.max(0, distance * 2))
}

/** Changes the lightness of colors that resemble an earlier one. */
function separate(colors: readonly Oklch[]): NonEmpty<Oklch> {
  const separated: Oklch[] = []
  for (const color of colors) {
    const similar = separated.find((other) => colorDistance(other, color) < 0.06)
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

function createSwatch(color: Oklch): Swatch {
  return {
    light: toHex({ ...color, l: Math.min(0.965, color.l + 0.13), c: color.c * 0.72 }),
    base: toHex(color),
    deep: toHex(darken(color, 0.16)),
    color,
  }
}

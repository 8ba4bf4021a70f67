import type { Oklch } from '../../../shared/oklch.ts'
import data from './colors.json' with { type: 'json' }

export type ColorName = keyof typeof data.colors
export type BackgroundName = keyof typeof data.backgrounds
export type PaletteName = keyof typeof data.palettes

/** Colors of the powders that a rangoli is drawn with. */
export const namedColors = toColors(data.colors)

/** Colors of the floors that a rangoli is drawn on. */
export const namedBackgrounds = toColors(data.backgrounds)

/** Ground, field, three colors of figures, the main one first, and accent of a palette. */
type PaletteColors = readonly [
  ground: BackgroundName,
  field: ColorName,
  figure: ColorName,
  second: ColorName,
  third: ColorName,
  accent: ColorName,
]

/** Colors that go together, named after places and times, for what a prompt leaves open. */
export const palettes = data.palettes as unknown as Readonly<Record<PaletteName, PaletteColors>>

/** @param list lightness, chroma and hue of each color */
function toColors<Name extends string>(list: Readonly<Record<Name, readonly number[]>>) {
  const colors = Object.entries<readonly number[]>(list).map(([name, [l = 0, c = 0, h = 0]]) => [
    name,
    { l, c, h },
  ])
  return Object.fromEntries(colors) as Readonly<Record<Name, Oklch>>
}

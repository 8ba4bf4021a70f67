import { clipped, contrast, formatHex, parseHex, toLinearRgb, toOklch, type Rgb } from '../../shared/oklch.ts'
import { colorOf, themesOf, type Tokens } from './colors.ts'

/** Contrast of the accent's areas with the page: less than that of shapes that mean something, as text on them is enough. */
const areaContrast = 1.5

const shapeContrast = 3

/**
 * Derives the accent tokens of each theme from a color. Its lightness changes as little as the contrast of WCAG AA requires,
 * AAA in high contrast.
 *
 * @param css `tokens.css`
 */
export function accentTokens(hex: string, css: string): Readonly<Record<string, Tokens>> {
  const chosen = toOklch(parseHex(hex))
  return Object.fromEntries(
    Object.entries(themesOf(css)).map(([theme, tokens]) => {
      const textContrast = theme === 'hc' ? 7 : 4.5
      const direction = theme === 'light' ? -1 : 1
      const on = (...names: readonly string[]) => names.map((name) => colorOf(tokens, name))
      const shade = (l: number) => clipped(toLinearRgb({ ...chosen, l }))
      /** Returns the nearest lightness, away from that of the page, with a contrast to all backgrounds. */
      const nearest = (isEnough: (color: Rgb) => boolean) => {
        let { l } = chosen
        while (l >= 0 && l <= 1 && !isEnough(shade(l))) l += direction * 0.01
        return Math.min(1, Math.max(0, l))
      }
      const enough = (ratio: number, backgrounds: readonly Rgb[]) => (color: Rgb) =>
        backgrounds.every((background) => contrast(color, background) >= ratio)
      const [black, white]: [Rgb, Rgb] = [
        [0, 0, 0],
        [1, 1, 1],
      ]
      const inkOn = (color: Rgb) => [black, white].find((ink) => contrast(ink, color) >= textContrast + 0.05)
      const isArea = enough(areaContrast, on('--paper', '--surface', '--surface-raised'))
      const area = nearest((color) => isArea(color) && inkOn(color) !== undefined)
      const ink = inkOn(shade(area)) ?? black
      const texts = on('--paper', '--surface', '--surface-raised', '--surface-hover')
      const shapes = on('--paper', '--surface', '--surface-raised')
      return [
        theme,
        {
          '--accent': formatHex(shade(area)),
          // Away from its text.
          '--accent-hover': formatHex(shade(area + (ink === black ? 0.045 : -0.045))),
          '--accent-edge': formatHex(shade(nearest(enough(shapeContrast + 0.05, shapes)))),
          '--on-accent': formatHex(ink),
          '--accent-ink': formatHex(shade(nearest(enough(textContrast + 0.05, texts)))),
        },
      ]
    }),
  )
}

/** Renders the style sheet of an accent, which follows those of pages. */
export function accentStyle(hex: string, css: string): string {
  const { light = {}, dark = {}, ...others } = accentTokens(hex, css)
  const rule = (selector: string, tokens: Tokens) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, value]) => `${name}:${value}`)
      .join(';')}}`
  const both = Object.fromEntries(
    Object.entries(light).map(([name, value]) => [name, `light-dark(${value},${dark[name]})`]),
  )
  return [
    rule(':root', both),
    ...Object.entries(others).map(([theme, tokens]) => rule(`:root[data-theme='${theme}']`, tokens)),
  ].join('\n')
}

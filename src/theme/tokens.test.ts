import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Text and background tokens, which must have at least the text contrast of WCAG 2.2 AA. */
const textPairs = [
  ...[
    '--paper',
    '--surface',
    '--surface-raised',
    '--surface-sunk',
    '--surface-hover',
    '--danger-wash',
  ].flatMap((background) => ['--ink', '--ink-quiet'].map((ink) => [ink, background] as const)),
  ...['--paper', '--surface', '--surface-raised', '--surface-hover'].map(
    (background) => ['--accent-ink', background] as const,
  ),
  ...['--paper', '--surface', '--surface-raised'].map((background) => ['--danger-ink', background] as const),
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-hover'],
  ['--on-danger', '--danger'],
  ['--on-danger', '--danger-hover'],
] as const

/** Tokens of borders and shapes that identify controls, and their backgrounds. */
const shapePairs = ['--paper', '--surface', '--surface-raised'].flatMap((background) =>
  ['--control-line', '--focus', '--accent-ink', '--danger-ink', '--accent-edge'].map(
    (line) => [line, background] as const,
  ),
)

const lightDark = /light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)/g
const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const common = tokensOf(':root {\n  color-scheme: light dark')
const light = mapValues(common, (value) => value.replaceAll(lightDark, '$1'))
const themes = {
  light,
  dark: mapValues(common, (value) => value.replaceAll(lightDark, '$2')),
  'soft-dark': { ...light, ...tokensOf(":root[data-theme='soft-dark']") },
  hc: { ...light, ...tokensOf(":root[data-theme='hc']") },
}

describe.each(Object.entries(themes))('%s', (name, tokens) => {
  const minTextContrast = name === 'hc' ? 7 : 4.5

  test.each(textPairs)('%s has enough text contrast on %s', (ink, background) => {
    expect(contrast(color(tokens, ink), color(tokens, background))).toBeGreaterThanOrEqual(minTextContrast)
  })

  test.each(shapePairs)('%s has enough contrast on %s', (line, background) => {
    expect(contrast(color(tokens, line), color(tokens, background))).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['white', [1, 1, 1]],
    ['black', [0, 0, 0]],
  ] as const)('the overlay has enough text contrast over a %s image', (_, image) => {
    expect(contrast(color(tokens, '--on-veil'), color(tokens, '--veil', image))).toBeGreaterThanOrEqual(
      minTextContrast,
    )
  })
})

type Rgb = readonly [number, number, number]

function mapValues(tokens: Record<string, string>, map: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, map(value)]))
}

function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(selector)
  expect(start, selector).toBeGreaterThanOrEqual(0)
  const block = css.slice(start, css.indexOf('}', start))
  return Object.fromEntries(
    Array.from(block.matchAll(/(--[\w-]+): ([^;]+);/g), ([, name, value]) => [name, value]),
  )
}

/** Linear sRGB of a token; a translucent one is blended with `background`. */
function color(tokens: Record<string, string>, name: string, background: Rgb = [0, 0, 0]): Rgb {
  const match = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(tokens[name] ?? '')
  expect(match, name).not.toBeNull()
  const [lightness = 0, chroma = 0, hue = 0, alpha = 1] = (match ?? [])
    .slice(1)
    .map((part) => Number(part ?? 1))
  const opaque = fromOklch(lightness, chroma, (hue * Math.PI) / 180)
  // Browsers blend gamma-encoded values.
  const blend = (over: number, under: number) => decode(encode(over) * alpha + encode(under) * (1 - alpha))
  return [blend(opaque[0], background[0]), blend(opaque[1], background[1]), blend(opaque[2], background[2])]
}

/** Converts Oklch to linear sRGB, clipped. @see https://bottosson.github.io/posts/oklab/ */
function fromOklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
const clip = (channel: number) => Math.min(1, Math.max(0, channel))
const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

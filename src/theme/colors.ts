import { clipped, decode, encode, parseHex, toLinearRgb, type Rgb } from '../../shared/oklch.ts'

export type Tokens = Readonly<Record<string, string>>

const lightDark = /light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)/g

/** Reads the color tokens of each theme from `tokens.css`. */
export function themesOf(css: string) {
  const common = tokensOf(css, ':root {\n  color-scheme: light dark')
  const side = (group: '$1' | '$2') =>
    Object.fromEntries(
      Object.entries(common).map(([name, value]) => [name, value.replaceAll(lightDark, group)]),
    )
  const light = side('$1')
  return {
    light,
    dark: side('$2'),
    'soft-dark': { ...light, ...tokensOf(css, ":root[data-theme='soft-dark']") },
    hc: { ...light, ...tokensOf(css, ":root[data-theme='hc']") },
  } satisfies Readonly<Record<string, Tokens>>
}

function tokensOf(css: string, selector: string): Tokens {
  const start = css.indexOf(selector)
  if (start < 0) throw new Error(`There is no ${selector}`)
  const block = css.slice(start, css.indexOf('}', start))
  return Object.fromEntries(
    Array.from(block.matchAll(/(--[\w-]+): ([^;]+);/g), ([, name, value]) => [name, value]),
  )
}

/** Returns the color of a token; a translucent one is blended with `background`. */
export function colorOf(tokens: Tokens, name: string, background: Rgb = [0, 0, 0]): Rgb {
  const match = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(tokens[name] ?? '')
  if (!match) return parseHex(tokens[name] ?? '')
  const [l = 0, c = 0, h = 0, alpha = 1] = match.slice(1).map((part) => Number(part ?? 1))
  const opaque = clipped(toLinearRgb({ l, c, h }))
  // Browsers blend gamma-encoded values.
  const blend = (over: number, under: number) => decode(encode(over) * alpha + encode(under) * (1 - alpha))
  return [blend(opaque[0], background[0]), blend(opaque[1], background[1]), blend(opaque[2], background[2])]
}

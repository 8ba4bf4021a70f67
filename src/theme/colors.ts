/** Linear sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number]

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
  if (!match) return fromHex(tokens[name] ?? '')
  const [lightness = 0, chroma = 0, hue = 0, alpha = 1] = match.slice(1).map((part) => Number(part ?? 1))
  const opaque = fromOklch({ lightness, chroma, hue: (hue * Math.PI) / 180 })
  // Browsers blend gamma-encoded values.
  const blend = (over: number, under: number) => decode(encode(over) * alpha + encode(under) * (1 - alpha))
  return [blend(opaque[0], background[0]), blend(opaque[1], background[1]), blend(opaque[2], background[2])]
}

export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  /** Radians. */
  readonly hue: number
}

/** Converts Oklch to linear sRGB, clipped. @see https://bottosson.github.io/posts/oklab/ */
export function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
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

export function toOklch([red, green, blue]: Rgb): Oklch {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** @throws Error for anything but `#rrggbb` */
export function fromHex(hex: string): Rgb {
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex)
  if (!match) throw new Error(`${hex} is no color`)
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => decode(Number.parseInt(part, 16) / 255))
  return [red, green, blue]
}

export function toHex(color: Rgb): string {
  const part = (channel: number) =>
    Math.round(encode(channel) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${color.map(part).join('')}`
}

/** Contrast of two colors by WCAG, 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
const clip = (channel: number) => Math.min(1, Math.max(0, channel))
const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

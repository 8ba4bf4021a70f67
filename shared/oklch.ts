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

/** Linear sRGB. The channels of a color outside of sRGB are below 0 or above 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

export function toLinearRgb({ l, c, h }: Oklch): Rgb {
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

export function toOklch([red, green, blue]: Rgb): Oklch {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  }
}

/** Moves a color into sRGB by clipping its channels, which may change its hue. */
export function clipped([red, green, blue]: Rgb): Rgb {
  return [clip(red), clip(green), clip(blue)]
}

/** @throws Error for anything but `#rrggbb` */
export function parseHex(hex: string): Rgb {
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex)
  if (!match) throw new Error(`${hex} is no color`)
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => decode(Number.parseInt(part, 16) / 255))
  return [red, green, blue]
}

/** Formats a color as `#rrggbb`, clipped. */
export function formatHex(color: Rgb): string {
  const part = (channel: number) =>
    Math.round(encode(clip(channel)) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${color.map(part).join('')}`
}

/** Contrast of two colors by WCAG, 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = ([red, green, blue]: Rgb) => Math.max(0, 0.2126 * red + 0.7152 * green + 0.0722 * blue)
const clip = (channel: number) => Math.min(1, Math.max(0, channel))

/** Converts a channel of linear sRGB to sRGB. */
export const encode = (value: number) =>
  value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055

/** Converts a channel of sRGB to linear sRGB. */
export const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** A colour of the OKLCH space: lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. */
export interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

type Rgb = readonly [red: number, green: number, blue: number]

/** The colour as #rrggbb; one outside sRGB loses chroma, never lightness or hue. */
export function toHex(colour: Oklch): string {
  const l = Math.min(1, Math.max(0, colour.l))
  let inside = 0
  let outside = colour.c
  let rgb = toLinearRgb({ ...colour, l })
  if (!isDisplayable(rgb)) {
    for (let step = 0; step < 12; step++) {
      const c = (inside + outside) / 2
      if (isDisplayable(toLinearRgb({ l, c, h: colour.h }))) inside = c
      else outside = c
    }
    rgb = toLinearRgb({ l, c: inside, h: colour.h })
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

/** Side of the square that an image is scaled to before its fingerprint is computed, in pixels: 9 × 8 fields of the same size. */
export const fingerprintSide = 288

/** Fields of a row, and rows. */
const [columns, rows] = [9, 8] as const

/** Difference from which a field is brighter than its neighbor. Without it, encoders would decide in even areas. */
const minDifference = 8

/** Fewer bits of one kind than this are no contrast: many images share such a fingerprint. */
const minContrast = 6

/** Bits that may differ between two encodings of an image. More would find other images of the same composition. */
const maxDistance = 6

/** Steps of 64 by which the average lightness and colors of two encodings may differ. */
const maxColorDifference = 2

/** Difference in proportions between two sizes of an image, by rounding. */
const maxStretch = 0.03

/** Begin of each part of a fingerprint, from 1. Within the distance, one of the parts differs by one bit at most. */
export const fingerprintParts = [1, 5, 9, 13] as const

/**
 * Computes the difference hash of an image: 64 bits, each of which says whether a field is clearly darker than its right neighbor,
 * as 16 hexadecimal digits. Each part has bits of every row, so that an even area, like a sky, is not all of a part.
 *
 * @param gray pixels of a square of `fingerprintSide`
 * @returns null for an image without contrast
 */
export function fingerprintOf(gray: Uint8Array): string | null {
  const fields = new Float64Array(columns * rows)
  const [fieldWidth, fieldHeight] = [fingerprintSide / columns, fingerprintSide / rows]
  for (let at = 0; at < gray.length; at += 1) {
    const row = Math.floor(at / fingerprintSide / fieldHeight)
    const field = columns * row + Math.floor((at % fingerprintSide) / fieldWidth)
    fields[field] = (fields[field] ?? 0) + (gray[at] ?? 0) / (fieldWidth * fieldHeight)
  }
  const bit = (row: number, column: number) => {
    const at = columns * row + column
    return (fields[at + 1] ?? 0) - (fields[at] ?? 0) > minDifference ? 1 : 0
  }
  const bits = fingerprintParts.flatMap((_, part) =>
    Array.from({ length: rows }, (_row, row) => [bit(row, part), bit(row, part + 4)]).flat(),
  )
  const ones = bits.filter((one) => one === 1).length
  if (ones < minContrast || ones > bits.length - minContrast) return null
  return BigInt(`0b${bits.join('')}`)
    .toString(16)
    .padStart(16, '0')
}

/** What an image looks like: columns of its row. */
export interface Appearance {
  readonly fingerprint: string | null
  /** ThumbHash in base64. */
  readonly placeholder: string | null
  readonly width: number | null
  readonly height: number | null
}

/** Returns the number of bits that differ between the fingerprints of images that look the same; null if they do not. */
export function compareAppearance(one: Appearance, other: Appearance): number | null {
  if (one.fingerprint === null || other.fingerprint === null) return null
  const distance = distanceOf(one.fingerprint, other.fingerprint)
  const [colors, otherColors] = [colorsOf(one), colorsOf(other)]
  const isSimilar =
    distance <= maxDistance &&
    Math.abs(aspectOf(one) / aspectOf(other) - 1) <= maxStretch &&
    colors.every((color, index) => Math.abs(color - (otherColors[index] ?? 0)) <= maxColorDifference)
  return isSimilar ? distance : null
}

/** Returns the values of a part within one bit of that of a fingerprint. */
export function nearbyParts(fingerprint: string, start: number): string[] {
  const value = Number.parseInt(fingerprint.slice(start - 1, start + 3), 16)
  const values = [value, ...Array.from({ length: 16 }, (_, bit) => value ^ (1 << bit))]
  return values.map((one) => one.toString(16).padStart(4, '0'))
}

function aspectOf({ width, height }: Appearance): number {
  return (width ?? 1) / (height ?? 1)
}

/** Reads the averages at the begin of a ThumbHash, 6 bits each. @see https://evanw.github.io/thumbhash/ */
function colorsOf({ placeholder }: Appearance): number[] {
  const [first = 0, second = 0, third = 0] = Buffer.from(placeholder ?? '', 'base64')
  const header = first | (second << 8) | (third << 16)
  return [0, 6, 12].map((shift) => (header >> shift) & 63)
}

/** Counts the bits that differ. */
function distanceOf(one: string, other: string): number {
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length
}

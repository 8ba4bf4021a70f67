import type { Design } from './design.ts'
import type { Palette } from './palette.ts'
import type { Random } from './random.ts'

/** Input of every function that draws a part of an image. */
export interface Scene {
  readonly design: Design
  readonly palette: Palette
  readonly random: Random
}

/** Returns how many items of about `size` pixels fit on a circle, rounded to a multiple of the order of symmetry. */
export function repeatCount(order: number, radius: number, size: number): number {
  const count = (2 * Math.PI * radius) / size
  return order * Math.max(1, Math.round(count / order))
}

import type { Size } from '../image-engine.ts'
import type { Design } from './design.ts'
import type { Palette } from './color.ts'
import type { Random } from './random.ts'
import type { Point } from './svg.ts'

/**
 * Area of an image around its center. The shorter side is 1,024 units long, whatever the size in pixels, so that a square
 * design fits into the middle.
 */
export interface Canvas {
  readonly halfWidth: number
  readonly halfHeight: number
}

/** Input of every function that draws a part of an image. */
export interface Scene {
  readonly design: Design
  readonly palette: Palette
  readonly random: Random
  readonly canvas: Canvas
}

export function createCanvas({ width, height }: Size): Canvas {
  const shorter = Math.min(width, height)
  return { halfWidth: (512 * width) / shorter, halfHeight: (512 * height) / shorter }
}

export function isSquare({ halfWidth, halfHeight }: Canvas): boolean {
  return halfWidth === halfHeight
}

/** Returns the integers from `-end` to `end`: the steps from the center to both sides. */
export function stepsTo(end: number): readonly number[] {
  return Array.from({ length: 2 * end + 1 }, (_, index) => index - end)
}

/** Points that cover the canvas, one of them in the center, every other row moved by half a step. */
export function grid({ halfWidth, halfHeight }: Canvas, width: number, height: number): readonly Point[] {
  return stepsTo(Math.ceil(halfHeight / height)).flatMap((row) =>
    stepsTo(Math.ceil(halfWidth / width)).map((column): Point => [
      (column + (row % 2 === 0 ? 0 : 0.5)) * width,
      row * height,
    ]),
  )
}

export function longHalf({ halfWidth, halfHeight }: Canvas): number {
  return Math.max(halfWidth, halfHeight)
}

/** Returns how many items of about `size` fit on a circle, rounded to a multiple of the order of symmetry. */
export function repeatCount(order: number, radius: number, size: number): number {
  const count = (2 * Math.PI * radius) / size
  return order * Math.max(1, Math.round(count / order))
}

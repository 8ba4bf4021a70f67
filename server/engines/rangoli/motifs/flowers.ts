import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { around, circle, dots, path, place, polar } from '../svg.ts'

/** A lotus from the side: seven petals that open from one foot. */
export function lotus(ink: Ink): string {
  const petalAt = (angle: number, length: number, fill: string) =>
    place(
      path(petal(0, length, 27, 'lotus'), { fill, stroke: ink.line, width: 2 }) +
        path(`M0 -10V${-length * 0.62}`, { stroke: ink.line, width: 1.4, opacity: 0.7 }),
      { y: 32, angle },
    )
  const pair = (angle: number, length: number, fill: string) =>
    petalAt(angle, length, fill) + petalAt(-angle, length, fill)
  return (
    path('M-46 33C-26 23 26 23 46 33C24 46 -24 46 -46 33Z', {
      fill: ink.leaf.base,
      stroke: ink.line,
      width: 2,
    }) +
    pair(76, 52, ink.fill.deep) +
    pair(50, 66, ink.fill.base) +
    pair(25, 74, ink.fill.light) +
    petalAt(0, 80, ink.fill.base) +
    dots(
      [
        [-10, 38],
        [0, 39.5],
        [10, 38],
      ],
      1.8,
      ink.line,
    )
  )
}

/** A marigold head from above, ruffled. */
export function marigold(ink: Ink): string {
  const ruffle = (radius: number, count: number, size: number, fill: string, turn: number) =>
    around(circle(0, -radius, size, { fill, stroke: ink.fill.deep, width: 1.2 }), count, turn)
  return (
    ruffle(36, 14, 10.5, ink.fill.deep, 0) +
    circle(0, 0, 36, { fill: ink.fill.deep }) +
    ruffle(27, 12, 9.5, ink.fill.base, 15) +
    circle(0, 0, 26, { fill: ink.fill.base }) +
    ruffle(16, 8, 8, ink.fill.light, 0) +
    circle(0, 0, 13, { fill: ink.second.base, stroke: ink.fill.deep, width: 1.2 }) +
    dots(ringOf(7, 6), 1.6, ink.fill.deep)
  )
}

/** A jasmine: six pointed petals and as many sepals. */
export function jasmine(ink: Ink): string {
  return (
    around(path(petal(8, 44, 11, 'leaf'), { fill: ink.leaf.base }), 6, 30) +
    around(
      path(petal(4, 48, 24, 'leaf'), { fill: ink.fill.light, stroke: ink.line, width: 2 }) +
        path('M0 -14V-34', { stroke: ink.fill.deep, width: 1.8 }),
      6,
    ) +
    circle(0, 0, 10, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    dots(ringOf(5, 6), 1.5, ink.second.deep)
  )
}

/** A hibiscus: five broad petals with a crimson throat. */
export function hibiscus(ink: Ink): string {
  return (
    around(
      path(petal(2, 48, 46, 'drop'), { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
        path(petal(4, 26, 16, 'leaf'), { fill: ink.fill.deep }) +
        path('M-7 -24L-11 -36M0 -28V-41M7 -24L11 -36', { stroke: ink.fill.light, width: 1.6 }),
      5,
    ) + circle(0, 0, 8, { fill: ink.flame.base, stroke: ink.line, width: 2 })
  )
}

/** A sunflower: a ring of thin petals around a seeded disc. */
export function sunflower(ink: Ink): string {
  return (
    around(path(petal(16, 48, 12, 'leaf'), { fill: ink.fill.deep }), 16, 11.25) +
    around(path(petal(16, 46, 12, 'leaf'), { fill: ink.fill.base, stroke: ink.line, width: 1.4 }), 16) +
    circle(0, 0, 20, { fill: ink.third.deep, stroke: ink.line, width: 2 }) +
    dots([...ringOf(14, 14), ...ringOf(8, 8), [0, 0]], 1.7, ink.fill.light)
  )
}

function ringOf(radius: number, count: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => polar(radius, (index * 360) / count))
}

import type { MotifColors } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, path, polar, polygon } from '../svg.ts'

/** Two rings of drops around a disc. */
export function roundel(colors: MotifColors): string {
  return (
    around(
      path(petal(18, 48, 22, 'drop'), { fill: colors.secondary.base, stroke: colors.stroke, width: 1.8 }),
      8,
      22.5,
    ) +
    around(
      path(petal(8, 41, 19, 'drop'), { fill: colors.primary.base, stroke: colors.stroke, width: 2 }) +
        circle(0, -31, 3.4, { fill: colors.primary.light }),
      8,
    ) +
    circle(0, 0, 13, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2.2 }) +
    around(circle(0, -8, 1.8, { fill: colors.tertiary.light }), 6) +
    circle(0, 0, 4, { fill: colors.stroke })
  )
}

/** One line in four loops around dots, as in a kolam. */
export function knot(colors: MotifColors): string {
  const loop = 'M0 0C-34 -14 -26 -48 0 -48C26 -48 34 -14 0 0Z'
  return (
    around(
      path(loop, { fill: colors.secondary.base, stroke: colors.stroke, width: 2.6 }) +
        circle(0, -28, 3.4, { fill: colors.stroke }),
      4,
      45,
    ) +
    around(
      path(loop, { fill: colors.primary.base, stroke: colors.stroke, width: 2.8 }) +
        path('M0 -12C-15 -20 -14 -38 0 -39C14 -38 15 -20 0 -12Z', { fill: colors.primary.light }) +
        circle(0, -28, 4, { fill: colors.stroke }),
      4,
    ) +
    circle(0, 0, 8, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2.2 })
  )
}

/** Two squares that cross in an eight-pointed star. */
export function octagram(colors: MotifColors): string {
  const square = polygon([0, 90, 180, 270].map((angle) => polar(48, angle)))
  const inner = polygon([0, 90, 180, 270].map((angle) => polar(30, angle)))
  return (
    around(path(square, { fill: colors.secondary.base, stroke: colors.stroke, width: 2.4 }), 1, 45) +
    path(square, { fill: colors.primary.base, stroke: colors.stroke, width: 2.4 }) +
    around(path(inner, { fill: colors.primary.deep, stroke: colors.stroke, width: 1.8 }), 2, 45) +
    around(path(petal(6, 25, 13, 'lotus'), { fill: colors.tertiary.light }), 8) +
    circle(0, 0, 7, { fill: colors.tertiary.base, stroke: colors.stroke, width: 1.8 })
  )
}

/** Six petals between six leaves. */
export function hexafoil(colors: MotifColors): string {
  return (
    around(
      path(petal(10, 48, 20, 'leaf'), { fill: colors.secondary.deep, stroke: colors.stroke, width: 1.8 }) +
        circle(0, -34, 2.6, { fill: colors.stroke }),
      6,
      30,
    ) +
    around(
      path(petal(6, 46, 34, 'round'), { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
        path(petal(12, 37, 19, 'round'), { fill: colors.primary.light }) +
        path(petal(14, 29, 9, 'round'), { fill: colors.primary.deep }),
      6,
    ) +
    circle(0, 0, 11, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2.2 }) +
    circle(0, 0, 4.5, { fill: colors.tertiary.light })
  )
}

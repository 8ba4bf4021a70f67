import type { MotifColors } from '../color.ts'
import { petal } from '../shapes.ts'
import { circle, dots, mirrored, path, place, rect } from '../svg.ts'

/** A temple: a stepped tower between two small ones, with a lamp in the doorway. */
export function temple(colors: MotifColors): string {
  const side = { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }
  return (
    mirrored(
      path('M22 40V8L30 -10L38 8V40Z', side) +
        path('M30 -10V-20L37 -16L30 -13', { fill: colors.flame.base, stroke: colors.stroke, width: 1.4 }),
    ) +
    path('M-24 40V4L-18 4L-15 -12L-11 -12L-8 -26L-4 -26L0 -36L4 -26L8 -26L11 -12L15 -12L18 4L24 4V40Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M-18 4H18M-15 -12H15M-8 -26H8', { stroke: colors.stroke, width: 1.8 }) +
    dots(
      [
        [-9, -4],
        [0, -4],
        [9, -4],
        [-5, -18],
        [0, -18],
        [5, -18],
      ],
      2.2,
      colors.primary.light,
    ) +
    path('M-10 40V20C-10 8 10 8 10 20V40Z', { fill: colors.flame.light, stroke: colors.stroke, width: 1.8 }) +
    place(path(petal(0, 14, 7, 'drop'), { fill: colors.secondary.deep }), { y: 36 }) +
    path('M0 -36V-49L10 -44L0 -40', { fill: colors.flame.base, stroke: colors.stroke, width: 1.6 }) +
    path('M-46 40H46V47H-46Z', { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 })
  )
}

/** An onion dome between minarets. */
export function dome(colors: MotifColors): string {
  return (
    mirrored(
      path('M35 40V-14H43V40Z', { fill: colors.secondary.base, stroke: colors.stroke, width: 1.8 }) +
        path('M34 -14C32 -22 38 -26 39 -32C40 -26 46 -22 44 -14Z', {
          fill: colors.primary.base,
          stroke: colors.stroke,
          width: 1.8,
        }) +
        path('M35 4H43M35 22H43', { stroke: colors.stroke, width: 1.6 }),
    ) +
    path('M-26 40V8H26V40Z', { fill: colors.secondary.light, stroke: colors.stroke, width: 2.2 }) +
    path('M-22 8C-36 -16 -8 -22 0 -40C8 -22 36 -16 22 8Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M-10 6C-16 -10 -4 -18 0 -28C4 -18 16 -10 10 6', { stroke: colors.primary.light, width: 1.8 }) +
    path('M0 -40V-49', { stroke: colors.stroke, width: 2.4 }) +
    path('M-11 40V26C-11 20 -4 17 0 12C4 17 11 20 11 26V40Z', {
      fill: colors.tertiary.deep,
      stroke: colors.stroke,
      width: 1.8,
    }) +
    mirrored(path('M16 40V30C16 26 19 25 20 22C21 25 24 26 24 30V40Z', { fill: colors.tertiary.base })) +
    path('M-48 40H48V47H-48Z', { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 })
  )
}

/** A hut with a thatched roof and a painted wall. */
export function house(colors: MotifColors): string {
  return (
    rect(-30, 0, 60, 42, { fill: colors.secondary.light, stroke: colors.stroke, width: 2.2 }) +
    path('M-44 4C-26 -10 -12 -30 0 -44C12 -30 26 -10 44 4Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M0 -34V2M-12 -18L-20 2M12 -18L20 2', { stroke: colors.primary.light, width: 1.9 }) +
    path('M-9 42V18H9V42Z', { fill: colors.tertiary.deep, stroke: colors.stroke, width: 1.8 }) +
    mirrored(rect(15, 14, 10, 11, { fill: colors.flame.base, stroke: colors.stroke, width: 1.6 })) +
    dots(
      [
        [-25, 34],
        [-17, 34],
        [17, 34],
        [25, 34],
      ],
      2.2,
      colors.primary.deep,
    ) +
    path('M-44 43H44', { stroke: colors.stroke, width: 3 })
  )
}

/** Towers of a city, their windows lit. */
export function tower(colors: MotifColors): string {
  const windows = (x: number, top: number, rows: number) =>
    Array.from({ length: rows }, (_, row) => [x, top + row * 10] as const)
  return (
    mirrored(
      rect(28, 4, 18, 42, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 }) +
        rect(13, -16, 16, 62, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }),
    ) +
    path('M-13 46V-24L-7 -34H7L13 -24V46Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M0 -34V-49', { stroke: colors.stroke, width: 2.2 }) +
    mirrored(
      dots([...windows(5, -20, 6), ...windows(21, -8, 5), ...windows(37, 12, 3)], 2.1, colors.flame.light),
    ) +
    circle(0, -49, 2, { fill: colors.flame.light }) +
    path('M-48 47H48', { stroke: colors.stroke, width: 3 })
  )
}

/** Three peaks with snow. */
export function mountain(colors: MotifColors): string {
  const peak = { stroke: colors.stroke, width: 2.2 }
  return (
    mirrored(
      path('M2 42L28 -12L50 42Z', { ...peak, fill: colors.secondary.base }) +
        path('M28 -12L35 5L29 1L24 6L20 4Z', { fill: colors.primary.light }),
    ) +
    path('M-34 42L0 -46L34 42Z', { ...peak, fill: colors.primary.base }) +
    path('M0 -46L12 -14L5 -20L0 -10L-5 -20L-12 -14Z', {
      fill: colors.primary.light,
      stroke: colors.stroke,
      width: 1.6,
    }) +
    path('M-20 34L-8 4L-2 18L6 2L20 34', { stroke: colors.primary.deep, width: 2.4 }) +
    path('M-50 42H50', { stroke: colors.stroke, width: 2.6 })
  )
}

import type { Ink } from '../stage.ts'
import { around, circle, dots, ellipse, mirrored, path, rect } from '../svg.ts'

/** A gear wheel. */
export function gear(ink: Ink): string {
  return (
    around(path('M-8 -34L-6 -48H6L8 -34Z', { fill: ink.fill.base, stroke: ink.line, width: 2 }), 8) +
    circle(0, 0, 37, { fill: ink.fill.base, stroke: ink.line, width: 2.2 }) +
    circle(0, 0, 26, { fill: ink.fill.deep, stroke: ink.line, width: 1.8 }) +
    around(path('M-4 -10L-3 -25H3L4 -10Z', { fill: ink.second.base }), 6) +
    circle(0, 0, 12, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    circle(0, 0, 5, { fill: ink.ground })
  )
}

/** A hexagonal chip with its traces. */
export function circuit(ink: Ink): string {
  return (
    around(
      path('M0 -20V-46M12 -17V-28L19 -38M-12 -17V-28L-19 -38', { stroke: ink.second.light, width: 2.2 }) +
        dots(
          [
            [0, -46],
            [19, -38],
            [-19, -38],
          ],
          3.4,
          ink.third.base,
        ),
      4,
    ) +
    path('M-22 -14L-14 -22H14L22 -14V14L14 22H-14L-22 14Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    around(path('M0 -6L6 -14L0 -18L-6 -14Z', { fill: ink.fill.light }), 4) +
    circle(0, 0, 5, { fill: ink.line })
  )
}

/** A robot's head. */
export function robot(ink: Ink): string {
  return (
    path('M0 -30V-42', { stroke: ink.line, width: 3 }) +
    circle(0, -44, 5, { fill: ink.flame.base, stroke: ink.line, width: 1.6 }) +
    mirrored(rect(36, -10, 11, 24, { fill: ink.second.base, stroke: ink.line, width: 2 })) +
    path(
      'M-28 -30H28C35 -30 37 -26 37 -20V28C37 36 33 40 26 40H-26C-33 40 -37 36 -37 28V-20C-37 -26 -35 -30 -28 -30Z',
      {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2.4,
      },
    ) +
    mirrored(
      circle(16, -6, 11, { fill: ink.fill.light, stroke: ink.line, width: 2 }) +
        circle(16, -6, 5, { fill: ink.third.deep }),
    ) +
    path('M-22 16H22V30H-22Z', { fill: ink.second.deep, stroke: ink.line, width: 1.8 }) +
    path('M-11 16V30M0 16V30M11 16V30', { stroke: ink.line, width: 1.8 })
  )
}

/** A rocket that goes up. */
export function rocket(ink: Ink): string {
  return (
    path('M-9 28C-12 38 -4 40 0 48C4 40 12 38 9 28Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 1.6,
    }) +
    mirrored(path('M14 6C28 12 30 24 28 36L12 26Z', { fill: ink.second.base, stroke: ink.line, width: 2 })) +
    path('M0 -48C20 -32 22 4 13 28H-13C-22 4 -20 -32 0 -48Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M0 -48C10 -40 14 -30 16 -22H-16C-14 -30 -10 -40 0 -48Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2,
    }) +
    circle(0, -6, 9, { fill: ink.third.base, stroke: ink.line, width: 2.2 }) +
    path('M-16 16H16', { stroke: ink.line, width: 2 })
  )
}

/** A clock face shortly before midnight. */
export function clock(ink: Ink): string {
  return (
    circle(0, 0, 46, { fill: ink.fill.base, stroke: ink.line, width: 2.4 }) +
    circle(0, 0, 36, { fill: ink.fill.light, stroke: ink.line, width: 2 }) +
    around(circle(0, -41, 2.2, { fill: ink.line }), 12) +
    around(path('M0 -33V-27', { stroke: ink.fill.deep, width: 2.6 }), 12) +
    path('M-12 -14L0 0L0 -25', { stroke: ink.third.deep, width: 4 }) +
    circle(0, 0, 5, { fill: ink.second.base, stroke: ink.line, width: 1.6 })
  )
}

/** An open book under three sparks. */
export function book(ink: Ink): string {
  return (
    path('M0 40C-14 30 -32 30 -48 34V-14C-32 -18 -14 -18 0 -8C14 -18 32 -18 48 -14V34C32 30 14 30 0 40Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M0 32C-12 24 -28 24 -42 27V-9C-28 -12 -12 -12 0 -3C12 -12 28 -12 42 -9V27C28 24 12 24 0 32Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 1.8,
    }) +
    path('M0 -3V32', { stroke: ink.line, width: 2 }) +
    mirrored(
      path('M8 4C18 0 28 0 36 2M8 12C18 8 28 8 36 10M8 20C18 16 28 16 36 18', {
        stroke: ink.fill.deep,
        width: 1.8,
      }),
    ) +
    dots(
      [
        [0, -32],
        [-18, -38],
        [18, -38],
      ],
      4.4,
      ink.second.base,
    )
  )
}

/** A steaming cup on its saucer. */
export function cup(ink: Ink): string {
  return (
    path('M-34 -4H34C34 22 22 36 0 36C-22 36 -34 22 -34 -4Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    ellipse(0, -4, 34, 7, { fill: ink.third.deep, stroke: ink.line, width: 2 }) +
    path('M-30 10Q-20 18 -10 10T10 10T30 10', { stroke: ink.fill.light, width: 2.4 }) +
    ellipse(0, 41, 44, 6, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    path('M-14 -16C-20 -26 -8 -32 -14 -44M0 -16C-6 -26 6 -34 0 -46M14 -16C8 -26 20 -32 14 -44', {
      stroke: ink.line,
      width: 2.4,
    })
  )
}

/** A sitar: a long neck over a gourd. */
export function sitar(ink: Ink): string {
  return (
    path('M-5 -46H5V14H-5Z', { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    mirrored(path('M5 -42H12M5 -34H12M5 -26H10', { stroke: ink.line, width: 2.6 })) +
    path('M0 2C16 2 28 14 28 28C28 42 14 48 0 48C-14 48 -28 42 -28 28C-28 14 -16 2 0 2Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    circle(0, 28, 12, { fill: ink.fill.deep, stroke: ink.line, width: 1.8 }) +
    path('M-2 -42V38M2 -42V38M-8 38H8', { stroke: ink.line, width: 1.2 }) +
    mirrored(
      dots(
        [
          [19, 20],
          [21, 30],
          [17, 39],
        ],
        2,
        ink.fill.light,
      ),
    )
  )
}

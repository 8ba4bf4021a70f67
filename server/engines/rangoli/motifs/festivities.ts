import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { around, circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** A painted pot with mango leaves and a coconut. */
export function pot(ink: Ink): string {
  const blade = (angle: number) =>
    place(path(petal(6, 38, 15, 'leaf'), { fill: ink.leaf.base, stroke: ink.line, width: 1.8 }), {
      y: -12,
      angle,
    })
  return (
    mirrored(blade(68) + blade(38)) +
    path('M0 -48C14 -40 15 -22 10 -12H-10C-15 -22 -14 -40 0 -48Z', {
      fill: ink.third.base,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-20 -14H20L15 -4C46 2 42 42 14 45H-14C-42 42 -46 2 -15 -4Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M-32 14H32M-34 28H34', { stroke: ink.line, width: 1.8 }) +
    path('M-32 28L-26 16L-20 28L-13 16L-6.5 28L0 16L6.5 28L13 16L20 28L26 16L32 28', {
      stroke: ink.flame.light,
      width: 2.2,
    }) +
    dots(
      [
        [-16, 6],
        [-8, 7],
        [0, 7],
        [8, 7],
        [16, 6],
      ],
      2,
      ink.line,
    )
  )
}

/** A temple bell. */
export function bell(ink: Ink): string {
  return (
    circle(0, -42, 6, { stroke: ink.line, width: 2.4 }) +
    circle(0, 38, 7, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    path('M0 -37C24 -36 22 -6 26 12C28 22 36 26 40 32H-40C-36 26 -28 22 -26 12C-22 -6 -24 -36 0 -37Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M-22 -6H22M-25 10H25M-30 20H30', { stroke: ink.line, width: 1.8 }) +
    path('M-18 8L-9 -4L0 8L9 -4L18 8', { stroke: ink.fill.deep, width: 2.2 }) +
    path('M-8 -28C-14 -22 -14 -16 -14 -12', { stroke: ink.flame.light, width: 2.6 })
  )
}

/** A two-headed drum on its strap. */
export function drum(ink: Ink): string {
  return (
    path('M-30 -24C-20 -48 20 -48 30 -24', { stroke: ink.second.base, width: 4 }) +
    path('M-34 -24C-14 -34 14 -34 34 -24V26C14 36 -14 36 -34 26Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M-22 -28L-11 31L0 -31L11 31L22 -28', { stroke: ink.fill.light, width: 2.2 }) +
    mirrored(
      ellipse(35, 1, 10, 28, { fill: ink.third.light, stroke: ink.line, width: 2.2 }) +
        ellipse(36, 1, 4.5, 13, { fill: ink.third.deep }),
    ) +
    dots(
      [
        [0, 40],
        [-14, 39],
        [14, 39],
      ],
      2.4,
      ink.second.base,
    )
  )
}

/** A rakhi: a jewelled flower on a knotted thread. */
export function rakhi(ink: Ink): string {
  return (
    mirrored(
      path('M20 0H40', { stroke: ink.second.base, width: 5 }) +
        path('M40 0L49 -8M40 0L50 0M40 0L49 8', { stroke: ink.second.light, width: 2.2 }) +
        circle(33, 0, 4, { fill: ink.flame.base, stroke: ink.line, width: 1.4 }),
    ) +
    around(path(petal(8, 30, 15, 'round'), { fill: ink.fill.base, stroke: ink.line, width: 1.8 }), 10) +
    circle(0, 0, 16, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    around(circle(0, -12, 2.2, { fill: ink.flame.light }), 10) +
    circle(0, 0, 7, { fill: ink.third.light, stroke: ink.line, width: 1.6 })
  )
}

/** A trident with a drum at its shaft. */
export function trident(ink: Ink): string {
  return (
    path('M0 48V-20', { stroke: ink.line, width: 4 }) +
    path(
      'M-30 -40C-34 -14 -18 -8 0 -8C18 -8 34 -14 30 -40C24 -30 24 -18 6 -18L4 -30L0 -49L-4 -30L-6 -18C-24 -18 -24 -30 -30 -40Z',
      {
        fill: ink.flame.base,
        stroke: ink.line,
        width: 2.2,
      },
    ) +
    path('M-18 6L0 16L18 6V28L0 18L-18 28Z', { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    path('M-14 38H14', { stroke: ink.second.base, width: 3 })
  )
}

/** A dancer's painted mask under a tall crown. */
export function mask(ink: Ink): string {
  return (
    path('M0 -49C30 -44 44 -20 40 4H-40C-44 -20 -30 -44 0 -49Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M0 -40C20 -36 30 -20 28 -4H-28C-30 -20 -20 -36 0 -40Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 1.8,
    }) +
    path('M0 -16C22 -16 28 0 26 16C24 36 10 46 0 46C-10 46 -24 36 -26 16C-28 0 -22 -16 0 -16Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    mirrored(
      path('M4 6Q12 -4 22 4Q13 12 4 6Z', { fill: ink.fill.light, stroke: ink.line, width: 1.7 }) +
        circle(13, 5, 3.2, { fill: ink.ground }) +
        path('M4 -3Q12 -11 23 -4', { stroke: ink.line, width: 2.4 }) +
        path('M26 20C38 16 42 26 34 34', { stroke: ink.line, width: 3 }),
    ) +
    path('M-9 30Q0 25 9 30Q0 40 -9 30Z', { fill: ink.second.deep, stroke: ink.line, width: 1.6 }) +
    path('M0 8L4 22H-4Z', { fill: ink.fill.light }) +
    path('M0 -14L4 -7L0 0L-4 -7Z', { fill: ink.second.base }) +
    dots(
      [
        [0, -44],
        [-18, -38],
        [18, -38],
        [-31, -22],
        [31, -22],
        [0, -29],
        [-12, -25],
        [12, -25],
      ],
      2.8,
      ink.line,
    )
  )
}

/** A wheel with eight carved spokes. */
export function wheel(ink: Ink): string {
  return (
    circle(0, 0, 46, { fill: ink.fill.base, stroke: ink.line, width: 2.2 }) +
    circle(0, 0, 34, { fill: ink.fill.deep, stroke: ink.line, width: 2 }) +
    around(circle(0, -40, 2.8, { fill: ink.fill.light }), 16) +
    around(path('M0 -8L5 -20L0 -33L-5 -20Z', { fill: ink.second.light, stroke: ink.line, width: 1.5 }), 8) +
    around(path('M0 -14V-30', { stroke: ink.second.light, width: 1.5 }), 8, 22.5) +
    circle(0, 0, 11, { fill: ink.third.base, stroke: ink.line, width: 2 }) +
    circle(0, 0, 4, { fill: ink.line })
  )
}

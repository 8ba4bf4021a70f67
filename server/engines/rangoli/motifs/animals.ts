import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** An elephant with its saddlecloth, trunk raised to the right. */
export function elephant(ink: Ink): string {
  return (
    path(
      'M-42 44V2C-42 -24 -22 -34 2 -32C14 -40 32 -36 35 -22C39 -8 36 6 42 4C46 2 44 -10 48 -12C52 8 46 20 36 18C30 16 28 8 26 6C22 12 20 16 18 18V44H4V24H-24V44Z',
      { fill: ink.fill.base, stroke: ink.line, width: 2.4 },
    ) +
    path('M-30 -28C-22 -33 -10 -34 -2 -32C2 -18 2 -4 -2 8H-26C-32 -2 -33 -16 -30 -28Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    dots(
      [
        [-24, 2],
        [-14, 2],
        [-5, 2],
      ],
      2.2,
      ink.line,
    ) +
    place(path(petal(0, 22, 14, 'lotus'), { fill: ink.third.light }), { x: -15, y: -3 }) +
    path('M6 -28C22 -30 24 -8 14 2C6 -2 2 -16 6 -28Z', { fill: ink.fill.deep, stroke: ink.line, width: 2 }) +
    path('M27 2C32 10 38 12 42 9', { stroke: ink.line, width: 3 }) +
    circle(27, -19, 2.6, { fill: ink.line }) +
    path('M-42 2C-49 10 -47 22 -49 26', { stroke: ink.line, width: 2.4 }) +
    dots(
      [
        [-38, 40],
        [-30, 40],
        [8, 40],
        [14, 40],
      ],
      1.8,
      ink.line,
    )
  )
}

/** A big cat's face: tiger, lion or house cat. */
export function cat(ink: Ink): string {
  return (
    mirrored(
      path('M14 -34C20 -48 38 -50 42 -40C44 -30 38 -18 32 -14Z', {
        fill: ink.fill.deep,
        stroke: ink.line,
        width: 2.2,
      }),
    ) +
    path('M0 -40C34 -40 46 -14 42 8C38 32 18 46 0 46C-18 46 -38 32 -42 8C-46 -14 -34 -40 0 -40Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    mirrored(
      path('M42 -6L28 -4L42 4ZM41 14L28 14L37 22ZM6 -39L10 -24L15 -37Z', { fill: ink.third.deep }) +
        ellipse(17, -6, 8, 6.5, { fill: ink.flame.light, stroke: ink.line, width: 2 }) +
        circle(17, -6, 3.2, { fill: ink.third.deep }) +
        path('M0 22C4 32 14 32 18 26M16 18L36 14M16 22L35 25', { stroke: ink.line, width: 1.9 }),
    ) +
    path('M0 -39L4 -22L0 -16L-4 -22Z', { fill: ink.third.deep }) +
    path('M-9 10Q0 5 9 10L0 22Z', { fill: ink.second.base, stroke: ink.line, width: 1.8 })
  )
}

/** A cow's face, garlanded, between its horns. */
export function cow(ink: Ink): string {
  return (
    mirrored(
      path('M14 -26C34 -28 40 -38 34 -49C50 -40 46 -14 20 -12Z', {
        fill: ink.flame.light,
        stroke: ink.line,
        width: 2,
      }) +
        path('M22 -12C32 -20 46 -16 48 -4C40 4 28 4 22 0Z', {
          fill: ink.fill.deep,
          stroke: ink.line,
          width: 2,
        }),
    ) +
    path('M-22 -22C-16 -32 16 -32 22 -22C28 0 20 14 18 30C16 46 -16 46 -18 30C-20 14 -28 0 -22 -22Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 2.4,
    }) +
    ellipse(0, 32, 17, 11, { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    mirrored(
      ellipse(13, -4, 5, 6, { fill: ink.third.deep }) + ellipse(7, 32, 2.4, 3.4, { fill: ink.third.deep }),
    ) +
    place(path(petal(0, 22, 14, 'lotus'), { fill: ink.second.base, stroke: ink.line, width: 1.6 }), {
      y: -4,
    }) +
    dots(
      [
        [-14, -27],
        [-7, -30],
        [0, -31],
        [7, -30],
        [14, -27],
      ],
      3,
      ink.flame.base,
    )
  )
}

/** Ganesha's face: the crown, the ears, the turned trunk. */
export function ganesha(ink: Ink): string {
  return (
    mirrored(
      path('M20 -14C34 -26 50 -16 48 2C46 16 36 22 24 16Z', {
        fill: ink.fill.deep,
        stroke: ink.line,
        width: 2.2,
      }) + path('M28 -6C36 -12 42 -4 40 4C38 10 32 10 28 8Z', { fill: ink.second.base }),
    ) +
    path('M-20 -24L-24 -38L-12 -32L0 -49L12 -32L24 -38L20 -24Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path(
      'M-25 -16C-20 -28 20 -28 25 -16C28 2 20 10 12 16C12 30 6 34 8 42C4 48 -14 46 -14 36C-14 28 -4 30 -4 36C-6 26 -10 24 -12 16C-20 10 -28 2 -25 -16Z',
      {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2.4,
      },
    ) +
    mirrored(
      path('M7 -4Q13 -9 19 -4Q13 0 7 -4Z', { fill: ink.line }) +
        path('M12 14C16 18 20 24 26 24C24 16 20 12 15 11Z', {
          fill: ink.fill.light,
          stroke: ink.line,
          width: 1.5,
        }),
    ) +
    path('M-7 -21H7M-6 -17H6M-4 -13H4', { stroke: ink.line, width: 2 }) +
    path('M-7 14H7M-7 20H7M-5 26H6', { stroke: ink.fill.light, width: 1.8 }) +
    dots(
      [
        [0, -29],
        [-12, -29],
        [12, -29],
      ],
      2.8,
      ink.second.base,
    )
  )
}

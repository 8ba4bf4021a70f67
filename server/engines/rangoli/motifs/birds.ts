import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** A parrot-like bird, beak to the right. */
export function bird(ink: Ink): string {
  return (
    path('M-14 12C-26 22 -38 40 -46 46C-30 46 -12 36 2 24Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-24 18C-34 8 -14 -18 2 -22C2 -42 30 -46 38 -26L48 -18L36 -14C36 14 12 32 -24 18Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M-22 14C-24 -6 0 -16 18 -10C20 8 2 22 -22 14Z', {
      fill: ink.third.base,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-14 10C-10 0 0 -6 10 -5M-6 13C-2 6 4 3 11 3', { stroke: ink.third.light, width: 2 }) +
    path('M35 -27L49 -18L36 -14Z', { fill: ink.flame.base, stroke: ink.line, width: 1.6 }) +
    path('M22 -40C20 -48 26 -50 28 -46', { stroke: ink.line, width: 2.2 }) +
    circle(26, -27, 4.4, { fill: ink.line }) +
    circle(26.5, -27, 1.9, { fill: ink.ground })
  )
}

/** A peacock, head to the right, its train behind it. */
export function peacock(ink: Ink): string {
  const eye = (x: number, y: number) =>
    ellipse(x, y, 7, 8, { fill: ink.second.base, stroke: ink.line, width: 1.5 }) +
    circle(x, y + 1, 3.4, { fill: ink.fill.deep })
  return (
    path('M2 34C-30 48 -50 24 -48 -8C-46 -38 -24 -50 -10 -44C-20 -30 -6 -4 14 12Z', {
      fill: ink.leaf.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    eye(-22, -34) +
    eye(-38, -16) +
    eye(-38, 6) +
    eye(-28, 24) +
    eye(-22, -8) +
    path(
      'M-10 30C-4 6 10 4 14 -14C16 -34 30 -40 37 -31L49 -25L37 -22C34 -10 40 14 24 30C14 39 -2 40 -10 30Z',
      {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2.2,
      },
    ) +
    path('M-2 28C4 14 16 12 24 16C24 28 10 34 -2 28Z', {
      fill: ink.third.base,
      stroke: ink.line,
      width: 1.8,
    }) +
    path('M27 -36L22 -47M29 -37L29 -49M32 -36L36 -47', { stroke: ink.line, width: 1.8 }) +
    dots(
      [
        [22, -48],
        [29, -49],
        [36, -48],
      ],
      2.6,
      ink.flame.light,
    ) +
    circle(31, -28, 3, { fill: ink.line }) +
    path('M6 38V48M16 36V48', { stroke: ink.line, width: 2 })
  )
}

/** A peacock's tail feather with its eye. */
export function feather(ink: Ink): string {
  return (
    path(petal(-48, 48, 56, 'drop'), { fill: ink.leaf.base, stroke: ink.line, width: 2 }) +
    mirrored(path('M0 40L9 26M0 30L13 12M0 20L18 0M0 10L22 -10', { stroke: ink.leaf.light, width: 1.8 })) +
    path('M0 47V-4', { stroke: ink.flame.light, width: 2.2 }) +
    ellipse(0, -20, 21, 23, { fill: ink.flame.base, stroke: ink.line, width: 1.6 }) +
    ellipse(0, -19, 15, 17, { fill: ink.second.base }) +
    path('M0 -3C-13 -5 -13 -24 -5 -29C-3 -31 -1 -29 0 -26C1 -29 3 -31 5 -29C13 -24 13 -5 0 -3Z', {
      fill: ink.fill.deep,
    }) +
    circle(0, -14, 3.2, { fill: ink.second.light })
  )
}

/** An owl that looks straight ahead. */
export function owl(ink: Ink): string {
  const eye = (x: number) =>
    circle(x, -18, 13, { fill: ink.fill.light, stroke: ink.line, width: 2 }) +
    circle(x, -18, 6, { fill: ink.flame.base }) +
    circle(x, -18, 3, { fill: ink.ground })
  return (
    path(
      'M-32 -46C-24 -40 24 -40 32 -46C36 -30 38 -16 36 4C34 34 18 46 0 46C-18 46 -34 34 -36 4C-38 -16 -36 -30 -32 -46Z',
      {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2.4,
      },
    ) +
    mirrored(
      path('M35 0C20 6 16 24 18 38C30 30 36 18 35 0Z', { fill: ink.second.base, stroke: ink.line, width: 2 }),
    ) +
    path('M-12 8Q-6 14 0 8Q6 14 12 8M-12 18Q-6 24 0 18Q6 24 12 18M-10 28Q-5 33 0 28Q5 33 10 28', {
      stroke: ink.fill.light,
      width: 2,
    }) +
    eye(-14) +
    eye(14) +
    path('M0 -16L5 -6L0 2L-5 -6Z', { fill: ink.flame.base, stroke: ink.line, width: 1.4 })
  )
}

/** A butterfly with its wings open. */
export function butterfly(ink: Ink): string {
  return (
    mirrored(
      path('M2 4C10 -34 34 -48 46 -38C50 -14 32 4 2 4Z', {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2.2,
      }) +
        path('M2 6C26 4 40 18 34 36C22 46 8 32 2 6Z', {
          fill: ink.second.base,
          stroke: ink.line,
          width: 2.2,
        }) +
        place(path(petal(0, 26, 15, 'drop'), { fill: ink.third.light }), { x: 12, y: -6, angle: 48 }) +
        circle(21, 22, 6.5, { fill: ink.fill.light, stroke: ink.line, width: 1.4 }) +
        path('M1 -18C6 -32 10 -40 17 -46', { stroke: ink.line, width: 2 }) +
        dots(
          [
            [38, -32],
            [42, -22],
            [17, -47],
          ],
          2.2,
          ink.line,
        ),
    ) + ellipse(0, 4, 4.6, 25, { fill: ink.third.deep, stroke: ink.line, width: 1.8 })
  )
}

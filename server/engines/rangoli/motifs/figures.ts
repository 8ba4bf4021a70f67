import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { around, circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** A dancing figure of two triangles, as painted on village walls. */
export function dancer(ink: Ink): string {
  return (
    path('M-18 -20H18L0 6Z', { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    path('M0 0L26 32H-26Z', { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    path('M-20 26H20M-14 18H14', { stroke: ink.second.light, width: 2 }) +
    mirrored(
      path('M17 -20L34 -30L30 -47M10 32L12 46L20 46', { stroke: ink.line, width: 3 }) +
        circle(30, -47, 3, { fill: ink.flame.light }),
    ) +
    circle(0, -32, 9, { fill: ink.third.base, stroke: ink.line, width: 2 }) +
    circle(0, -44, 4, { fill: ink.line }) +
    dots(
      [
        [-7, -15],
        [0, -15],
        [7, -15],
      ],
      1.8,
      ink.line,
    )
  )
}

/** An open eye under its brow and over a tear of dots. */
export function eye(ink: Ink): string {
  return (
    path('M-46 0C-24 -34 24 -34 46 0C24 34 -24 34 -46 0Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 2.4,
    }) +
    circle(0, 0, 21, { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    around(path('M0 -11V-19', { stroke: ink.fill.light, width: 2 }), 12) +
    circle(0, 0, 9, { fill: ink.fill.deep }) +
    circle(3.5, -3.5, 3, { fill: ink.fill.light }) +
    path('M-44 -22C-24 -48 24 -48 44 -22', { stroke: ink.line, width: 3 }) +
    dots(
      [
        [-26, 31],
        [-13, 36],
        [0, 38],
        [13, 36],
        [26, 31],
      ],
      2.6,
      ink.second.base,
    )
  )
}

/** A hand held up, hennaed. */
export function hand(ink: Ink): string {
  return (
    path(
      'M-16 48V30C-30 18 -40 4 -38 -2C-35 -8 -28 0 -21 8V-30C-21 -38 -12 -38 -11 -30V-6V-42C-10 -50 0 -50 1 -42V-6V-38C2 -46 11 -46 12 -38V-4V-26C13 -33 22 -33 22 -26V12C22 26 18 32 16 36V48Z',
      { fill: ink.fill.light, stroke: ink.line, width: 2.2 },
    ) +
    place(around(path(petal(3, 12, 8, 'round'), { fill: ink.fill.deep }), 8), { x: 0, y: 14 }) +
    dots(
      [
        [-16, -30],
        [-5, -42],
        [7, -38],
        [17, -26],
      ],
      2.8,
      ink.fill.deep,
    ) +
    path('M-14 38Q0 44 14 38M-21 -14H-11M-11 -20H1M1 -18H12M12 -10H22', { stroke: ink.fill.deep, width: 2.2 })
  )
}

/** A heart with a heart in it. */
export function heart(ink: Ink): string {
  const outline = 'M0 44C-16 26 -46 10 -44 -18C-42 -42 -10 -46 0 -20C10 -46 42 -42 44 -18C46 10 16 26 0 44Z'
  return (
    path(outline, { fill: ink.fill.base, stroke: ink.line, width: 2.4 }) +
    place(path(outline, { fill: ink.second.base, stroke: ink.line, width: 2.6 }), { scale: 0.62 }) +
    place(path(outline, { fill: ink.fill.light }), { scale: 0.3 }) +
    mirrored(
      dots(
        [
          [36, -20],
          [33, -8],
          [26, 4],
          [16, 15],
        ],
        2.2,
        ink.line,
      ),
    )
  )
}

/** A crown with jewels. */
export function crown(ink: Ink): string {
  return (
    path('M-38 34L-46 -18L-22 4L0 -38L22 4L46 -18L38 34Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M-38 34H38V44H-38Z', { fill: ink.fill.base, stroke: ink.line, width: 2.2 }) +
    dots(
      [
        [0, -41],
        [-46, -22],
        [46, -22],
      ],
      5,
      ink.fill.light,
    ) +
    ellipse(0, 10, 8, 11, { fill: ink.second.base, stroke: ink.line, width: 1.8 }) +
    mirrored(circle(22, 18, 5.5, { fill: ink.third.base, stroke: ink.line, width: 1.6 }))
  )
}

/** A cut gem from the side. */
export function gem(ink: Ink): string {
  return (
    path('M-26 -32H26L46 -8L0 44L-46 -8Z', { fill: ink.fill.base, stroke: ink.line, width: 2.4 }) +
    path('M-26 -32L-14 -8L0 -32L14 -8L26 -32ZM-14 -8H14L0 44Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 1.8,
    }) +
    path('M-46 -8H46', { stroke: ink.line, width: 1.8 })
  )
}

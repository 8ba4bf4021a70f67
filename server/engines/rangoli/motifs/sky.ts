import type { Ink } from '../stage.ts'
import { around, circle, dots, ellipse, mirrored, path, polar, polygon } from '../svg.ts'

/** A sun with straight and waving rays and a patterned disc. */
export function sun(ink: Ink): string {
  return (
    around(path('M-6 -26L0 -49L6 -26Z', { fill: ink.flame.base, stroke: ink.line, width: 1.4 }), 12) +
    around(path('M0 -26C4 -31 -4 -35 0 -41', { stroke: ink.flame.light, width: 2.2 }), 12, 15) +
    circle(0, 0, 26, { fill: ink.fill.base, stroke: ink.line, width: 2.2 }) +
    circle(0, 0, 18, { fill: ink.flame.light, stroke: ink.line, width: 1.6 }) +
    around(circle(0, -22, 1.7, { fill: ink.line }), 12, 15) +
    around(path('M0 -4C4 -9 4 -11 0 -15C-4 -11 -4 -9 0 -4Z', { fill: ink.fill.deep }), 8)
  )
}

/** A crescent that lies on its back, a star in its lap. */
export function moon(ink: Ink): string {
  return (
    path('M-42 -14A43 43 0 1 0 42 -14A36 36 0 0 1 -42 -14Z', {
      fill: ink.flame.light,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-31 16A40 40 0 0 0 31 16', { stroke: ink.fill.deep, width: 1.8 }) +
    dots(
      [
        [0, 33],
        [-12, 31],
        [12, 31],
        [-23, 26],
        [23, 26],
      ],
      1.9,
      ink.fill.deep,
    ) +
    path(starOutline(5, 17, 7, -16), { fill: ink.fill.light, stroke: ink.line, width: 1.6 })
  )
}

/** An eight-pointed star, facetted. */
export function star(ink: Ink): string {
  return (
    path(starOutline(8, 32, 20, 0, 22.5), { fill: ink.second.base, opacity: 0.9 }) +
    path(starOutline(8, 48, 18), { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    around(path('M0 0L0 -46L7 -17Z', { fill: ink.fill.light, opacity: 0.75 }), 8) +
    circle(0, 0, 7, { fill: ink.line })
  )
}

/** A monsoon cloud with three rows of drops. */
export function cloud(ink: Ink): string {
  const drop = (x: number, y: number) =>
    path(
      `M${x} ${y}C${x + 6} ${y + 9} ${x + 5} ${y + 15} ${x} ${y + 15}C${x - 5} ${y + 15} ${x - 6} ${y + 9} ${x} ${y}Z`,
      {
        fill: ink.second.light,
        stroke: ink.line,
        width: 1.2,
      },
    )
  return (
    path('M-34 12C-52 10 -50 -14 -33 -14C-32 -36 -6 -40 0 -28C6 -40 32 -36 33 -14C50 -14 52 10 34 12Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    mirrored(
      path('M30 2C40 2 40 -8 32 -8M8 2C8 -16 24 -18 22 -6C21 0 14 -1 15 -6', {
        stroke: ink.line,
        width: 1.8,
      }),
    ) +
    [-26, 0, 26].map((x) => drop(x, 17)).join('') +
    [-13, 13].map((x) => drop(x, 31)).join('')
  )
}

/** A six-armed ice crystal. */
export function snowflake(ink: Ink): string {
  return (
    around(
      path('M0 0V-46M0 -18L10 -28M0 -18L-10 -28M0 -30L8 -39M0 -30L-8 -39', { stroke: ink.line, width: 3 }) +
        circle(0, -47, 2.6, { fill: ink.fill.light }),
      6,
    ) +
    around(path('M0 -9L5 -17L0 -25L-5 -17Z', { fill: ink.fill.light }), 6, 30) +
    circle(0, 0, 7, { fill: ink.fill.base, stroke: ink.line, width: 2 })
  )
}

/** A banded planet within its ring. */
export function planet(ink: Ink): string {
  return (
    path('M-27 -4A48 13 0 0 1 27 -4', { stroke: ink.second.base, width: 5 }) +
    circle(0, 0, 27, { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    path('M-24 -12Q0 -5 24 -12M-19 -19Q0 -13 19 -19M-22 15Q0 23 22 15', {
      stroke: ink.fill.light,
      width: 3,
    }) +
    path('M-26 -5C-70 8 -40 18 0 18C40 18 70 8 26 -5', { stroke: ink.second.base, width: 5.5 }) +
    path('M-26 -5C-70 8 -40 18 0 18C40 18 70 8 26 -5', { stroke: ink.line, width: 1.4 }) +
    dots(
      [
        [0, -40],
        [-30, -32],
        [30, -32],
        [0, 38],
        [-26, 34],
        [26, 34],
      ],
      2.2,
      ink.line,
    )
  )
}

/** A kite of paper: cross spars, a tail of bows. */
export function kite(ink: Ink): string {
  return (
    path('M0 -48L34 -14L0 20Z', { fill: ink.second.base }) +
    path('M0 -48L-34 -14L0 20Z', { fill: ink.fill.base }) +
    path('M0 -48L17 -31L0 -14ZM-34 -14L-17 3L0 -14Z', { fill: ink.third.light }) +
    path('M0 -48L34 -14L0 20L-34 -14ZM0 -48V20M-34 -14Q0 -26 34 -14', { stroke: ink.line, width: 2 }) +
    path('M0 20C8 28 -8 34 0 48', { stroke: ink.line, width: 1.8 }) +
    path('M0 27L9 22V32ZM0 27L-9 22V32ZM0 40L8 35V45ZM0 40L-8 35V45Z', { fill: ink.third.base })
  )
}

/** A balloon with gores, its basket below. */
export function balloon(ink: Ink): string {
  return (
    path('M-14 22L-7 36M14 22L7 36', { stroke: ink.line, width: 1.6 }) +
    path('M0 -48C46 -46 40 2 13 24H-13C-40 2 -46 -46 0 -48Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M0 -48C20 -34 18 4 6 24H-6C-18 4 -20 -34 0 -48Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 1.6,
    }) +
    path('M-35 -20Q0 -6 35 -20', { stroke: ink.line, width: 2 }) +
    path('M-8 36H8L6 47H-6Z', { fill: ink.third.deep, stroke: ink.line, width: 1.8 }) +
    ellipse(0, 24, 13, 3, { fill: ink.third.base })
  )
}

function starOutline(points: number, outer: number, inner: number, y = 0, turn = 0): string {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const [cornerX, cornerY] = polar(index % 2 === 0 ? outer : inner, turn + (index * 180) / points)
    return [cornerX, cornerY + y] as const
  })
  return polygon(corners)
}

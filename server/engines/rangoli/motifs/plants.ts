import { petal } from '../petal.ts'
import type { Ink } from '../stage.ts'
import { around, circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** A leaf with a midrib and side veins. */
export function leaf(ink: Ink): string {
  return (
    path(petal(-48, 48, 46, 'leaf'), { fill: ink.leaf.base, stroke: ink.line, width: 2.2 }) +
    path('M0 46V-36', { stroke: ink.leaf.light, width: 2 }) +
    mirrored(path('M0 30L14 18M0 16L17 3M0 2L16 -12M0 -12L11 -24', { stroke: ink.leaf.light, width: 1.5 }))
  )
}

/** A banyan: a forked trunk under a crown of leaves. */
export function tree(ink: Ink): string {
  const crown = (x: number, y: number, radius: number, fill: string) =>
    circle(x, y, radius, { fill, stroke: ink.line, width: 2 })
  return (
    path('M-7 48C-4 30 -5 18 -22 2M7 48C4 30 5 18 22 2M0 40V-8', { stroke: ink.third.deep, width: 7 }) +
    mirrored(crown(27, -4, 18, ink.leaf.deep)) +
    mirrored(crown(17, -23, 18, ink.leaf.base)) +
    crown(0, -30, 19, ink.leaf.base) +
    circle(0, -14, 17, { fill: ink.leaf.base }) +
    dots(
      [
        [0, -36],
        [-9, -27],
        [9, -27],
        [-20, -22],
        [20, -22],
        [-30, -5],
        [30, -5],
        [0, -16],
      ],
      3,
      ink.fill.light,
    ) +
    path('M-18 48H18', { stroke: ink.line, width: 2.4 })
  )
}

/** A fir with three tiers and a star at its top. */
export function fir(ink: Ink): string {
  const tier = (y: number, width: number) =>
    path(
      `M0 ${y - 27}L${width} ${y}Q${width / 2} ${y + 5} 0 ${y + 3}Q${-width / 2} ${y + 5} ${-width} ${y}Z`,
      {
        fill: ink.leaf.base,
        stroke: ink.line,
        width: 2,
      },
    )
  return (
    path('M0 30V48', { stroke: ink.third.deep, width: 9 }) +
    tier(34, 34) +
    tier(15, 27) +
    tier(-4, 20) +
    dots(
      [
        [-20, 30],
        [0, 31],
        [20, 30],
        [-13, 11],
        [13, 11],
        [0, 12],
        [0, -9],
      ],
      2.8,
      ink.fill.light,
    ) +
    place(around(path('M0 0L3 -4L0 -13L-3 -4Z', { fill: ink.flame.light }), 5), { y: -36 })
  )
}

/** An ear of grain between two blades. */
export function wheat(ink: Ink): string {
  const grain = (y: number) =>
    mirrored(
      place(path(petal(0, 20, 11, 'leaf'), { fill: ink.flame.base, stroke: ink.line, width: 1.6 }), {
        x: 1,
        y,
        angle: 32,
      }),
    )
  return (
    mirrored(
      path('M0 48C14 34 30 26 32 0C22 14 6 26 0 48Z', { fill: ink.leaf.base, stroke: ink.line, width: 1.8 }),
    ) +
    path('M0 48V-30', { stroke: ink.leaf.deep, width: 3 }) +
    [16, 5, -6, -17].map(grain).join('') +
    path(petal(22, 48, 11, 'leaf'), { fill: ink.flame.light, stroke: ink.line, width: 1.6 })
  )
}

/** A toadstool with a spotted cap. */
export function mushroom(ink: Ink): string {
  return (
    path('M-11 2C-9 22 -13 34 -17 46H17C13 34 9 22 11 2Z', {
      fill: ink.fill.light,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-46 6C-44 -54 44 -54 46 6C28 16 -28 16 -46 6Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    dots(
      [
        [0, -24],
        [-22, -10],
        [22, -10],
      ],
      6.5,
      ink.fill.light,
    ) +
    dots(
      [
        [-8, 0],
        [8, 0],
        [-34, 2],
        [34, 2],
      ],
      3,
      ink.fill.light,
    )
  )
}

/** A mango with its leaf; the fruit and the paisley are the same shape in rangoli. */
export function paisley(ink: Ink): string {
  const outline =
    'M-6 46C-40 44 -46 4 -22 -14C-8 -24 6 -24 12 -34C16 -42 10 -48 2 -44C22 -54 36 -34 32 -8C30 20 22 46 -6 46Z'
  return (
    path(outline, { fill: ink.fill.base, stroke: ink.line, width: 2.4 }) +
    place(path(outline, { fill: ink.second.base, stroke: ink.line, width: 2.6 }), {
      x: -1,
      y: 10,
      scale: 0.62,
    }) +
    place(path(outline, { fill: ink.third.light }), { x: -2, y: 17, scale: 0.3 }) +
    dots(
      [
        [-25, 8],
        [-27, 20],
        [-22, 32],
        [24, 10],
        [20, 24],
        [25, -6],
      ],
      2,
      ink.line,
    )
  )
}

/** A coconut palm. */
export function palm(ink: Ink): string {
  const frond = (d: string) => mirrored(path(d, { fill: ink.leaf.base, stroke: ink.line, width: 1.8 }))
  return (
    path('M-4 48C-2 20 -3 4 0 -18C3 4 2 20 4 48Z', { fill: ink.third.deep, stroke: ink.line, width: 1.8 }) +
    frond('M0 -18C14 -30 36 -24 44 -2C32 -12 14 -14 0 -18Z') +
    frond('M0 -18C8 -40 30 -48 44 -38C28 -36 14 -28 0 -18Z') +
    frond('M0 -18C6 -10 20 0 22 18C12 8 2 -4 0 -18Z') +
    path(petal(16, 48, 13, 'leaf'), { fill: ink.leaf.base, stroke: ink.line, width: 1.8 }) +
    mirrored(ellipse(6, -12, 5, 6, { fill: ink.flame.deep, stroke: ink.line, width: 1.4 }))
  )
}

import type { Drawing } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, ellipse, mirrored, parsePoints, path, place, polar } from '../svg.ts'

export const plants = {
  /** A lotus from the side: seven petals from one base. */
  lotus({ primary, leaf, stroke }) {
    const petalAt = (angle: number, length: number, fill: string) =>
      place(
        path(petal(0, length, 27, 'lotus'), { fill, stroke, width: 2 }) +
          path(`M0 -10V${-length * 0.62}`, { stroke, width: 1.4, opacity: 0.7 }),
        { y: 32, angle },
      )
    const pair = (angle: number, length: number, fill: string) =>
      petalAt(angle, length, fill) + petalAt(-angle, length, fill)
    return (
      path('M-46 33C-26 23 26 23 46 33C24 46 -24 46 -46 33Z', { fill: leaf.base, stroke, width: 2 }) +
      pair(76, 52, primary.deep) +
      pair(50, 66, primary.base) +
      pair(25, 74, primary.light) +
      petalAt(0, 80, primary.base) +
      dots(parsePoints('-10,38 0,39.5 10,38'), 1.8, stroke)
    )
  },

  /** A marigold head from above, ruffled. */
  marigold({ primary, secondary }) {
    const ruffle = (radius: number, count: number, size: number, fill: string, turn: number) =>
      around(circle(0, -radius, size, { fill, stroke: primary.deep, width: 1.2 }), count, turn)
    return (
      ruffle(36, 14, 10.5, primary.deep, 0) +
      circle(0, 0, 36, { fill: primary.deep }) +
      ruffle(27, 12, 9.5, primary.base, 15) +
      circle(0, 0, 26, { fill: primary.base }) +
      ruffle(16, 8, 8, primary.light, 0) +
      circle(0, 0, 13, { fill: secondary.base, stroke: primary.deep, width: 1.2 }) +
      dots(ringOf(7, 6), 1.6, primary.deep)
    )
  },

  /** A jasmine: six pointed petals and as many sepals. */
  jasmine({ primary, secondary, leaf, stroke }) {
    return (
      around(path(petal(8, 44, 11, 'leaf'), { fill: leaf.base }), 6, 30) +
      around(
        path(petal(4, 48, 24, 'leaf'), { fill: primary.light, stroke, width: 2 }) +
          path('M0 -14V-34', { stroke: primary.deep, width: 1.8 }),
        6,
      ) +
      circle(0, 0, 10, { fill: secondary.base, stroke, width: 2 }) +
      dots(ringOf(5, 6), 1.5, secondary.deep)
    )
  },

  /** A hibiscus: five broad petals with a crimson throat. */
  hibiscus({ primary, flame, stroke }) {
    return (
      around(
        path(petal(2, 48, 46, 'drop'), { fill: primary.base, stroke, width: 2 }) +
          path(petal(4, 26, 16, 'leaf'), { fill: primary.deep }) +
          path('M-7 -24L-11 -36M0 -28V-41M7 -24L11 -36', { stroke: primary.light, width: 1.6 }),
        5,
      ) + circle(0, 0, 8, { fill: flame.base, stroke, width: 2 })
    )
  },

  /** A sunflower: a ring of thin petals around a seeded disc. */
  sunflower({ primary, tertiary, stroke }) {
    return (
      around(path(petal(16, 48, 12, 'leaf'), { fill: primary.deep }), 16, 11.25) +
      around(path(petal(16, 46, 12, 'leaf'), { fill: primary.base, stroke, width: 1.4 }), 16) +
      circle(0, 0, 20, { fill: tertiary.deep, stroke, width: 2 }) +
      dots([...ringOf(14, 14), ...ringOf(8, 8), [0, 0]], 1.7, primary.light)
    )
  },

  /** A leaf with a midrib and side veins. */
  leaf({ leaf, stroke }) {
    return (
      path(petal(-48, 48, 46, 'leaf'), { fill: leaf.base, stroke, width: 2.2 }) +
      path('M0 46V-36', { stroke: leaf.light, width: 2 }) +
      mirrored(path('M0 30L14 18M0 16L17 3M0 2L16 -12M0 -12L11 -24', { stroke: leaf.light, width: 1.5 }))
    )
  },

  /** A banyan: a forked trunk under a crown of leaves. */
  tree({ primary, tertiary, leaf, stroke }) {
    const crown = (x: number, y: number, radius: number, fill: string) =>
      circle(x, y, radius, { fill, stroke, width: 2 })
    return (
      path('M-7 48C-4 30 -5 18 -22 2M7 48C4 30 5 18 22 2M0 40V-8', { stroke: tertiary.deep, width: 7 }) +
      mirrored(crown(27, -4, 18, leaf.deep)) +
      mirrored(crown(17, -23, 18, leaf.base)) +
      crown(0, -30, 19, leaf.base) +
      circle(0, -14, 17, { fill: leaf.base }) +
      dots(parsePoints('0,-36 -9,-27 9,-27 -20,-22 20,-22 -30,-5 30,-5 0,-16'), 3, primary.light) +
      path('M-18 48H18', { stroke, width: 2.4 })
    )
  },

  /** A fir with three tiers and a star at its top. */
  fir({ primary, tertiary, leaf, flame, stroke }) {
    const tier = (y: number, width: number) =>
      path(
        `M0 ${y - 27}L${width} ${y}Q${width / 2} ${y + 5} 0 ${y + 3}Q${-width / 2} ${y + 5} ${-width} ${y}Z`,
        { fill: leaf.base, stroke, width: 2 },
      )
    return (
      path('M0 30V48', { stroke: tertiary.deep, width: 9 }) +
      tier(34, 34) +
      tier(15, 27) +
      tier(-4, 20) +
      dots(parsePoints('-20,30 0,31 20,30 -13,11 13,11 0,12 0,-9'), 2.8, primary.light) +
      place(around(path('M0 0L3 -4L0 -13L-3 -4Z', { fill: flame.light }), 5), { y: -36 })
    )
  },

  /** An ear of grain between two blades. */
  wheat({ leaf, flame, stroke }) {
    const grain = (y: number) =>
      mirrored(
        place(path(petal(0, 20, 11, 'leaf'), { fill: flame.base, stroke, width: 1.6 }), {
          x: 1,
          y,
          angle: 32,
        }),
      )
    return (
      mirrored(path('M0 48C14 34 30 26 32 0C22 14 6 26 0 48Z', { fill: leaf.base, stroke, width: 1.8 })) +
      path('M0 48V-30', { stroke: leaf.deep, width: 3 }) +
      [16, 5, -6, -17].map(grain).join('') +
      path(petal(22, 48, 11, 'leaf'), { fill: flame.light, stroke, width: 1.6 })
    )
  },

  /** A toadstool with a spotted cap. */
  mushroom({ primary, stroke }) {
    return (
      path('M-11 2C-9 22 -13 34 -17 46H17C13 34 9 22 11 2Z', { fill: primary.light, stroke, width: 2 }) +
      path('M-46 6C-44 -54 44 -54 46 6C28 16 -28 16 -46 6Z', { fill: primary.base, stroke, width: 2.2 }) +
      dots(parsePoints('0,-24 -22,-10 22,-10'), 6.5, primary.light) +
      dots(parsePoints('-8,0 8,0 -34,2 34,2'), 3, primary.light)
    )
  },

  /** A mango with its leaf; the fruit and the paisley are the same shape in rangoli. */
  paisley({ primary, secondary, tertiary, stroke }) {
    const outline =
      'M-6 46C-40 44 -46 4 -22 -14C-8 -24 6 -24 12 -34C16 -42 10 -48 2 -44C22 -54 36 -34 32 -8C30 20 22 46 -6 46Z'
    return (
      path(outline, { fill: primary.base, stroke, width: 2.4 }) +
      place(path(outline, { fill: secondary.base, stroke, width: 2.6 }), { x: -1, y: 10, scale: 0.62 }) +
      place(path(outline, { fill: tertiary.light }), { x: -2, y: 17, scale: 0.3 }) +
      dots(parsePoints('-25,8 -27,20 -22,32 24,10 20,24 25,-6'), 2, stroke)
    )
  },

  /** A coconut palm. */
  palm({ tertiary, leaf, flame, stroke }) {
    const frond = (d: string) => mirrored(path(d, { fill: leaf.base, stroke, width: 1.8 }))
    return (
      path('M-4 48C-2 20 -3 4 0 -18C3 4 2 20 4 48Z', { fill: tertiary.deep, stroke, width: 1.8 }) +
      frond('M0 -18C14 -30 36 -24 44 -2C32 -12 14 -14 0 -18Z') +
      frond('M0 -18C8 -40 30 -48 44 -38C28 -36 14 -28 0 -18Z') +
      frond('M0 -18C6 -10 20 0 22 18C12 8 2 -4 0 -18Z') +
      path(petal(16, 48, 13, 'leaf'), { fill: leaf.base, stroke, width: 1.8 }) +
      mirrored(ellipse(6, -12, 5, 6, { fill: flame.deep, stroke, width: 1.4 }))
    )
  },
} satisfies Record<string, Drawing>

function ringOf(radius: number, count: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => polar(radius, (index * 360) / count))
}

import type { Drawing } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, ellipse, mirrored, parsePoints, path, place } from '../svg.ts'

export const people = {
  /** A dancing figure of two triangles, as painted on village walls. */
  dancer({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M-18 -20H18L0 6Z', { fill: primary.base, stroke, width: 2 }) +
      path('M0 0L26 32H-26Z', { fill: secondary.base, stroke, width: 2 }) +
      path('M-20 26H20M-14 18H14', { stroke: secondary.light, width: 2 }) +
      mirrored(
        path('M17 -20L34 -30L30 -47M10 32L12 46L20 46', { stroke, width: 3 }) +
          circle(30, -47, 3, { fill: flame.light }),
      ) +
      circle(0, -32, 9, { fill: tertiary.base, stroke, width: 2 }) +
      circle(0, -44, 4, { fill: stroke }) +
      dots(parsePoints('-7,-15 0,-15 7,-15'), 1.8, stroke)
    )
  },

  /** An open eye with its brow and a tear of dots. */
  eye({ primary, secondary, stroke }) {
    return (
      path('M-46 0C-24 -34 24 -34 46 0C24 34 -24 34 -46 0Z', { fill: primary.light, stroke, width: 2.4 }) +
      circle(0, 0, 21, { fill: primary.base, stroke, width: 2 }) +
      around(path('M0 -11V-19', { stroke: primary.light, width: 2 }), 12) +
      circle(0, 0, 9, { fill: primary.deep }) +
      circle(3.5, -3.5, 3, { fill: primary.light }) +
      path('M-44 -22C-24 -48 24 -48 44 -22', { stroke, width: 3 }) +
      dots(parsePoints('-26,31 -13,36 0,38 13,36 26,31'), 2.6, secondary.base)
    )
  },

  /** A hand held up, hennaed. */
  hand({ primary, stroke }) {
    return (
      path(
        'M-16 48V30C-30 18 -40 4 -38 -2C-35 -8 -28 0 -21 8V-30C-21 -38 -12 -38 -11 -30V-6V-42C-10 -50 0 -50 1 -42V-6V-38C2 -46 11 -46 12 -38V-4V-26C13 -33 22 -33 22 -26V12C22 26 18 32 16 36V48Z',
        { fill: primary.light, stroke, width: 2.2 },
      ) +
      place(around(path(petal(3, 12, 8, 'round'), { fill: primary.deep }), 8), { x: 0, y: 14 }) +
      dots(parsePoints('-16,-30 -5,-42 7,-38 17,-26'), 2.8, primary.deep) +
      path('M-14 38Q0 44 14 38M-21 -14H-11M-11 -20H1M1 -18H12M12 -10H22', {
        stroke: primary.deep,
        width: 2.2,
      })
    )
  },

  /** A heart within a heart. */
  heart({ primary, secondary, stroke }) {
    const outline = 'M0 44C-16 26 -46 10 -44 -18C-42 -42 -10 -46 0 -20C10 -46 42 -42 44 -18C46 10 16 26 0 44Z'
    return (
      path(outline, { fill: primary.base, stroke, width: 2.4 }) +
      place(path(outline, { fill: secondary.base, stroke, width: 2.6 }), { scale: 0.62 }) +
      place(path(outline, { fill: primary.light }), { scale: 0.3 }) +
      mirrored(dots(parsePoints('36,-20 33,-8 26,4 16,15'), 2.2, stroke))
    )
  },

  /** A crown with jewels. */
  crown({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M-38 34L-46 -18L-22 4L0 -38L22 4L46 -18L38 34Z', { fill: flame.base, stroke, width: 2.4 }) +
      path('M-38 34H38V44H-38Z', { fill: primary.base, stroke, width: 2.2 }) +
      dots(parsePoints('0,-41 -46,-22 46,-22'), 5, primary.light) +
      ellipse(0, 10, 8, 11, { fill: secondary.base, stroke, width: 1.8 }) +
      mirrored(circle(22, 18, 5.5, { fill: tertiary.base, stroke, width: 1.6 }))
    )
  },

  /** A cut gem from the side. */
  gem({ primary, stroke }) {
    return (
      path('M-26 -32H26L46 -8L0 44L-46 -8Z', { fill: primary.base, stroke, width: 2.4 }) +
      path('M-26 -32L-14 -8L0 -32L14 -8L26 -32ZM-14 -8H14L0 44Z', {
        fill: primary.light,
        stroke,
        width: 1.8,
      }) +
      path('M-46 -8H46', { stroke, width: 1.8 })
    )
  },

  /** A painted pot with mango leaves and a coconut. */
  pot({ primary, tertiary, leaf, flame, stroke }) {
    const blade = (angle: number) =>
      place(path(petal(6, 38, 15, 'leaf'), { fill: leaf.base, stroke, width: 1.8 }), { y: -12, angle })
    return (
      mirrored(blade(68) + blade(38)) +
      path('M0 -48C14 -40 15 -22 10 -12H-10C-15 -22 -14 -40 0 -48Z', {
        fill: tertiary.base,
        stroke,
        width: 2,
      }) +
      path('M-20 -14H20L15 -4C46 2 42 42 14 45H-14C-42 42 -46 2 -15 -4Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      path('M-32 14H32M-34 28H34', { stroke, width: 1.8 }) +
      path('M-32 28L-26 16L-20 28L-13 16L-6.5 28L0 16L6.5 28L13 16L20 28L26 16L32 28', {
        stroke: flame.light,
        width: 2.2,
      }) +
      dots(parsePoints('-16,6 -8,7 0,7 8,7 16,6'), 2, stroke)
    )
  },

  /** A temple bell. */
  bell({ primary, secondary, flame, stroke }) {
    return (
      circle(0, -42, 6, { stroke, width: 2.4 }) +
      circle(0, 38, 7, { fill: secondary.base, stroke, width: 2 }) +
      path('M0 -37C24 -36 22 -6 26 12C28 22 36 26 40 32H-40C-36 26 -28 22 -26 12C-22 -6 -24 -36 0 -37Z', {
        fill: flame.base,
        stroke,
        width: 2.4,
      }) +
      path('M-22 -6H22M-25 10H25M-30 20H30', { stroke, width: 1.8 }) +
      path('M-18 8L-9 -4L0 8L9 -4L18 8', { stroke: primary.deep, width: 2.2 }) +
      path('M-8 -28C-14 -22 -14 -16 -14 -12', { stroke: flame.light, width: 2.6 })
    )
  },

  /** A two-headed drum on its strap. */
  drum({ primary, secondary, tertiary, stroke }) {
    return (
      path('M-30 -24C-20 -48 20 -48 30 -24', { stroke: secondary.base, width: 4 }) +
      path('M-34 -24C-14 -34 14 -34 34 -24V26C14 36 -14 36 -34 26Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M-22 -28L-11 31L0 -31L11 31L22 -28', { stroke: primary.light, width: 2.2 }) +
      mirrored(
        ellipse(35, 1, 10, 28, { fill: tertiary.light, stroke, width: 2.2 }) +
          ellipse(36, 1, 4.5, 13, { fill: tertiary.deep }),
      ) +
      dots(parsePoints('0,40 -14,39 14,39'), 2.4, secondary.base)
    )
  },

  /** A rakhi: a jeweled flower on a knotted thread. */
  rakhi({ primary, secondary, tertiary, flame, stroke }) {
    return (
      mirrored(
        path('M20 0H40', { stroke: secondary.base, width: 5 }) +
          path('M40 0L49 -8M40 0L50 0M40 0L49 8', { stroke: secondary.light, width: 2.2 }) +
          circle(33, 0, 4, { fill: flame.base, stroke, width: 1.4 }),
      ) +
      around(path(petal(8, 30, 15, 'round'), { fill: primary.base, stroke, width: 1.8 }), 10) +
      circle(0, 0, 16, { fill: secondary.base, stroke, width: 2 }) +
      around(circle(0, -12, 2.2, { fill: flame.light }), 10) +
      circle(0, 0, 7, { fill: tertiary.light, stroke, width: 1.6 })
    )
  },

  /** A trident with a drum at its shaft. */
  trident({ primary, secondary, flame, stroke }) {
    return (
      path('M0 48V-20', { stroke, width: 4 }) +
      path(
        'M-30 -40C-34 -14 -18 -8 0 -8C18 -8 34 -14 30 -40C24 -30 24 -18 6 -18L4 -30L0 -49L-4 -30L-6 -18C-24 -18 -24 -30 -30 -40Z',
        { fill: flame.base, stroke, width: 2.2 },
      ) +
      path('M-18 6L0 16L18 6V28L0 18L-18 28Z', { fill: primary.base, stroke, width: 2 }) +
      path('M-14 38H14', { stroke: secondary.base, width: 3 })
    )
  },

  /** A dancer's painted mask under a tall crown. */
  mask({ primary, secondary, flame, stroke, background }) {
    return (
      path('M0 -49C30 -44 44 -20 40 4H-40C-44 -20 -30 -44 0 -49Z', {
        fill: secondary.base,
        stroke,
        width: 2.2,
      }) +
      path('M0 -40C20 -36 30 -20 28 -4H-28C-30 -20 -20 -36 0 -40Z', {
        fill: flame.base,
        stroke,
        width: 1.8,
      }) +
      path('M0 -16C22 -16 28 0 26 16C24 36 10 46 0 46C-10 46 -24 36 -26 16C-28 0 -22 -16 0 -16Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      mirrored(
        path('M4 6Q12 -4 22 4Q13 12 4 6Z', { fill: primary.light, stroke, width: 1.7 }) +
          circle(13, 5, 3.2, { fill: background }) +
          path('M4 -3Q12 -11 23 -4', { stroke, width: 2.4 }) +
          path('M26 20C38 16 42 26 34 34', { stroke, width: 3 }),
      ) +
      path('M-9 30Q0 25 9 30Q0 40 -9 30Z', { fill: secondary.deep, stroke, width: 1.6 }) +
      path('M0 8L4 22H-4Z', { fill: primary.light }) +
      path('M0 -14L4 -7L0 0L-4 -7Z', { fill: secondary.base }) +
      dots(parsePoints('0,-44 -18,-38 18,-38 -31,-22 31,-22 0,-29 -12,-25 12,-25'), 2.8, stroke)
    )
  },

  /** A wheel with eight carved spokes. */
  wheel({ primary, secondary, tertiary, stroke }) {
    return (
      circle(0, 0, 46, { fill: primary.base, stroke, width: 2.2 }) +
      circle(0, 0, 34, { fill: primary.deep, stroke, width: 2 }) +
      around(circle(0, -40, 2.8, { fill: primary.light }), 16) +
      around(path('M0 -8L5 -20L0 -33L-5 -20Z', { fill: secondary.light, stroke, width: 1.5 }), 8) +
      around(path('M0 -14V-30', { stroke: secondary.light, width: 1.5 }), 8, 22.5) +
      circle(0, 0, 11, { fill: tertiary.base, stroke, width: 2 }) +
      circle(0, 0, 4, { fill: stroke })
    )
  },

  /** A person who greets with joined hands. */
  person({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M-13 -16C-28 -12 -26 8 -36 47H36C26 8 28 -12 13 -16Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      path('M-34 39H34M-32 33H32', { stroke: secondary.light, width: 2 }) +
      dots(parsePoints('-24,27 -12,27 0,27 12,27 24,27'), 1.9, secondary.light) +
      mirrored(
        path('M16 -14C30 -8 30 12 16 15C10 16 5 12 1 8V-2C8 6 14 4 15 -2Z', {
          fill: secondary.base,
          stroke,
          width: 1.9,
        }),
      ) +
      path('M0 -15C5 -7 5 4 0 11C-5 4 -5 -7 0 -15Z', { fill: flame.light, stroke, width: 1.7 }) +
      circle(0, -31, 14.5, { fill: flame.light, stroke, width: 2 }) +
      path('M-15 -29C-19 -52 19 -52 15 -29C12 -36 6 -40 0 -41C-6 -40 -12 -36 -15 -29Z', {
        fill: tertiary.deep,
        stroke,
        width: 2,
      }) +
      dots(parsePoints('-5.5,-30 5.5,-30'), 1.7, flame.deep) +
      path('M-4.5 -23Q0 -19.5 4.5 -23', { stroke: flame.deep, width: 1.8 })
    )
  },
} satisfies Record<string, Drawing>

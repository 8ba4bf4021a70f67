import { starPoints } from '../shapes.ts'
import type { Drawing } from '../color.ts'
import { around, circle, dots, ellipse, mirrored, parsePoints, path, polygon } from '../svg.ts'

export const nature = {
  /** A sun with straight and wavy rays and a patterned disc. */
  sun({ primary, flame, stroke }) {
    return (
      around(path('M-6 -26L0 -49L6 -26Z', { fill: flame.base, stroke, width: 1.4 }), 12) +
      around(path('M0 -26C4 -31 -4 -35 0 -41', { stroke: flame.light, width: 2.2 }), 12, 15) +
      circle(0, 0, 26, { fill: primary.base, stroke, width: 2.2 }) +
      circle(0, 0, 18, { fill: flame.light, stroke, width: 1.6 }) +
      around(circle(0, -22, 1.7, { fill: stroke }), 12, 15) +
      around(path('M0 -4C4 -9 4 -11 0 -15C-4 -11 -4 -9 0 -4Z', { fill: primary.deep }), 8)
    )
  },

  /** A crescent, points up, with a star. */
  moon({ primary, flame, stroke }) {
    return (
      path('M-42 -14A43 43 0 1 0 42 -14A36 36 0 0 1 -42 -14Z', { fill: flame.light, stroke, width: 2 }) +
      path('M-31 16A40 40 0 0 0 31 16', { stroke: primary.deep, width: 1.8 }) +
      dots(parsePoints('0,33 -12,31 12,31 -23,26 23,26'), 1.9, primary.deep) +
      path(polygon(starPoints(5, 17, 7).map(([x, y]) => [x, y - 16])), {
        fill: primary.light,
        stroke,
        width: 1.6,
      })
    )
  },

  /** A faceted eight-pointed star. */
  star({ primary, secondary, stroke }) {
    return (
      path(polygon(starPoints(8, 32, 20, 22.5)), { fill: secondary.base, opacity: 0.9 }) +
      path(polygon(starPoints(8, 48, 18)), { fill: primary.base, stroke, width: 2 }) +
      around(path('M0 0L0 -46L7 -17Z', { fill: primary.light, opacity: 0.75 }), 8) +
      circle(0, 0, 7, { fill: stroke })
    )
  },

  /** A monsoon cloud with three rows of drops. */
  cloud({ primary, secondary, stroke }) {
    const drop = (x: number, y: number) =>
      path(
        `M${x} ${y}C${x + 6} ${y + 9} ${x + 5} ${y + 15} ${x} ${y + 15}C${x - 5} ${y + 15} ${x - 6} ${y + 9} ${x} ${y}Z`,
        { fill: secondary.light, stroke, width: 1.2 },
      )
    return (
      path('M-34 12C-52 10 -50 -14 -33 -14C-32 -36 -6 -40 0 -28C6 -40 32 -36 33 -14C50 -14 52 10 34 12Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      mirrored(
        path('M30 2C40 2 40 -8 32 -8M8 2C8 -16 24 -18 22 -6C21 0 14 -1 15 -6', { stroke, width: 1.8 }),
      ) +
      [-26, 0, 26].map((x) => drop(x, 17)).join('') +
      [-13, 13].map((x) => drop(x, 31)).join('')
    )
  },

  /** A six-armed ice crystal. */
  snowflake({ primary, stroke }) {
    return (
      around(
        path('M0 0V-46M0 -18L10 -28M0 -18L-10 -28M0 -30L8 -39M0 -30L-8 -39', { stroke, width: 3 }) +
          circle(0, -47, 2.6, { fill: primary.light }),
        6,
      ) +
      around(path('M0 -9L5 -17L0 -25L-5 -17Z', { fill: primary.light }), 6, 30) +
      circle(0, 0, 7, { fill: primary.base, stroke, width: 2 })
    )
  },

  /** A banded planet within its ring. */
  planet({ primary, secondary, stroke }) {
    return (
      path('M-27 -4A48 13 0 0 1 27 -4', { stroke: secondary.base, width: 5 }) +
      circle(0, 0, 27, { fill: primary.base, stroke, width: 2 }) +
      path('M-24 -12Q0 -5 24 -12M-19 -19Q0 -13 19 -19M-22 15Q0 23 22 15', {
        stroke: primary.light,
        width: 3,
      }) +
      path('M-26 -5C-70 8 -40 18 0 18C40 18 70 8 26 -5', { stroke: secondary.base, width: 5.5 }) +
      path('M-26 -5C-70 8 -40 18 0 18C40 18 70 8 26 -5', { stroke, width: 1.4 }) +
      dots(parsePoints('0,-40 -30,-32 30,-32 0,38 -26,34 26,34'), 2.2, stroke)
    )
  },

  /** A paper kite with cross spars and a tail of bows. */
  kite({ primary, secondary, tertiary, stroke }) {
    return (
      path('M0 -48L34 -14L0 20Z', { fill: secondary.base }) +
      path('M0 -48L-34 -14L0 20Z', { fill: primary.base }) +
      path('M0 -48L17 -31L0 -14ZM-34 -14L-17 3L0 -14Z', { fill: tertiary.light }) +
      path('M0 -48L34 -14L0 20L-34 -14ZM0 -48V20M-34 -14Q0 -26 34 -14', { stroke, width: 2 }) +
      path('M0 20C8 28 -8 34 0 48', { stroke, width: 1.8 }) +
      path('M0 27L9 22V32ZM0 27L-9 22V32ZM0 40L8 35V45ZM0 40L-8 35V45Z', { fill: tertiary.base })
    )
  },

  /** A hot-air balloon with its basket. */
  balloon({ primary, secondary, tertiary, stroke }) {
    return (
      path('M-14 22L-7 36M14 22L7 36', { stroke, width: 1.6 }) +
      path('M0 -48C46 -46 40 2 13 24H-13C-40 2 -46 -46 0 -48Z', { fill: primary.base, stroke, width: 2.2 }) +
      path('M0 -48C20 -34 18 4 6 24H-6C-18 4 -20 -34 0 -48Z', { fill: secondary.base, stroke, width: 1.6 }) +
      path('M-35 -20Q0 -6 35 -20', { stroke, width: 2 }) +
      path('M-8 36H8L6 47H-6Z', { fill: tertiary.deep, stroke, width: 1.8 }) +
      ellipse(0, 24, 13, 3, { fill: tertiary.base })
    )
  },

  /** A wave as concentric arcs, with foam on the crest. */
  wave({ primary, secondary, stroke }) {
    const arc = (radius: number, fill: string) =>
      path(`M${-radius} 28A${radius} ${radius} 0 0 1 ${radius} 28Z`, { fill, stroke, width: 2 })
    return (
      arc(46, primary.deep) +
      arc(36, primary.base) +
      arc(26, secondary.light) +
      arc(15, primary.base) +
      dots(parsePoints('0,-30 -21,-24 21,-24 -37,-8 37,-8'), 3.4, stroke) +
      path('M-48 34Q-36 26 -24 34T0 34T24 34T48 34M-36 44Q-24 36 -12 44T12 44T36 44', { stroke, width: 2 })
    )
  },

  /** A fish with scales, head to the right. */
  fish({ primary, secondary, stroke }) {
    return (
      path('M-22 0C-34 -20 -44 -24 -49 -22C-44 -8 -44 8 -49 22C-44 24 -34 20 -22 0Z', {
        fill: secondary.base,
        stroke,
        width: 2,
      }) +
      path('M-4 -22C4 -38 16 -36 20 -32C18 -26 16 -22 14 -18ZM-2 22C4 34 12 34 16 31L12 19Z', {
        fill: secondary.base,
        stroke,
        width: 1.8,
      }) +
      path('M-28 0C-12 -28 24 -34 48 0C24 34 -12 28 -28 0Z', { fill: primary.base, stroke, width: 2.2 }) +
      path('M26 -18Q16 0 26 18', { stroke, width: 2 }) +
      path('M16 -16Q8 -8 16 0Q8 8 16 16M4 -14Q-4 -7 4 0Q-4 7 4 14M-8 -10Q-15 -5 -8 0Q-15 5 -8 10', {
        stroke: primary.light,
        width: 1.9,
      }) +
      circle(34, -4, 4.6, { fill: stroke }) +
      circle(34.5, -4, 2, { fill: primary.deep })
    )
  },

  /** A boat with a patched sail on two rows of ripples. */
  boat({ primary, secondary, tertiary, stroke }) {
    return (
      path('M0 -48V16', { stroke, width: 2.6 }) +
      path('M3 -44C30 -30 36 -6 34 8H3Z', { fill: primary.base, stroke, width: 2 }) +
      path('M-3 -44C-30 -30 -36 -6 -34 8H-3Z', { fill: secondary.base, stroke, width: 2 }) +
      mirrored(path('M4 -20H28M4 -6H33', { stroke, width: 1.5 })) +
      path('M-48 10C-40 32 -26 36 0 36C26 36 40 32 48 10C30 20 -30 20 -48 10Z', {
        fill: tertiary.base,
        stroke,
        width: 2.2,
      }) +
      dots(parsePoints('-24,25 -8,27 8,27 24,25'), 2, stroke) +
      path('M-44 44Q-33 36 -22 44T0 44T22 44T44 44', { stroke, width: 2 })
    )
  },

  /** A turtle from above. */
  turtle({ primary, leaf, stroke }) {
    return (
      mirrored(
        path(
          'M16 -22C30 -40 44 -36 42 -26C36 -18 28 -14 22 -12ZM18 20C28 26 34 38 26 42C20 40 14 34 10 30Z',
          { fill: leaf.deep, stroke, width: 1.8 },
        ),
      ) +
      ellipse(0, -36, 9, 12, { fill: leaf.base, stroke, width: 1.8 }) +
      path('M-4 34L0 47L4 34Z', { fill: leaf.deep }) +
      ellipse(0, 2, 29, 33, { fill: primary.base, stroke, width: 2.4 }) +
      path(
        'M0 -18L14 -9V11L0 21L-14 11V-9ZM0 -18V-31M14 -9L26 -14M14 11L26 17M0 21V35M-14 -9L-26 -14M-14 11L-26 17',
        { fill: primary.light, stroke, width: 1.8 },
      ) +
      mirrored(circle(4, -40, 1.6, { fill: stroke }))
    )
  },

  /** A jellyfish: a bell and trailing arms. */
  jellyfish({ primary, secondary, stroke }) {
    return (
      path('M0 4C-8 18 8 28 0 46', { stroke: secondary.light, width: 2.6 }) +
      mirrored(
        path('M12 4C22 18 6 28 16 44M25 2C36 14 22 24 32 38', { stroke: secondary.light, width: 2.6 }),
      ) +
      path('M-40 0C-40 -62 40 -62 40 0Q32 9 24 0Q16 9 8 0Q0 9 -8 0Q-16 9 -24 0Q-32 9 -40 0Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M-28 -12C-26 -40 26 -40 28 -12', { stroke: primary.light, width: 2.2 }) +
      dots(parsePoints('0,-22 -13,-18 13,-18 0,-10'), 2.6, stroke)
    )
  },

  /** An open umbrella. */
  umbrella({ primary, secondary, stroke }) {
    return (
      path('M0 -48V36C0 48 16 48 16 36', { stroke, width: 3 }) +
      path('M-47 2C-44 -54 44 -54 47 2Q36 -8 24 2Q12 -8 0 2Q-12 -8 -24 2Q-36 -8 -47 2Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M0 -40C14 -28 22 -14 24 2Q12 -8 0 2Q-12 -8 -24 2C-22 -14 -14 -28 0 -40Z', {
        fill: secondary.base,
        stroke,
        width: 1.8,
      }) +
      dots(parsePoints('-34,-10 34,-10 0,-18'), 2.4, stroke)
    )
  },
} satisfies Record<string, Drawing>

import type { Drawing } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, ellipse, mirrored, parsePoints, path, place, polar, rect } from '../svg.ts'

export const objects = {
  /** A clay lamp with its flame and the light around it. */
  diya({ primary, flame, stroke }) {
    return (
      [44, 34, 25].map((radius) => circle(0, -20, radius, { fill: flame.base, opacity: 0.13 })).join('') +
      path('M0 -47C3 -34 12 -24 12 -12C12 -3 6 2 0 2C-6 2 -12 -3 -12 -12C-12 -24 -3 -34 0 -47Z', {
        fill: flame.base,
        stroke,
        width: 1.6,
      }) +
      path('M0 -30C2 -22 7 -18 7 -10C7 -4 4 -1 0 -1C-4 -1 -7 -4 -7 -10C-7 -18 -2 -22 0 -30Z', {
        fill: flame.light,
      }) +
      path('M-42 4C-38 36 -16 44 0 44C16 44 38 36 42 4C26 16 -26 16 -42 4Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      path('M-42 4C-26 -6 26 -6 42 4C26 16 -26 16 -42 4Z', { fill: primary.deep, stroke, width: 2.4 }) +
      path('M-26 28Q-19.5 18 -13 30Q-6.5 19 0 31Q6.5 19 13 30Q19.5 18 26 28', {
        stroke: primary.light,
        width: 2,
      }) +
      dots(parsePoints('-24,20 -8,23 8,23 24,20'), 1.9, stroke)
    )
  },

  /** A tongue of fire in three shades. */
  flame({ primary, flame, stroke }) {
    const outer = 'M0 -48C6 -30 30 -16 30 14C30 36 16 47 0 47C-16 47 -30 36 -30 14C-30 -16 -6 -30 0 -48Z'
    return (
      path(outer, { fill: primary.deep, stroke, width: 2.2 }) +
      path('M0 -24C6 -10 20 -2 20 18C20 34 10 42 0 42C-10 42 -20 34 -20 18C-20 -2 -6 -10 0 -24Z', {
        fill: flame.base,
      }) +
      path('M0 0C4 8 11 12 11 24C11 33 6 38 0 38C-6 38 -11 33 -11 24C-11 12 -4 8 0 0Z', {
        fill: flame.light,
      }) +
      mirrored(path('M38 40C48 26 38 18 40 4', { stroke: flame.base, width: 2.6 }))
    )
  },

  /** A hanging lantern with a lit window. */
  lantern({ primary, secondary, flame, stroke }) {
    return (
      path('M0 -48V-38', { stroke, width: 2.4 }) +
      path('M-22 -24C-18 -38 18 -38 22 -24Z', { fill: primary.deep, stroke, width: 2.2 }) +
      path('M-22 -24C-38 -8 -34 16 -18 26H18C34 16 38 -8 22 -24Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M0 -18C14 -8 14 12 0 20C-14 12 -14 -8 0 -18Z', { fill: flame.light, stroke, width: 1.8 }) +
      mirrored(path('M20 -20C28 -6 26 12 16 24', { stroke, width: 1.5 })) +
      path('M-18 26H18L13 33H-13Z', { fill: primary.deep, stroke, width: 2 }) +
      path('M0 33V47M-7 33V42M7 33V42', { stroke: secondary.base, width: 2.4 })
    )
  },

  /** A burst of sparks. */
  firework({ primary, secondary, flame }) {
    const spark = (turn: number, reach: number, color: string) => {
      const [from, to] = [polar(reach * 0.3, turn), polar(reach * 0.82, turn)]
      const line = `M${from.map(Math.round).join(' ')}L${to.map(Math.round).join(' ')}`
      return path(line, { stroke: color, width: 2.6 }) + dots([polar(reach, turn)], 3.2, color)
    }
    const turns = Array.from({ length: 12 }, (_, index) => index * 30)
    return (
      turns.map((turn) => spark(turn, 45, primary.base)).join('') +
      turns.map((turn) => spark(turn + 15, 31, flame.light)).join('') +
      circle(0, 0, 6, { fill: secondary.light })
    )
  },

  /** A gear wheel. */
  gear({ primary, secondary, stroke, background }) {
    return (
      around(path('M-8 -34L-6 -48H6L8 -34Z', { fill: primary.base, stroke, width: 2 }), 8) +
      circle(0, 0, 37, { fill: primary.base, stroke, width: 2.2 }) +
      circle(0, 0, 26, { fill: primary.deep, stroke, width: 1.8 }) +
      around(path('M-4 -10L-3 -25H3L4 -10Z', { fill: secondary.base }), 6) +
      circle(0, 0, 12, { fill: secondary.base, stroke, width: 2 }) +
      circle(0, 0, 5, { fill: background })
    )
  },

  /** A hexagonal chip with its traces. */
  circuit({ primary, secondary, tertiary, stroke }) {
    return (
      around(
        path('M0 -20V-46M12 -17V-28L19 -38M-12 -17V-28L-19 -38', { stroke: secondary.light, width: 2.2 }) +
          dots(parsePoints('0,-46 19,-38 -19,-38'), 3.4, tertiary.base),
        4,
      ) +
      path('M-22 -14L-14 -22H14L22 -14V14L14 22H-14L-22 14Z', { fill: primary.base, stroke, width: 2.2 }) +
      around(path('M0 -6L6 -14L0 -18L-6 -14Z', { fill: primary.light }), 4) +
      circle(0, 0, 5, { fill: stroke })
    )
  },

  /** A robot's head. */
  robot({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M0 -30V-42', { stroke, width: 3 }) +
      circle(0, -44, 5, { fill: flame.base, stroke, width: 1.6 }) +
      mirrored(rect(36, -10, 11, 24, { fill: secondary.base, stroke, width: 2 })) +
      path(
        'M-28 -30H28C35 -30 37 -26 37 -20V28C37 36 33 40 26 40H-26C-33 40 -37 36 -37 28V-20C-37 -26 -35 -30 -28 -30Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      mirrored(
        circle(16, -6, 11, { fill: primary.light, stroke, width: 2 }) +
          circle(16, -6, 5, { fill: tertiary.deep }),
      ) +
      path('M-22 16H22V30H-22Z', { fill: secondary.deep, stroke, width: 1.8 }) +
      path('M-11 16V30M0 16V30M11 16V30', { stroke, width: 1.8 })
    )
  },

  /** A rocket in flight. */
  rocket({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M-9 28C-12 38 -4 40 0 48C4 40 12 38 9 28Z', { fill: flame.base, stroke, width: 1.6 }) +
      mirrored(path('M14 6C28 12 30 24 28 36L12 26Z', { fill: secondary.base, stroke, width: 2 })) +
      path('M0 -48C20 -32 22 4 13 28H-13C-22 4 -20 -32 0 -48Z', { fill: primary.light, stroke, width: 2.4 }) +
      path('M0 -48C10 -40 14 -30 16 -22H-16C-14 -30 -10 -40 0 -48Z', {
        fill: primary.base,
        stroke,
        width: 2,
      }) +
      circle(0, -6, 9, { fill: tertiary.base, stroke, width: 2.2 }) +
      path('M-16 16H16', { stroke, width: 2 })
    )
  },

  /** A clock face shortly before midnight. */
  clock({ primary, secondary, tertiary, stroke }) {
    return (
      circle(0, 0, 46, { fill: primary.base, stroke, width: 2.4 }) +
      circle(0, 0, 36, { fill: primary.light, stroke, width: 2 }) +
      around(circle(0, -41, 2.2, { fill: stroke }), 12) +
      around(path('M0 -33V-27', { stroke: primary.deep, width: 2.6 }), 12) +
      path('M-12 -14L0 0L0 -25', { stroke: tertiary.deep, width: 4 }) +
      circle(0, 0, 5, { fill: secondary.base, stroke, width: 1.6 })
    )
  },

  /** An open book under three sparks. */
  book({ primary, secondary, stroke }) {
    return (
      path('M0 40C-14 30 -32 30 -48 34V-14C-32 -18 -14 -18 0 -8C14 -18 32 -18 48 -14V34C32 30 14 30 0 40Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      path('M0 32C-12 24 -28 24 -42 27V-9C-28 -12 -12 -12 0 -3C12 -12 28 -12 42 -9V27C28 24 12 24 0 32Z', {
        fill: primary.light,
        stroke,
        width: 1.8,
      }) +
      path('M0 -3V32', { stroke, width: 2 }) +
      mirrored(
        path('M8 4C18 0 28 0 36 2M8 12C18 8 28 8 36 10M8 20C18 16 28 16 36 18', {
          stroke: primary.deep,
          width: 1.8,
        }),
      ) +
      dots(parsePoints('0,-32 -18,-38 18,-38'), 4.4, secondary.base)
    )
  },

  /** A steaming cup on its saucer. */
  cup({ primary, secondary, tertiary, stroke }) {
    return (
      path('M-34 -4H34C34 22 22 36 0 36C-22 36 -34 22 -34 -4Z', { fill: primary.base, stroke, width: 2.4 }) +
      ellipse(0, -4, 34, 7, { fill: tertiary.deep, stroke, width: 2 }) +
      path('M-30 10Q-20 18 -10 10T10 10T30 10', { stroke: primary.light, width: 2.4 }) +
      ellipse(0, 41, 44, 6, { fill: secondary.base, stroke, width: 2 }) +
      path('M-14 -16C-20 -26 -8 -32 -14 -44M0 -16C-6 -26 6 -34 0 -46M14 -16C8 -26 20 -32 14 -44', {
        stroke,
        width: 2.4,
      })
    )
  },

  /** A sitar: a long neck over a gourd. */
  sitar({ primary, secondary, stroke }) {
    return (
      path('M-5 -46H5V14H-5Z', { fill: secondary.base, stroke, width: 2 }) +
      mirrored(path('M5 -42H12M5 -34H12M5 -26H10', { stroke, width: 2.6 })) +
      path('M0 2C16 2 28 14 28 28C28 42 14 48 0 48C-14 48 -28 42 -28 28C-28 14 -16 2 0 2Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      circle(0, 28, 12, { fill: primary.deep, stroke, width: 1.8 }) +
      path('M-2 -42V38M2 -42V38M-8 38H8', { stroke, width: 1.2 }) +
      mirrored(dots(parsePoints('19,20 21,30 17,39'), 2, primary.light))
    )
  },

  /** A bowl of fruit. */
  bowl({ primary, secondary, tertiary, leaf, flame, stroke }) {
    return (
      path('M0 -32C4 -42 12 -46 20 -45C18 -36 10 -31 0 -32Z', { fill: leaf.base, stroke, width: 1.7 }) +
      mirrored(circle(22, -11, 15, { fill: secondary.base, stroke, width: 2 })) +
      circle(0, -19, 16, { fill: flame.base, stroke, width: 2 }) +
      path('M-8 -24C-6 -29 -2 -31 2 -31', { stroke: flame.light, width: 2.2 }) +
      path('M-46 -6H46C45 24 24 38 0 38C-24 38 -45 24 -46 -6Z', { fill: primary.base, stroke, width: 2.4 }) +
      path('M-45 2H45', { stroke: primary.light, width: 2.6 }) +
      path('M-40 11L-30 21L-20 11L-10 21L0 11L10 21L20 11L30 21L40 11', {
        stroke: primary.light,
        width: 2.4,
      }) +
      dots(parsePoints('-20,24 0,25 20,24'), 2.4, tertiary.light) +
      path('M-15 37H15L20 47H-20Z', { fill: primary.deep, stroke, width: 2.2 })
    )
  },

  /** A temple: a stepped tower between two small ones, with a lamp in the doorway. */
  temple({ primary, secondary, tertiary, flame, stroke }) {
    const side = { fill: secondary.base, stroke, width: 2 }
    return (
      mirrored(
        path('M22 40V8L30 -10L38 8V40Z', side) +
          path('M30 -10V-20L37 -16L30 -13', { fill: flame.base, stroke, width: 1.4 }),
      ) +
      path('M-24 40V4L-18 4L-15 -12L-11 -12L-8 -26L-4 -26L0 -36L4 -26L8 -26L11 -12L15 -12L18 4L24 4V40Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M-18 4H18M-15 -12H15M-8 -26H8', { stroke, width: 1.8 }) +
      dots(parsePoints('-9,-4 0,-4 9,-4 -5,-18 0,-18 5,-18'), 2.2, primary.light) +
      path('M-10 40V20C-10 8 10 8 10 20V40Z', { fill: flame.light, stroke, width: 1.8 }) +
      place(path(petal(0, 14, 7, 'drop'), { fill: secondary.deep }), { y: 36 }) +
      path('M0 -36V-49L10 -44L0 -40', { fill: flame.base, stroke, width: 1.6 }) +
      path('M-46 40H46V47H-46Z', { fill: tertiary.base, stroke, width: 2 })
    )
  },

  /** An onion dome between minarets. */
  dome({ primary, secondary, tertiary, stroke }) {
    return (
      mirrored(
        path('M35 40V-14H43V40Z', { fill: secondary.base, stroke, width: 1.8 }) +
          path('M34 -14C32 -22 38 -26 39 -32C40 -26 46 -22 44 -14Z', {
            fill: primary.base,
            stroke,
            width: 1.8,
          }) +
          path('M35 4H43M35 22H43', { stroke, width: 1.6 }),
      ) +
      path('M-26 40V8H26V40Z', { fill: secondary.light, stroke, width: 2.2 }) +
      path('M-22 8C-36 -16 -8 -22 0 -40C8 -22 36 -16 22 8Z', { fill: primary.base, stroke, width: 2.2 }) +
      path('M-10 6C-16 -10 -4 -18 0 -28C4 -18 16 -10 10 6', { stroke: primary.light, width: 1.8 }) +
      path('M0 -40V-49', { stroke, width: 2.4 }) +
      path('M-11 40V26C-11 20 -4 17 0 12C4 17 11 20 11 26V40Z', { fill: tertiary.deep, stroke, width: 1.8 }) +
      mirrored(path('M16 40V30C16 26 19 25 20 22C21 25 24 26 24 30V40Z', { fill: tertiary.base })) +
      path('M-48 40H48V47H-48Z', { fill: tertiary.base, stroke, width: 2 })
    )
  },

  /** A hut with a thatched roof and a painted wall. */
  house({ primary, secondary, tertiary, flame, stroke }) {
    return (
      rect(-30, 0, 60, 42, { fill: secondary.light, stroke, width: 2.2 }) +
      path('M-44 4C-26 -10 -12 -30 0 -44C12 -30 26 -10 44 4Z', { fill: primary.base, stroke, width: 2.4 }) +
      path('M0 -34V2M-12 -18L-20 2M12 -18L20 2', { stroke: primary.light, width: 1.9 }) +
      path('M-9 42V18H9V42Z', { fill: tertiary.deep, stroke, width: 1.8 }) +
      mirrored(rect(15, 14, 10, 11, { fill: flame.base, stroke, width: 1.6 })) +
      dots(parsePoints('-25,34 -17,34 17,34 25,34'), 2.2, primary.deep) +
      path('M-44 43H44', { stroke, width: 3 })
    )
  },

  /** Towers of a city, their windows lit. */
  tower({ primary, secondary, tertiary, flame, stroke }) {
    const windows = (x: number, top: number, rows: number) =>
      Array.from({ length: rows }, (_, row) => [x, top + row * 10] as const)
    return (
      mirrored(
        rect(28, 4, 18, 42, { fill: tertiary.base, stroke, width: 2 }) +
          rect(13, -16, 16, 62, { fill: secondary.base, stroke, width: 2 }),
      ) +
      path('M-13 46V-24L-7 -34H7L13 -24V46Z', { fill: primary.base, stroke, width: 2.2 }) +
      path('M0 -34V-49', { stroke, width: 2.2 }) +
      mirrored(
        dots([...windows(5, -20, 6), ...windows(21, -8, 5), ...windows(37, 12, 3)], 2.1, flame.light),
      ) +
      circle(0, -49, 2, { fill: flame.light }) +
      path('M-48 47H48', { stroke, width: 3 })
    )
  },

  /** Three peaks with snow. */
  mountain({ primary, secondary, stroke }) {
    const peak = { stroke, width: 2.2 }
    return (
      mirrored(
        path('M2 42L28 -12L50 42Z', { ...peak, fill: secondary.base }) +
          path('M28 -12L35 5L29 1L24 6L20 4Z', { fill: primary.light }),
      ) +
      path('M-34 42L0 -46L34 42Z', { ...peak, fill: primary.base }) +
      path('M0 -46L12 -14L5 -20L0 -10L-5 -20L-12 -14Z', { fill: primary.light, stroke, width: 1.6 }) +
      path('M-20 34L-8 4L-2 18L6 2L20 34', { stroke: primary.deep, width: 2.4 }) +
      path('M-50 42H50', { stroke, width: 2.6 })
    )
  },
} satisfies Record<string, Drawing>

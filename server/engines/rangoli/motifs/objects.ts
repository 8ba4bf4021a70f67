import type { MotifColors } from '../color.ts'
import { around, circle, dots, ellipse, mirrored, path, rect } from '../svg.ts'

/** A clay lamp with its flame and the light around it. */
export function diya(colors: MotifColors): string {
  return (
    glow(0, -20, colors) +
    burning(colors) +
    path('M-42 4C-38 36 -16 44 0 44C16 44 38 36 42 4C26 16 -26 16 -42 4Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-42 4C-26 -6 26 -6 42 4C26 16 -26 16 -42 4Z', {
      fill: colors.primary.deep,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-26 28Q-19.5 18 -13 30Q-6.5 19 0 31Q6.5 19 13 30Q19.5 18 26 28', {
      stroke: colors.primary.light,
      width: 2,
    }) +
    dots(
      [
        [-24, 20],
        [-8, 23],
        [8, 23],
        [24, 20],
      ],
      1.9,
      colors.stroke,
    )
  )
}

/** A tongue of fire in three shades. */
export function flame(colors: MotifColors): string {
  const outer = 'M0 -48C6 -30 30 -16 30 14C30 36 16 47 0 47C-16 47 -30 36 -30 14C-30 -16 -6 -30 0 -48Z'
  return (
    path(outer, { fill: colors.primary.deep, stroke: colors.stroke, width: 2.2 }) +
    path('M0 -24C6 -10 20 -2 20 18C20 34 10 42 0 42C-10 42 -20 34 -20 18C-20 -2 -6 -10 0 -24Z', {
      fill: colors.flame.base,
    }) +
    path('M0 0C4 8 11 12 11 24C11 33 6 38 0 38C-6 38 -11 33 -11 24C-11 12 -4 8 0 0Z', {
      fill: colors.flame.light,
    }) +
    mirrored(path('M38 40C48 26 38 18 40 4', { stroke: colors.flame.base, width: 2.6 }))
  )
}

/** A hanging lantern with a lit window. */
export function lantern(colors: MotifColors): string {
  return (
    path('M0 -48V-38', { stroke: colors.stroke, width: 2.4 }) +
    path('M-22 -24C-18 -38 18 -38 22 -24Z', {
      fill: colors.primary.deep,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M-22 -24C-38 -8 -34 16 -18 26H18C34 16 38 -8 22 -24Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M0 -18C14 -8 14 12 0 20C-14 12 -14 -8 0 -18Z', {
      fill: colors.flame.light,
      stroke: colors.stroke,
      width: 1.8,
    }) +
    mirrored(path('M20 -20C28 -6 26 12 16 24', { stroke: colors.stroke, width: 1.5 })) +
    path('M-18 26H18L13 33H-13Z', { fill: colors.primary.deep, stroke: colors.stroke, width: 2 }) +
    path('M0 33V47M-7 33V42M7 33V42', { stroke: colors.secondary.base, width: 2.4 })
  )
}

/** A burst of sparks. */
export function firework(colors: MotifColors): string {
  const spark = (turn: number, reach: number, color: string) => {
    const radians = (turn * Math.PI) / 180
    const at = (radius: number) => [radius * Math.sin(radians), -radius * Math.cos(radians)] as const
    const from = at(reach * 0.3)
    const to = at(reach * 0.82)
    const line = `M${from.map(Math.round).join(' ')}L${to.map(Math.round).join(' ')}`
    return path(line, { stroke: color, width: 2.6 }) + dots([at(reach)], 3.2, color)
  }
  const turns = Array.from({ length: 12 }, (_, index) => index * 30)
  return (
    turns.map((turn) => spark(turn, 45, colors.primary.base)).join('') +
    turns.map((turn) => spark(turn + 15, 31, colors.flame.light)).join('') +
    circle(0, 0, 6, { fill: colors.secondary.light })
  )
}

function burning(colors: MotifColors): string {
  return (
    path('M0 -47C3 -34 12 -24 12 -12C12 -3 6 2 0 2C-6 2 -12 -3 -12 -12C-12 -24 -3 -34 0 -47Z', {
      fill: colors.flame.base,
      stroke: colors.stroke,
      width: 1.6,
    }) +
    path('M0 -30C2 -22 7 -18 7 -10C7 -4 4 -1 0 -1C-4 -1 -7 -4 -7 -10C-7 -18 -2 -22 0 -30Z', {
      fill: colors.flame.light,
    })
  )
}

function glow(x: number, y: number, colors: MotifColors): string {
  return [44, 34, 25]
    .map((radius) => circle(x, y, radius, { fill: colors.flame.base, opacity: 0.13 }))
    .join('')
}

/** A gear wheel. */
export function gear(colors: MotifColors): string {
  return (
    around(
      path('M-8 -34L-6 -48H6L8 -34Z', { fill: colors.primary.base, stroke: colors.stroke, width: 2 }),
      8,
    ) +
    circle(0, 0, 37, { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
    circle(0, 0, 26, { fill: colors.primary.deep, stroke: colors.stroke, width: 1.8 }) +
    around(path('M-4 -10L-3 -25H3L4 -10Z', { fill: colors.secondary.base }), 6) +
    circle(0, 0, 12, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    circle(0, 0, 5, { fill: colors.background })
  )
}

/** A hexagonal chip with its traces. */
export function circuit(colors: MotifColors): string {
  return (
    around(
      path('M0 -20V-46M12 -17V-28L19 -38M-12 -17V-28L-19 -38', {
        stroke: colors.secondary.light,
        width: 2.2,
      }) +
        dots(
          [
            [0, -46],
            [19, -38],
            [-19, -38],
          ],
          3.4,
          colors.tertiary.base,
        ),
      4,
    ) +
    path('M-22 -14L-14 -22H14L22 -14V14L14 22H-14L-22 14Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    around(path('M0 -6L6 -14L0 -18L-6 -14Z', { fill: colors.primary.light }), 4) +
    circle(0, 0, 5, { fill: colors.stroke })
  )
}

/** A robot's head. */
export function robot(colors: MotifColors): string {
  return (
    path('M0 -30V-42', { stroke: colors.stroke, width: 3 }) +
    circle(0, -44, 5, { fill: colors.flame.base, stroke: colors.stroke, width: 1.6 }) +
    mirrored(rect(36, -10, 11, 24, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 })) +
    path(
      'M-28 -30H28C35 -30 37 -26 37 -20V28C37 36 33 40 26 40H-26C-33 40 -37 36 -37 28V-20C-37 -26 -35 -30 -28 -30Z',
      {
        fill: colors.primary.base,
        stroke: colors.stroke,
        width: 2.4,
      },
    ) +
    mirrored(
      circle(16, -6, 11, { fill: colors.primary.light, stroke: colors.stroke, width: 2 }) +
        circle(16, -6, 5, { fill: colors.tertiary.deep }),
    ) +
    path('M-22 16H22V30H-22Z', { fill: colors.secondary.deep, stroke: colors.stroke, width: 1.8 }) +
    path('M-11 16V30M0 16V30M11 16V30', { stroke: colors.stroke, width: 1.8 })
  )
}

/** A rocket in flight. */
export function rocket(colors: MotifColors): string {
  return (
    path('M-9 28C-12 38 -4 40 0 48C4 40 12 38 9 28Z', {
      fill: colors.flame.base,
      stroke: colors.stroke,
      width: 1.6,
    }) +
    mirrored(
      path('M14 6C28 12 30 24 28 36L12 26Z', {
        fill: colors.secondary.base,
        stroke: colors.stroke,
        width: 2,
      }),
    ) +
    path('M0 -48C20 -32 22 4 13 28H-13C-22 4 -20 -32 0 -48Z', {
      fill: colors.primary.light,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M0 -48C10 -40 14 -30 16 -22H-16C-14 -30 -10 -40 0 -48Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2,
    }) +
    circle(0, -6, 9, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2.2 }) +
    path('M-16 16H16', { stroke: colors.stroke, width: 2 })
  )
}

/** A clock face shortly before midnight. */
export function clock(colors: MotifColors): string {
  return (
    circle(0, 0, 46, { fill: colors.primary.base, stroke: colors.stroke, width: 2.4 }) +
    circle(0, 0, 36, { fill: colors.primary.light, stroke: colors.stroke, width: 2 }) +
    around(circle(0, -41, 2.2, { fill: colors.stroke }), 12) +
    around(path('M0 -33V-27', { stroke: colors.primary.deep, width: 2.6 }), 12) +
    path('M-12 -14L0 0L0 -25', { stroke: colors.tertiary.deep, width: 4 }) +
    circle(0, 0, 5, { fill: colors.secondary.base, stroke: colors.stroke, width: 1.6 })
  )
}

/** An open book under three sparks. */
export function book(colors: MotifColors): string {
  return (
    path('M0 40C-14 30 -32 30 -48 34V-14C-32 -18 -14 -18 0 -8C14 -18 32 -18 48 -14V34C32 30 14 30 0 40Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M0 32C-12 24 -28 24 -42 27V-9C-28 -12 -12 -12 0 -3C12 -12 28 -12 42 -9V27C28 24 12 24 0 32Z', {
      fill: colors.primary.light,
      stroke: colors.stroke,
      width: 1.8,
    }) +
    path('M0 -3V32', { stroke: colors.stroke, width: 2 }) +
    mirrored(
      path('M8 4C18 0 28 0 36 2M8 12C18 8 28 8 36 10M8 20C18 16 28 16 36 18', {
        stroke: colors.primary.deep,
        width: 1.8,
      }),
    ) +
    dots(
      [
        [0, -32],
        [-18, -38],
        [18, -38],
      ],
      4.4,
      colors.secondary.base,
    )
  )
}

/** A steaming cup on its saucer. */
export function cup(colors: MotifColors): string {
  return (
    path('M-34 -4H34C34 22 22 36 0 36C-22 36 -34 22 -34 -4Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    ellipse(0, -4, 34, 7, { fill: colors.tertiary.deep, stroke: colors.stroke, width: 2 }) +
    path('M-30 10Q-20 18 -10 10T10 10T30 10', { stroke: colors.primary.light, width: 2.4 }) +
    ellipse(0, 41, 44, 6, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    path('M-14 -16C-20 -26 -8 -32 -14 -44M0 -16C-6 -26 6 -34 0 -46M14 -16C8 -26 20 -32 14 -44', {
      stroke: colors.stroke,
      width: 2.4,
    })
  )
}

/** A sitar: a long neck over a gourd. */
export function sitar(colors: MotifColors): string {
  return (
    path('M-5 -46H5V14H-5Z', { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    mirrored(path('M5 -42H12M5 -34H12M5 -26H10', { stroke: colors.stroke, width: 2.6 })) +
    path('M0 2C16 2 28 14 28 28C28 42 14 48 0 48C-14 48 -28 42 -28 28C-28 14 -16 2 0 2Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    circle(0, 28, 12, { fill: colors.primary.deep, stroke: colors.stroke, width: 1.8 }) +
    path('M-2 -42V38M2 -42V38M-8 38H8', { stroke: colors.stroke, width: 1.2 }) +
    mirrored(
      dots(
        [
          [19, 20],
          [21, 30],
          [17, 39],
        ],
        2,
        colors.primary.light,
      ),
    )
  )
}

/** A bowl of fruit. */
export function bowl(colors: MotifColors): string {
  return (
    path('M0 -32C4 -42 12 -46 20 -45C18 -36 10 -31 0 -32Z', {
      fill: colors.leaf.base,
      stroke: colors.stroke,
      width: 1.7,
    }) +
    mirrored(circle(22, -11, 15, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 })) +
    circle(0, -19, 16, { fill: colors.flame.base, stroke: colors.stroke, width: 2 }) +
    path('M-8 -24C-6 -29 -2 -31 2 -31', { stroke: colors.flame.light, width: 2.2 }) +
    path('M-46 -6H46C45 24 24 38 0 38C-24 38 -45 24 -46 -6Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-45 2H45', { stroke: colors.primary.light, width: 2.6 }) +
    path('M-40 11L-30 21L-20 11L-10 21L0 11L10 21L20 11L30 21L40 11', {
      stroke: colors.primary.light,
      width: 2.4,
    }) +
    dots(
      [
        [-20, 24],
        [0, 25],
        [20, 24],
      ],
      2.4,
      colors.tertiary.light,
    ) +
    path('M-15 37H15L20 47H-20Z', { fill: colors.primary.deep, stroke: colors.stroke, width: 2.2 })
  )
}

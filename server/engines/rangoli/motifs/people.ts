import type { MotifColors } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, ellipse, mirrored, path, place } from '../svg.ts'

/** A dancing figure of two triangles, as painted on village walls. */
export function dancer(colors: MotifColors): string {
  return (
    path('M-18 -20H18L0 6Z', { fill: colors.primary.base, stroke: colors.stroke, width: 2 }) +
    path('M0 0L26 32H-26Z', { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    path('M-20 26H20M-14 18H14', { stroke: colors.secondary.light, width: 2 }) +
    mirrored(
      path('M17 -20L34 -30L30 -47M10 32L12 46L20 46', { stroke: colors.stroke, width: 3 }) +
        circle(30, -47, 3, { fill: colors.flame.light }),
    ) +
    circle(0, -32, 9, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 }) +
    circle(0, -44, 4, { fill: colors.stroke }) +
    dots(
      [
        [-7, -15],
        [0, -15],
        [7, -15],
      ],
      1.8,
      colors.stroke,
    )
  )
}

/** An open eye with its brow and a tear of dots. */
export function eye(colors: MotifColors): string {
  return (
    path('M-46 0C-24 -34 24 -34 46 0C24 34 -24 34 -46 0Z', {
      fill: colors.primary.light,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    circle(0, 0, 21, { fill: colors.primary.base, stroke: colors.stroke, width: 2 }) +
    around(path('M0 -11V-19', { stroke: colors.primary.light, width: 2 }), 12) +
    circle(0, 0, 9, { fill: colors.primary.deep }) +
    circle(3.5, -3.5, 3, { fill: colors.primary.light }) +
    path('M-44 -22C-24 -48 24 -48 44 -22', { stroke: colors.stroke, width: 3 }) +
    dots(
      [
        [-26, 31],
        [-13, 36],
        [0, 38],
        [13, 36],
        [26, 31],
      ],
      2.6,
      colors.secondary.base,
    )
  )
}

/** A hand held up, hennaed. */
export function hand(colors: MotifColors): string {
  return (
    path(
      'M-16 48V30C-30 18 -40 4 -38 -2C-35 -8 -28 0 -21 8V-30C-21 -38 -12 -38 -11 -30V-6V-42C-10 -50 0 -50 1 -42V-6V-38C2 -46 11 -46 12 -38V-4V-26C13 -33 22 -33 22 -26V12C22 26 18 32 16 36V48Z',
      { fill: colors.primary.light, stroke: colors.stroke, width: 2.2 },
    ) +
    place(around(path(petal(3, 12, 8, 'round'), { fill: colors.primary.deep }), 8), { x: 0, y: 14 }) +
    dots(
      [
        [-16, -30],
        [-5, -42],
        [7, -38],
        [17, -26],
      ],
      2.8,
      colors.primary.deep,
    ) +
    path('M-14 38Q0 44 14 38M-21 -14H-11M-11 -20H1M1 -18H12M12 -10H22', {
      stroke: colors.primary.deep,
      width: 2.2,
    })
  )
}

/** A heart within a heart. */
export function heart(colors: MotifColors): string {
  const outline = 'M0 44C-16 26 -46 10 -44 -18C-42 -42 -10 -46 0 -20C10 -46 42 -42 44 -18C46 10 16 26 0 44Z'
  return (
    path(outline, { fill: colors.primary.base, stroke: colors.stroke, width: 2.4 }) +
    place(path(outline, { fill: colors.secondary.base, stroke: colors.stroke, width: 2.6 }), {
      scale: 0.62,
    }) +
    place(path(outline, { fill: colors.primary.light }), { scale: 0.3 }) +
    mirrored(
      dots(
        [
          [36, -20],
          [33, -8],
          [26, 4],
          [16, 15],
        ],
        2.2,
        colors.stroke,
      ),
    )
  )
}

/** A crown with jewels. */
export function crown(colors: MotifColors): string {
  return (
    path('M-38 34L-46 -18L-22 4L0 -38L22 4L46 -18L38 34Z', {
      fill: colors.flame.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-38 34H38V44H-38Z', { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
    dots(
      [
        [0, -41],
        [-46, -22],
        [46, -22],
      ],
      5,
      colors.primary.light,
    ) +
    ellipse(0, 10, 8, 11, { fill: colors.secondary.base, stroke: colors.stroke, width: 1.8 }) +
    mirrored(circle(22, 18, 5.5, { fill: colors.tertiary.base, stroke: colors.stroke, width: 1.6 }))
  )
}

/** A cut gem from the side. */
export function gem(colors: MotifColors): string {
  return (
    path('M-26 -32H26L46 -8L0 44L-46 -8Z', { fill: colors.primary.base, stroke: colors.stroke, width: 2.4 }) +
    path('M-26 -32L-14 -8L0 -32L14 -8L26 -32ZM-14 -8H14L0 44Z', {
      fill: colors.primary.light,
      stroke: colors.stroke,
      width: 1.8,
    }) +
    path('M-46 -8H46', { stroke: colors.stroke, width: 1.8 })
  )
}

/** A painted pot with mango leaves and a coconut. */
export function pot(colors: MotifColors): string {
  const blade = (angle: number) =>
    place(path(petal(6, 38, 15, 'leaf'), { fill: colors.leaf.base, stroke: colors.stroke, width: 1.8 }), {
      y: -12,
      angle,
    })
  return (
    mirrored(blade(68) + blade(38)) +
    path('M0 -48C14 -40 15 -22 10 -12H-10C-15 -22 -14 -40 0 -48Z', {
      fill: colors.tertiary.base,
      stroke: colors.stroke,
      width: 2,
    }) +
    path('M-20 -14H20L15 -4C46 2 42 42 14 45H-14C-42 42 -46 2 -15 -4Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-32 14H32M-34 28H34', { stroke: colors.stroke, width: 1.8 }) +
    path('M-32 28L-26 16L-20 28L-13 16L-6.5 28L0 16L6.5 28L13 16L20 28L26 16L32 28', {
      stroke: colors.flame.light,
      width: 2.2,
    }) +
    dots(
      [
        [-16, 6],
        [-8, 7],
        [0, 7],
        [8, 7],
        [16, 6],
      ],
      2,
      colors.stroke,
    )
  )
}

/** A temple bell. */
export function bell(colors: MotifColors): string {
  return (
    circle(0, -42, 6, { stroke: colors.stroke, width: 2.4 }) +
    circle(0, 38, 7, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    path('M0 -37C24 -36 22 -6 26 12C28 22 36 26 40 32H-40C-36 26 -28 22 -26 12C-22 -6 -24 -36 0 -37Z', {
      fill: colors.flame.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-22 -6H22M-25 10H25M-30 20H30', { stroke: colors.stroke, width: 1.8 }) +
    path('M-18 8L-9 -4L0 8L9 -4L18 8', { stroke: colors.primary.deep, width: 2.2 }) +
    path('M-8 -28C-14 -22 -14 -16 -14 -12', { stroke: colors.flame.light, width: 2.6 })
  )
}

/** A two-headed drum on its strap. */
export function drum(colors: MotifColors): string {
  return (
    path('M-30 -24C-20 -48 20 -48 30 -24', { stroke: colors.secondary.base, width: 4 }) +
    path('M-34 -24C-14 -34 14 -34 34 -24V26C14 36 -14 36 -34 26Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M-22 -28L-11 31L0 -31L11 31L22 -28', { stroke: colors.primary.light, width: 2.2 }) +
    mirrored(
      ellipse(35, 1, 10, 28, { fill: colors.tertiary.light, stroke: colors.stroke, width: 2.2 }) +
        ellipse(36, 1, 4.5, 13, { fill: colors.tertiary.deep }),
    ) +
    dots(
      [
        [0, 40],
        [-14, 39],
        [14, 39],
      ],
      2.4,
      colors.secondary.base,
    )
  )
}

/** A rakhi: a jeweled flower on a knotted thread. */
export function rakhi(colors: MotifColors): string {
  return (
    mirrored(
      path('M20 0H40', { stroke: colors.secondary.base, width: 5 }) +
        path('M40 0L49 -8M40 0L50 0M40 0L49 8', { stroke: colors.secondary.light, width: 2.2 }) +
        circle(33, 0, 4, { fill: colors.flame.base, stroke: colors.stroke, width: 1.4 }),
    ) +
    around(
      path(petal(8, 30, 15, 'round'), { fill: colors.primary.base, stroke: colors.stroke, width: 1.8 }),
      10,
    ) +
    circle(0, 0, 16, { fill: colors.secondary.base, stroke: colors.stroke, width: 2 }) +
    around(circle(0, -12, 2.2, { fill: colors.flame.light }), 10) +
    circle(0, 0, 7, { fill: colors.tertiary.light, stroke: colors.stroke, width: 1.6 })
  )
}

/** A trident with a drum at its shaft. */
export function trident(colors: MotifColors): string {
  return (
    path('M0 48V-20', { stroke: colors.stroke, width: 4 }) +
    path(
      'M-30 -40C-34 -14 -18 -8 0 -8C18 -8 34 -14 30 -40C24 -30 24 -18 6 -18L4 -30L0 -49L-4 -30L-6 -18C-24 -18 -24 -30 -30 -40Z',
      {
        fill: colors.flame.base,
        stroke: colors.stroke,
        width: 2.2,
      },
    ) +
    path('M-18 6L0 16L18 6V28L0 18L-18 28Z', { fill: colors.primary.base, stroke: colors.stroke, width: 2 }) +
    path('M-14 38H14', { stroke: colors.secondary.base, width: 3 })
  )
}

/** A dancer's painted mask under a tall crown. */
export function mask(colors: MotifColors): string {
  return (
    path('M0 -49C30 -44 44 -20 40 4H-40C-44 -20 -30 -44 0 -49Z', {
      fill: colors.secondary.base,
      stroke: colors.stroke,
      width: 2.2,
    }) +
    path('M0 -40C20 -36 30 -20 28 -4H-28C-30 -20 -20 -36 0 -40Z', {
      fill: colors.flame.base,
      stroke: colors.stroke,
      width: 1.8,
    }) +
    path('M0 -16C22 -16 28 0 26 16C24 36 10 46 0 46C-10 46 -24 36 -26 16C-28 0 -22 -16 0 -16Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    mirrored(
      path('M4 6Q12 -4 22 4Q13 12 4 6Z', { fill: colors.primary.light, stroke: colors.stroke, width: 1.7 }) +
        circle(13, 5, 3.2, { fill: colors.background }) +
        path('M4 -3Q12 -11 23 -4', { stroke: colors.stroke, width: 2.4 }) +
        path('M26 20C38 16 42 26 34 34', { stroke: colors.stroke, width: 3 }),
    ) +
    path('M-9 30Q0 25 9 30Q0 40 -9 30Z', { fill: colors.secondary.deep, stroke: colors.stroke, width: 1.6 }) +
    path('M0 8L4 22H-4Z', { fill: colors.primary.light }) +
    path('M0 -14L4 -7L0 0L-4 -7Z', { fill: colors.secondary.base }) +
    dots(
      [
        [0, -44],
        [-18, -38],
        [18, -38],
        [-31, -22],
        [31, -22],
        [0, -29],
        [-12, -25],
        [12, -25],
      ],
      2.8,
      colors.stroke,
    )
  )
}

/** A wheel with eight carved spokes. */
export function wheel(colors: MotifColors): string {
  return (
    circle(0, 0, 46, { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
    circle(0, 0, 34, { fill: colors.primary.deep, stroke: colors.stroke, width: 2 }) +
    around(circle(0, -40, 2.8, { fill: colors.primary.light }), 16) +
    around(
      path('M0 -8L5 -20L0 -33L-5 -20Z', { fill: colors.secondary.light, stroke: colors.stroke, width: 1.5 }),
      8,
    ) +
    around(path('M0 -14V-30', { stroke: colors.secondary.light, width: 1.5 }), 8, 22.5) +
    circle(0, 0, 11, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 }) +
    circle(0, 0, 4, { fill: colors.stroke })
  )
}

/** A person who greets with joined hands. */
export function person(colors: MotifColors): string {
  return (
    path('M-13 -16C-28 -12 -26 8 -36 47H36C26 8 28 -12 13 -16Z', {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    }) +
    path('M-34 39H34M-32 33H32', { stroke: colors.secondary.light, width: 2 }) +
    dots(
      [
        [-24, 27],
        [-12, 27],
        [0, 27],
        [12, 27],
        [24, 27],
      ],
      1.9,
      colors.secondary.light,
    ) +
    mirrored(
      path('M16 -14C30 -8 30 12 16 15C10 16 5 12 1 8V-2C8 6 14 4 15 -2Z', {
        fill: colors.secondary.base,
        stroke: colors.stroke,
        width: 1.9,
      }),
    ) +
    path('M0 -15C5 -7 5 4 0 11C-5 4 -5 -7 0 -15Z', {
      fill: colors.flame.light,
      stroke: colors.stroke,
      width: 1.7,
    }) +
    circle(0, -31, 14.5, { fill: colors.flame.light, stroke: colors.stroke, width: 2 }) +
    path('M-15 -29C-19 -52 19 -52 15 -29C12 -36 6 -40 0 -41C-6 -40 -12 -36 -15 -29Z', {
      fill: colors.tertiary.deep,
      stroke: colors.stroke,
      width: 2,
    }) +
    dots(
      [
        [-5.5, -30],
        [5.5, -30],
      ],
      1.7,
      colors.flame.deep,
    ) +
    path('M-4.5 -23Q0 -19.5 4.5 -23', { stroke: colors.flame.deep, width: 1.8 })
  )
}

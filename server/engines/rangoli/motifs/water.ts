import type { Ink } from '../stage.ts'
import { circle, dots, ellipse, mirrored, path } from '../svg.ts'

/** A wave as a scale: arcs within arcs, foam at the crest. */
export function wave(ink: Ink): string {
  const arc = (radius: number, fill: string) =>
    path(`M${-radius} 28A${radius} ${radius} 0 0 1 ${radius} 28Z`, { fill, stroke: ink.line, width: 2 })
  return (
    arc(46, ink.fill.deep) +
    arc(36, ink.fill.base) +
    arc(26, ink.second.light) +
    arc(15, ink.fill.base) +
    dots(
      [
        [0, -30],
        [-21, -24],
        [21, -24],
        [-37, -8],
        [37, -8],
      ],
      3.4,
      ink.line,
    ) +
    path('M-48 34Q-36 26 -24 34T0 34T24 34T48 34M-36 44Q-24 36 -12 44T12 44T36 44', {
      stroke: ink.line,
      width: 2,
    })
  )
}

/** A fish with scales, head to the right. */
export function fish(ink: Ink): string {
  return (
    path('M-22 0C-34 -20 -44 -24 -49 -22C-44 -8 -44 8 -49 22C-44 24 -34 20 -22 0Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 2,
    }) +
    path('M-4 -22C4 -38 16 -36 20 -32C18 -26 16 -22 14 -18ZM-2 22C4 34 12 34 16 31L12 19Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 1.8,
    }) +
    path('M-28 0C-12 -28 24 -34 48 0C24 34 -12 28 -28 0Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M26 -18Q16 0 26 18', { stroke: ink.line, width: 2 }) +
    path('M16 -16Q8 -8 16 0Q8 8 16 16M4 -14Q-4 -7 4 0Q-4 7 4 14M-8 -10Q-15 -5 -8 0Q-15 5 -8 10', {
      stroke: ink.fill.light,
      width: 1.9,
    }) +
    circle(34, -4, 4.6, { fill: ink.line }) +
    circle(34.5, -4, 2, { fill: ink.fill.deep })
  )
}

/** A boat with a patched sail on two rows of ripples. */
export function boat(ink: Ink): string {
  return (
    path('M0 -48V16', { stroke: ink.line, width: 2.6 }) +
    path('M3 -44C30 -30 36 -6 34 8H3Z', { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    path('M-3 -44C-30 -30 -36 -6 -34 8H-3Z', { fill: ink.second.base, stroke: ink.line, width: 2 }) +
    mirrored(path('M4 -20H28M4 -6H33', { stroke: ink.line, width: 1.5 })) +
    path('M-48 10C-40 32 -26 36 0 36C26 36 40 32 48 10C30 20 -30 20 -48 10Z', {
      fill: ink.third.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    dots(
      [
        [-24, 25],
        [-8, 27],
        [8, 27],
        [24, 25],
      ],
      2,
      ink.line,
    ) +
    path('M-44 44Q-33 36 -22 44T0 44T22 44T44 44', { stroke: ink.line, width: 2 })
  )
}

/** A turtle from above, its shell in plates. */
export function turtle(ink: Ink): string {
  return (
    mirrored(
      path('M16 -22C30 -40 44 -36 42 -26C36 -18 28 -14 22 -12ZM18 20C28 26 34 38 26 42C20 40 14 34 10 30Z', {
        fill: ink.leaf.deep,
        stroke: ink.line,
        width: 1.8,
      }),
    ) +
    ellipse(0, -36, 9, 12, { fill: ink.leaf.base, stroke: ink.line, width: 1.8 }) +
    path('M-4 34L0 47L4 34Z', { fill: ink.leaf.deep }) +
    ellipse(0, 2, 29, 33, { fill: ink.fill.base, stroke: ink.line, width: 2.4 }) +
    path(
      'M0 -18L14 -9V11L0 21L-14 11V-9ZM0 -18V-31M14 -9L26 -14M14 11L26 17M0 21V35M-14 -9L-26 -14M-14 11L-26 17',
      {
        fill: ink.fill.light,
        stroke: ink.line,
        width: 1.8,
      },
    ) +
    mirrored(circle(4, -40, 1.6, { fill: ink.line }))
  )
}

/** A jellyfish: a bell and trailing arms. */
export function jellyfish(ink: Ink): string {
  return (
    path('M0 4C-8 18 8 28 0 46', { stroke: ink.second.light, width: 2.6 }) +
    mirrored(
      path('M12 4C22 18 6 28 16 44M25 2C36 14 22 24 32 38', { stroke: ink.second.light, width: 2.6 }),
    ) +
    path('M-40 0C-40 -62 40 -62 40 0Q32 9 24 0Q16 9 8 0Q0 9 -8 0Q-16 9 -24 0Q-32 9 -40 0Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M-28 -12C-26 -40 26 -40 28 -12', { stroke: ink.fill.light, width: 2.2 }) +
    dots(
      [
        [0, -22],
        [-13, -18],
        [13, -18],
        [0, -10],
      ],
      2.6,
      ink.line,
    )
  )
}

/** An umbrella against the monsoon. */
export function umbrella(ink: Ink): string {
  return (
    path('M0 -48V36C0 48 16 48 16 36', { stroke: ink.line, width: 3 }) +
    path('M-47 2C-44 -54 44 -54 47 2Q36 -8 24 2Q12 -8 0 2Q-12 -8 -24 2Q-36 -8 -47 2Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M0 -40C14 -28 22 -14 24 2Q12 -8 0 2Q-12 -8 -24 2C-22 -14 -14 -28 0 -40Z', {
      fill: ink.second.base,
      stroke: ink.line,
      width: 1.8,
    }) +
    dots(
      [
        [-34, -10],
        [34, -10],
        [0, -18],
      ],
      2.4,
      ink.line,
    )
  )
}

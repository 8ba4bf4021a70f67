import type { MotifColors } from './color.ts'
import { around, circle, dots, inked, num, path, type Point, polar, polygon, xy } from './svg.ts'

/** Control points of the right half of a petal from base to tip: x in half widths, y as a fraction of the length. */
const halves = {
  lotus: [0, 0, 0.75, 0.12, 1.5, 0.56, 0.3, 0.88, 0.14, 0.92, 0.06, 0.96, 0, 1],
  round: [0, 0, 0.55, 0.2, 1, 0.45, 1, 0.68, 1, 0.9, 0.5, 1, 0, 1],
  leaf: [0, 0, 0.5, 0.1, 1, 0.28, 1, 0.48, 1, 0.7, 0.35, 0.86, 0, 1],
  drop: [0, 0, 0.3, 0.3, 1, 0.5, 1, 0.74, 1, 0.9, 0.56, 1, 0, 1],
} as const

export type PetalTip = keyof typeof halves

/** Path of a petal on the upward axis, with its base at radius `inner` and its tip at radius `outer`. */
export function petal(inner: number, outer: number, width: number, tip: PetalTip): string {
  const half = halves[tip]
  const side = (sign: number) =>
    Array.from({ length: half.length / 2 }, (_, index) => {
      const [x = 0, y = 0] = half.slice(2 * index)
      return `${num((sign * x * width) / 2)} ${num(-inner - y * (outer - inner))}`
    })
  const [base = '', ...rising] = side(1)
  return `M${base}C${[...rising, ...side(-1).toReversed().slice(1)].join(' ')}Z`
}

/** Ring around the center, between two radii, with an ornament that repeats `count` times. */
export interface Band {
  readonly inner: number
  readonly outer: number
  readonly count: number
  /** Index of an item that is left out. */
  readonly missing?: number
}

/** Returns evenly spaced points on a circle around the center, the first at `offset` degrees. */
export function pointsOnCircle(radius: number, count: number, offset = 0): readonly Point[] {
  return Array.from({ length: count }, (_, index) => polar(radius, offset + (index * 360) / count))
}

/** Returns the corners of a star with `count` points, the first upwards. */
export function starPoints(count: number, outer: number, inner: number): readonly Point[] {
  return Array.from({ length: count * 2 }, (_, index) =>
    polar(index % 2 === 0 ? outer : inner, (index * 180) / count),
  )
}

export function disc(radius: number, fill: string, stroke?: string, width = 2.5): string {
  return circle(0, 0, radius, stroke === undefined ? { fill } : { fill, stroke, width })
}

function beads(radius: number, count: number, size: number, fill: string, offset = 0): string {
  return dots(pointsOnCircle(radius, count, offset), size, fill)
}

/** Ornaments that fill a ring. */
export const bands = {
  lotus: petals('lotus'),
  round: petals('round'),
  leaf: petals('leaf'),
  rays: ({ inner, outer, count, missing }, { primary, flame, stroke }) => {
    const half = 180 / count
    const ray = polygon([polar(inner, -half), polar(outer, 0), polar(inner, half)])
    const drop = petal(inner, inner + (outer - inner) * 0.62, (outer - inner) * 0.2, 'drop')
    return (
      around(inked(ray, primary.base, stroke, 2.4), count, 0, missing) +
      around(inked(drop, flame.base, stroke, 2), count, half)
    )
  },
  /** Half discs on the inner circle, with a dot above each joint. */
  scallop: ({ inner, outer, count, missing }, { primary, secondary, stroke }) => {
    const [half, depth] = [inner * Math.sin(Math.PI / count), outer - inner]
    const y = num(-inner * Math.cos(Math.PI / count))
    const bump = (scale: number) => {
      const [x, top] = [num(half * scale), num(Number(y) - depth * 1.3 * scale)]
      return `M-${x} ${y}C-${x} ${top} ${x} ${top} ${x} ${y}`
    }
    return (
      around(
        inked(bump(1), primary.base, stroke, 2.6) +
          inked(bump(0.68), secondary.base, stroke, 1.6) +
          path(bump(0.36), { fill: primary.light }),
        count,
        0,
        missing,
      ) + beads(outer - depth * 0.22, count, Math.min(4.5, depth * 0.1), stroke, 180 / count)
    )
  },
  /** Triangles that point outwards, with smaller inward ones between them. */
  triangles: ({ inner, outer, count, missing }, { primary, secondary, tertiary, stroke }) => {
    const half = 180 / count
    const middle = inner + (outer - inner) * 0.42
    return (
      around(
        path(polygon([polar(outer, half * 0.45), polar(outer, half * 1.55), polar(middle, half)]), {
          fill: secondary.base,
        }),
        count,
      ) +
      around(
        inked(
          polygon([polar(inner, -half), polar(outer, 0), polar(inner, half)]),
          primary.base,
          stroke,
          2.2,
        ) +
          path(polygon([polar(inner + 1, -half * 0.5), polar(middle, 0), polar(inner + 1, half * 0.5)]), {
            fill: tertiary.light,
          }),
        count,
        0,
        missing,
      )
    )
  },
  /** Two wave lines that cross, with a dot in each loop. */
  braid: ({ inner, outer, count }, { primary, stroke }) => {
    const [middle, swing] = [(inner + outer) / 2, (outer - inner) * 0.36]
    return (
      path(waveLine(middle, swing, count), { stroke, width: 3 }) +
      path(waveLine(middle, -swing, count), { stroke: primary.light, width: 3 }) +
      beads(middle, count * 2, swing * 0.4, primary.base, 90 / count)
    )
  },
  /** Diamonds that form a trellis, with dots in them and at the joints. */
  trellis: ({ inner, outer, count, missing }, { primary, tertiary, stroke }) => {
    const [half, middle] = [180 / count, (inner + outer) / 2]
    const diamond = polygon([polar(inner, 0), polar(middle, half), polar(outer, 0), polar(middle, -half)])
    return (
      around(inked(diamond, primary.base, stroke, 2), count, 0, missing) +
      beads(middle, count, (outer - inner) * 0.13, tertiary.light) +
      beads(middle, count, (outer - inner) * 0.09, stroke, half)
    )
  },
  /** Pairs of leaves along a circular stem. */
  garland: ({ inner, outer, count, missing }, { leaf, stroke }) => {
    const middle = (inner + outer) / 2
    const step = 150 / count
    const leafTo = (reach: number) => {
      const foot = xy(polar(middle, -step))
      const [side, tip] = [polar(middle + reach, -step * 0.1), polar(middle + reach, step)].map(xy)
      const back = xy(polar(middle + reach * 0.15, step * 0.6))
      return `M${foot}Q${side ?? ''} ${tip ?? ''}Q${back} ${foot}Z`
    }
    const reach = (outer - inner) * 0.52
    const pair = inked(leafTo(reach) + leafTo(-reach), leaf.base, stroke, 1.5)
    return circle(0, 0, middle, { stroke: leaf.deep, width: 2.4 }) + around(pair, count, 0, missing)
  },
  beads: ({ inner, outer, count }, { stroke }) =>
    beads((inner + outer) / 2, count, (outer - inner) / 2, stroke),
} satisfies Record<string, (band: Band, colors: MotifColors) => string>

export type BandName = keyof typeof bands

/** Row of petals over a row of darker ones. */
function petals(tip: PetalTip): (band: Band, colors: MotifColors) => string {
  return ({ inner, outer, count, missing }, { primary, secondary, stroke }) => {
    const width = ((Math.PI * (inner + outer)) / count) * (tip === 'lotus' ? 0.8 : 0.98)
    const depth = outer - inner
    const back = inked(petal(inner, outer - depth * 0.04, width, tip), secondary.deep, stroke, 1.6)
    const front =
      inked(petal(inner, outer, width, tip), primary.base, stroke, 2.6) +
      path(petal(inner + depth * 0.1, outer - depth * 0.24, width * 0.6, tip), { fill: primary.light }) +
      path(petal(inner + depth * 0.16, outer - depth * 0.44, width * 0.3, tip), { fill: primary.deep })
    return around(back, count, 180 / count) + around(front, count, 0, missing)
  }
}

/** Path of a closed line that oscillates `count` times around a circle. */
function waveLine(radius: number, swing: number, count: number): string {
  const step = 360 / count
  const turns = Array.from({ length: 2 * count }, (_, index) => {
    const [angle, distance] = [((index + 1) * step) / 2, radius + (index % 2 === 0 ? -swing : swing)]
    return `S${xy(polar(distance, angle - step * 0.19))} ${xy(polar(distance, angle))}`
  })
  const start = xy(polar(radius + swing, 0))
  return `M${start}${turns.join('')}Z`
}

import type { MotifColors } from './color.ts'
import { petal } from './shapes.ts'
import type { PetalTip } from './shapes.ts'
import { around, circle, dots, num, path, polar, polygon, xy } from './svg.ts'
import type { Point } from './svg.ts'

/** Ring around the center, between two radii, with an ornament that repeats `count` times. */
export interface Band {
  readonly inner: number
  readonly outer: number
  readonly count: number
}

/** Returns evenly spaced points on a circle around the center, the first at `offset` degrees. */
export function pointsOnCircle(radius: number, count: number, offset = 0): readonly Point[] {
  return Array.from({ length: count }, (_, index) => polar(radius, offset + (index * 360) / count))
}

export function disc(radius: number, fill: string, stroke?: string, width = 2.5): string {
  return circle(0, 0, radius, stroke === undefined ? { fill } : { fill, stroke, width })
}

export function circleOutline(radius: number, stroke: string, width = 2): string {
  return circle(0, 0, radius, { stroke, width })
}

export function filledBand({ inner, outer }: Pick<Band, 'inner' | 'outer'>, fill: string): string {
  return circle(0, 0, (inner + outer) / 2, { stroke: fill, width: outer - inner })
}

export function beads(radius: number, count: number, size: number, fill: string, offset = 0): string {
  return dots(pointsOnCircle(radius, count, offset), size, fill)
}

/** Row of petals over a row of darker ones. */
export function petalBand({ inner, outer, count }: Band, tip: PetalTip, colors: MotifColors): string {
  const width = ((Math.PI * (inner + outer)) / count) * (tip === 'lotus' ? 0.8 : 0.98)
  const depth = outer - inner
  const back = path(petal(inner, outer - depth * 0.04, width, tip), {
    fill: colors.secondary.deep,
    stroke: colors.stroke,
    width: 1.6,
  })
  const front =
    path(petal(inner, outer, width, tip), { fill: colors.primary.base, stroke: colors.stroke, width: 2.6 }) +
    path(petal(inner + depth * 0.1, outer - depth * 0.24, width * 0.6, tip), { fill: colors.primary.light }) +
    path(petal(inner + depth * 0.16, outer - depth * 0.44, width * 0.3, tip), { fill: colors.primary.deep })
  return around(back, count, 180 / count) + around(front, count)
}

/** Half discs on the inner circle, with a dot above each joint. */
export function scallopBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const chord = inner * Math.sin(Math.PI / count)
  const depth = outer - inner
  const bump = (scale: number) => {
    const half = chord * scale
    const y = -inner * Math.cos(Math.PI / count)
    return `M${num(-half)} ${num(y)}C${num(-half)} ${num(y - depth * 1.3 * scale)} ${num(half)} ${num(y - depth * 1.3 * scale)} ${num(half)} ${num(y)}`
  }
  return (
    around(
      path(bump(1), { fill: colors.primary.base, stroke: colors.stroke, width: 2.6 }) +
        path(bump(0.68), { fill: colors.secondary.base, stroke: colors.stroke, width: 1.6 }) +
        path(bump(0.36), { fill: colors.primary.light }),
      count,
    ) + beads(outer - depth * 0.22, count, Math.min(4.5, depth * 0.1), colors.stroke, 180 / count)
  )
}

/** Triangles that point outwards, with smaller inward ones between them. */
export function triangleBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const half = 180 / count
  const outward: readonly Point[] = [polar(inner, -half), polar(outer, 0), polar(inner, half)]
  const middle = inner + (outer - inner) * 0.42
  const core: readonly Point[] = [
    polar(inner + 1, -half * 0.5),
    polar(middle, 0),
    polar(inner + 1, half * 0.5),
  ]
  const inward: readonly Point[] = [polar(outer, half * 0.45), polar(outer, half * 1.55), polar(middle, half)]
  return around(
    path(polygon(inward), { fill: colors.secondary.base }) +
      path(polygon(outward), { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
      path(polygon(core), { fill: colors.tertiary.light }),
    count,
  )
}

/** Two wave lines that cross, with a dot in each loop. */
export function braidBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const middle = (inner + outer) / 2
  const swing = (outer - inner) * 0.36
  const strand = (sign: number) => waveLine(middle, swing * sign, count)
  return (
    path(strand(1), { stroke: colors.stroke, width: 3 }) +
    path(strand(-1), { stroke: colors.primary.light, width: 3 }) +
    beads(middle, count * 2, swing * 0.4, colors.primary.base, 90 / count)
  )
}

/** Diamonds that form a trellis, with dots in them and at the joints. */
export function trellisBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const half = 180 / count
  const diamond: readonly Point[] = [
    polar(inner, 0),
    polar((inner + outer) / 2, half),
    polar(outer, 0),
    polar((inner + outer) / 2, -half),
  ]
  return (
    around(path(polygon(diamond), { fill: colors.primary.base, stroke: colors.stroke, width: 2 }), count) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.13, colors.tertiary.light) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.09, colors.stroke, half)
  )
}

/** Pairs of leaves along a circular stem. */
export function garlandBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const middle = (inner + outer) / 2
  const reach = (outer - inner) * 0.52
  const step = (360 / count) * 0.42
  const leafTo = (target: Point, bulge: number) => {
    const foot = polar(middle, -step)
    const side = polar(middle + bulge, -step * 0.1)
    const back = polar(middle + bulge * 0.15, step * 0.6)
    return `M${xy(foot)}Q${xy(side)} ${xy(target)}Q${xy(back)} ${xy(foot)}Z`
  }
  return (
    circleOutline(middle, colors.leaf.deep, 2.4) +
    around(
      path(leafTo(polar(middle + reach, step), reach), {
        fill: colors.leaf.base,
        stroke: colors.stroke,
        width: 1.5,
      }) +
        path(leafTo(polar(middle - reach, step), -reach), {
          fill: colors.leaf.base,
          stroke: colors.stroke,
          width: 1.5,
        }),
      count,
    )
  )
}

/** Path of a closed line that oscillates `count` times around a circle. */
function waveLine(radius: number, swing: number, count: number): string {
  const step = 360 / count
  const bend = step * 0.19
  const turn = (index: number, sign: number): string => {
    const angle = (index + (sign < 0 ? 0.5 : 0)) * step
    const distance = radius + sign * swing
    return `${xy(polar(distance, angle - bend))} ${xy(polar(distance, angle))}`
  }
  const turns = Array.from({ length: count }, (_, index) => `S${turn(index, -1)}S${turn(index + 1, 1)}`)
  const first = `M${xy(polar(radius + swing, 0))}C${xy(polar(radius + swing, bend))} ${turn(0, -1)}`
  return `${first}${turns.join('').slice(turns[0]?.indexOf('S', 1) ?? 0)}Z`
}

import { petal } from './petal.ts'
import type { PetalTip } from './petal.ts'
import type { Ink } from './stage.ts'
import { around, circle, dots, num, path, polar, polygon, xy } from './svg.ts'
import type { Point } from './svg.ts'

/** A ring between two circles around the middle, filled with something that repeats `count` times. */
export interface Band {
  readonly inner: number
  readonly outer: number
  readonly count: number
}

/** Points on a circle, the first at `offset` degrees. */
export function onCircle(radius: number, count: number, offset = 0): readonly Point[] {
  return Array.from({ length: count }, (_, index) => polar(radius, offset + (index * 360) / count))
}

export function disc(radius: number, fill: string, line?: string, width = 2.5): string {
  return circle(0, 0, radius, line === undefined ? { fill } : { fill, stroke: line, width })
}

export function hoop(radius: number, line: string, width = 2): string {
  return circle(0, 0, radius, { stroke: line, width })
}

/** The powder between two circles. */
export function ribbon({ inner, outer }: Pick<Band, 'inner' | 'outer'>, fill: string): string {
  return circle(0, 0, (inner + outer) / 2, { stroke: fill, width: outer - inner })
}

export function beads(radius: number, count: number, size: number, fill: string, offset = 0): string {
  return dots(onCircle(radius, count, offset), size, fill)
}

/** Petals side by side, darker ones showing between them. */
export function petalBand({ inner, outer, count }: Band, tip: PetalTip, ink: Ink): string {
  const width = ((Math.PI * (inner + outer)) / count) * (tip === 'lotus' ? 0.8 : 0.98)
  const depth = outer - inner
  const back = path(petal(inner, outer - depth * 0.04, width, tip), {
    fill: ink.second.deep,
    stroke: ink.line,
    width: 1.6,
  })
  const front =
    path(petal(inner, outer, width, tip), { fill: ink.fill.base, stroke: ink.line, width: 2.6 }) +
    path(petal(inner + depth * 0.1, outer - depth * 0.24, width * 0.6, tip), { fill: ink.fill.light }) +
    path(petal(inner + depth * 0.16, outer - depth * 0.44, width * 0.3, tip), { fill: ink.fill.deep })
  return around(back, count, 180 / count) + around(front, count)
}

/** Half discs that stand on the inner circle, a dot over every joint. */
export function scallopBand({ inner, outer, count }: Band, ink: Ink): string {
  const chord = inner * Math.sin(Math.PI / count)
  const depth = outer - inner
  const bump = (share: number) => {
    const half = chord * share
    const y = -inner * Math.cos(Math.PI / count)
    return `M${num(-half)} ${num(y)}C${num(-half)} ${num(y - depth * 1.3 * share)} ${num(half)} ${num(y - depth * 1.3 * share)} ${num(half)} ${num(y)}`
  }
  return (
    around(
      path(bump(1), { fill: ink.fill.base, stroke: ink.line, width: 2.6 }) +
        path(bump(0.68), { fill: ink.second.base, stroke: ink.line, width: 1.6 }) +
        path(bump(0.36), { fill: ink.fill.light }),
      count,
    ) + beads(outer - depth * 0.22, count, Math.min(4.5, depth * 0.1), ink.line, 180 / count)
  )
}

/** Triangles that point outwards, small ones between them that point back. */
export function toothBand({ inner, outer, count }: Band, ink: Ink): string {
  const half = 180 / count
  const tooth: readonly Point[] = [polar(inner, -half), polar(outer, 0), polar(inner, half)]
  const middle = inner + (outer - inner) * 0.42
  const core: readonly Point[] = [
    polar(inner + 1, -half * 0.5),
    polar(middle, 0),
    polar(inner + 1, half * 0.5),
  ]
  const gap: readonly Point[] = [polar(outer, half * 0.45), polar(outer, half * 1.55), polar(middle, half)]
  return around(
    path(polygon(gap), { fill: ink.second.base }) +
      path(polygon(tooth), { fill: ink.fill.base, stroke: ink.line, width: 2.2 }) +
      path(polygon(core), { fill: ink.third.light }),
    count,
  )
}

/** Two waving lines that cross, a dot in every eye. */
export function braidBand({ inner, outer, count }: Band, ink: Ink): string {
  const middle = (inner + outer) / 2
  const swing = (outer - inner) * 0.36
  const strand = (sign: number) => waving(middle, swing * sign, count)
  return (
    path(strand(1), { stroke: ink.line, width: 3 }) +
    path(strand(-1), { stroke: ink.fill.light, width: 3 }) +
    beads(middle, count * 2, swing * 0.4, ink.fill.base, 90 / count)
  )
}

/** A trellis of crossing lines with dots at the crossings. */
export function trellisBand({ inner, outer, count }: Band, ink: Ink): string {
  const half = 180 / count
  const lozenge: readonly Point[] = [
    polar(inner, 0),
    polar((inner + outer) / 2, half),
    polar(outer, 0),
    polar((inner + outer) / 2, -half),
  ]
  return (
    around(path(polygon(lozenge), { fill: ink.fill.base, stroke: ink.line, width: 2 }), count) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.13, ink.third.light) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.09, ink.line, half)
  )
}

/** Pairs of leaves along a stem that runs around. */
export function garlandBand({ inner, outer, count }: Band, ink: Ink): string {
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
    hoop(middle, ink.leaf.deep, 2.4) +
    around(
      path(leafTo(polar(middle + reach, step), reach), {
        fill: ink.leaf.base,
        stroke: ink.line,
        width: 1.5,
      }) +
        path(leafTo(polar(middle - reach, step), -reach), {
          fill: ink.leaf.base,
          stroke: ink.line,
          width: 1.5,
        }),
      count,
    )
  )
}

/** A closed line that swings `count` times around a circle. */
export function waving(radius: number, swing: number, count: number): string {
  const step = 360 / count
  const bend = step * 0.19
  const turn = (index: number, sign: number): string => {
    const angle = (index + (sign < 0 ? 0.5 : 0)) * step
    const at = radius + sign * swing
    return `${xy(polar(at, angle - bend))} ${xy(polar(at, angle))}`
  }
  const turns = Array.from({ length: count }, (_, index) => `S${turn(index, -1)}S${turn(index + 1, 1)}`)
  const first = `M${xy(polar(radius + swing, 0))}C${xy(polar(radius + swing, bend))} ${turn(0, -1)}`
  return `${first}${turns.join('').slice(turns[0]?.indexOf('S', 1) ?? 0)}Z`
}

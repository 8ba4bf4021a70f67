import { beads, disc, hoop, petalBand, toothBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import { petal } from '../petal.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, circle, copiesAt, path, place, polar, polygon, rect } from '../svg.ts'
import type { Point } from '../svg.ts'

/** A pierced screen: stars and the shapes between them from edge to edge, a medallion over the middle. */
export function jaali(stage: Stage): string {
  const isSixfold = stage.brief.order % 6 === 0
  const points = isSixfold ? 6 : 8
  const period = isSixfold ? 148 : 128
  const centres = isSixfold ? triangularLattice(period) : squareLattice(period)
  const { palette } = stage
  const crosses = centres.map(([x, y]): Point => [x + period / 2, y + period / 2])
  return [
    rect(-512, -512, 1024, 1024, { fill: inkAt(palette, 1).fill.deep }),
    isSixfold ? '' : copiesAt(crossFlower(stage), crosses),
    ...[0, 1, 2, 3, 4, 5, 6].map((ring) => {
      const ringOf = ([x, y]: Point) => Math.round(Math.hypot(x, y) / period)
      const isInSight = ([x, y]: Point) => Math.max(Math.abs(x), Math.abs(y)) < 512 + period / 2
      const places = centres.filter((centre) => ringOf(centre) === ring && isInSight(centre))
      return copiesAt(screenStar(stage, { ring, points, period }), places)
    }),
    medallion(stage),
  ].join('')
}

interface ScreenStar {
  /** How many periods from the middle. */
  readonly ring: number
  readonly points: number
  readonly period: number
}

function screenStar({ palette, brief }: Stage, { ring, points, period }: ScreenStar): string {
  const ink = inkAt(palette, ring + 2)
  const outline = starOutline(points, period / 2 - 1)
  const { draw, isSided } = motifs[brief.motifs[1] ?? brief.motifs[0]]
  const scale = period * 0.0052
  const filling =
    ring % 2 === 0 || isSided
      ? around(
          path(petal(3, period * 0.24, period * 0.13, 'leaf'), {
            fill: ink.third.base,
            stroke: palette.line,
            width: 1.2,
          }),
          points,
        )
      : place(draw(inkAt(palette, ring)), { scale })
  return (
    path(outline, { fill: ring % 2 === 0 ? ink.fill.base : palette.ground, stroke: palette.line, width: 7 }) +
    path(outline, { stroke: palette.groundEdge, width: 2.2 }) +
    circle(0, 0, period * 0.3, {
      fill: ring % 2 === 0 ? ink.fill.deep : palette.groundTone,
      stroke: palette.line,
      width: 1.6,
    }) +
    filling
  )
}

/** The flower in the cross between four stars. */
function crossFlower({ palette }: Stage): string {
  const ink = inkAt(palette, 4)
  return (
    around(path(petal(6, 34, 15, 'lotus'), { fill: ink.fill.base, stroke: palette.line, width: 1.6 }), 4) +
    circle(0, 0, 7, { fill: ink.second.light, stroke: palette.line, width: 1.6 })
  )
}

function medallion(stage: Stage): string {
  const { brief, palette } = stage
  const count = brief.order % 6 === 0 ? 24 : 16
  const ink = inkAt(palette, 0)
  return [
    disc(262, palette.groundEdge, palette.line, 5),
    petalBand({ inner: 186, outer: 254, count }, 'lotus', ink),
    disc(190, palette.ground, palette.line, 4),
    beads(177, count * 3, 3, palette.line),
    hoop(165, palette.line, 1.6),
    disc(158, palette.groundTone),
    toothBand({ inner: 136, outer: 156, count: count * 2 }, inkAt(palette, 2)),
    disc(136, palette.ground, palette.line, 2.4),
    medal(brief.motifs[0], 118, ink),
  ].join('')
}

/** The star of two polygons, one turned against the other. */
function starOutline(points: number, radius: number): string {
  const half = 180 / points
  const inner = (radius * Math.cos((2 * half * Math.PI) / 180)) / Math.cos((half * Math.PI) / 180)
  return polygon(
    Array.from({ length: points * 2 }, (_, index) => polar(index % 2 === 0 ? radius : inner, index * half)),
  )
}

function squareLattice(period: number): readonly Point[] {
  const steps = Array.from({ length: 11 }, (_, index) => (index - 5) * period)
  return steps.flatMap((x) => steps.map((y): Point => [x, y]))
}

function triangularLattice(period: number): readonly Point[] {
  const height = (period * Math.sqrt(3)) / 2
  const rows = Array.from({ length: 11 }, (_, index) => index - 5)
  return rows.flatMap((row) => {
    const shift = row % 2 === 0 ? 0 : period / 2
    const columns = Array.from(
      { length: row % 2 === 0 ? 9 : 10 },
      (_, index) => index - (row % 2 === 0 ? 4 : 5),
    )
    return columns.map((column): Point => [column * period + shift, row * height])
  })
}

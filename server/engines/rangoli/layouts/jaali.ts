import { beads, circleOutline, disc, petalBand, triangleBand } from '../bands.ts'
import { outline } from '../frame.ts'
import { medallion } from '../medallions.ts'
import { motifs } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import type { Canvas, Scene } from '../scene.ts'
import { petal } from '../shapes.ts'
import { around, circle, copiesAt, path, place, polar, polygon } from '../svg.ts'
import type { Point } from '../svg.ts'

/** Jaali, a pierced stone screen: a lattice of stars from edge to edge under a medallion. */
export function jaali(scene: Scene): string {
  const isSixfold = scene.design.order % 6 === 0
  const points = isSixfold ? 6 : 8
  const period = isSixfold ? 148 : 128
  const { palette, canvas } = scene
  const centers = isSixfold ? triangularLattice(canvas, period) : squareLattice(canvas, period)
  const crosses = centers.map(([x, y]): Point => [x + period / 2, y + period / 2])
  return [
    outline(canvas, 0, { fill: motifColors(palette, 1).primary.deep }),
    isSixfold ? '' : copiesAt(crossFlower(scene), crosses),
    ...visibleRings(scene, centers, period).map((visible, ring) =>
      copiesAt(screenStar(scene, { ring, points, period }), visible),
    ),
    centerMedallion(scene),
  ].join('')
}

/** Returns the visible centers by their distance from the center of the image in periods. */
function visibleRings(
  { canvas }: Scene,
  centers: readonly Point[],
  period: number,
): readonly (readonly Point[])[] {
  const rings: Point[][] = [[], [], [], [], [], [], []]
  for (const center of centers) {
    const [x, y] = [Math.abs(center[0]), Math.abs(center[1])]
    const isVisible = x < canvas.halfWidth + period / 2 && y < canvas.halfHeight + period / 2
    if (isVisible) (rings[Math.round(Math.hypot(x, y) / period)] ??= []).push(center)
  }
  return rings
}

interface ScreenStar {
  /** Distance from the center in periods. */
  readonly ring: number
  readonly points: number
  readonly period: number
}

function screenStar({ palette, design }: Scene, { ring, points, period }: ScreenStar): string {
  const colors = motifColors(palette, ring + 2)
  const star = starOutline(points, period / 2 - 1)
  const { draw, isDirectional } = motifs[design.motifs[1] ?? design.motifs[0]]
  const scale = period * 0.0052
  const ornament =
    ring % 2 === 0 || isDirectional
      ? around(
          path(petal(3, period * 0.24, period * 0.13, 'leaf'), {
            fill: colors.tertiary.base,
            stroke: palette.stroke,
            width: 1.2,
          }),
          points,
        )
      : place(draw(motifColors(palette, ring)), { scale })
  return (
    path(star, {
      fill: ring % 2 === 0 ? colors.primary.base : palette.background,
      stroke: palette.stroke,
      width: 7,
    }) +
    path(star, { stroke: palette.backgroundEdge, width: 2.2 }) +
    circle(0, 0, period * 0.3, {
      fill: ring % 2 === 0 ? colors.primary.deep : palette.backgroundTone,
      stroke: palette.stroke,
      width: 1.6,
    }) +
    ornament
  )
}

/** Flower in the gap between four stars. */
function crossFlower({ palette }: Scene): string {
  const colors = motifColors(palette, 4)
  return (
    around(
      path(petal(6, 34, 15, 'lotus'), { fill: colors.primary.base, stroke: palette.stroke, width: 1.6 }),
      4,
    ) + circle(0, 0, 7, { fill: colors.secondary.light, stroke: palette.stroke, width: 1.6 })
  )
}

function centerMedallion(scene: Scene): string {
  const { design, palette } = scene
  const count = design.order % 6 === 0 ? 24 : 16
  const colors = motifColors(palette, 0)
  return [
    disc(262, palette.backgroundEdge, palette.stroke, 5),
    petalBand({ inner: 186, outer: 254, count }, 'lotus', colors),
    disc(190, palette.background, palette.stroke, 4),
    beads(177, count * 3, 3, palette.stroke),
    circleOutline(165, palette.stroke, 1.6),
    disc(158, palette.backgroundTone),
    triangleBand({ inner: 136, outer: 156, count: count * 2 }, motifColors(palette, 2)),
    disc(136, palette.background, palette.stroke, 2.4),
    medallion(design.motifs[0], 118, colors),
  ].join('')
}

/** Outline of a star of two polygons, one rotated against the other. */
function starOutline(points: number, radius: number): string {
  const half = 180 / points
  const inner = (radius * Math.cos((2 * half * Math.PI) / 180)) / Math.cos((half * Math.PI) / 180)
  return polygon(
    Array.from({ length: points * 2 }, (_, index) => polar(index % 2 === 0 ? radius : inner, index * half)),
  )
}

function squareLattice({ halfWidth, halfHeight }: Canvas, period: number): readonly Point[] {
  const columns = stepsTo(Math.ceil(halfWidth / period) + 1)
  const rows = stepsTo(Math.ceil(halfHeight / period) + 1)
  return columns.flatMap((column) => rows.map((row): Point => [column * period, row * period]))
}

function triangularLattice({ halfWidth, halfHeight }: Canvas, period: number): readonly Point[] {
  const height = (period * Math.sqrt(3)) / 2
  const columns = stepsTo(Math.ceil(halfWidth / period))
  const between = [...columns.map((column) => column - 0.5), columns.length / 2]
  return stepsTo(Math.ceil(halfHeight / height) + 1).flatMap((row) =>
    (row % 2 === 0 ? columns : between).map((column): Point => [column * period, row * height]),
  )
}

/** Integers from `-end` to `end`. */
function stepsTo(end: number): readonly number[] {
  return Array.from({ length: 2 * end + 1 }, (_, index) => index - end)
}

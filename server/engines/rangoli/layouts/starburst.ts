import { beads, braidBand, circleOutline, disc, pointsOnCircle, triangleBand } from '../shapes.ts'
import type { Swatch } from '../color.ts'
import { inCorners, stationMotif, stationsOn } from '../frame.ts'
import { medallion } from '../medallions.ts'
import { motifNamed } from '../figures/catalog.ts'
import { motifColors } from '../palette.ts'
import { type Canvas, longHalf, repeatCount, type Scene } from '../scene.ts'
import { around, dots, path, place, type Point, polar, polygon } from '../svg.ts'

/** Rays to the edges under faceted stars, with the subject large in the center. */
export function starburst(scene: Scene): string {
  const { design, palette, random } = scene
  const points = design.order >= 8 ? design.order : design.order * 2
  const inner = random.between(270, 300)
  const colors = motifColors(palette, 0)
  return [
    rays(scene, points * 2),
    sideStars(scene, points),
    around(facet(inner, 478, points, motifColors(palette, 2).primary, palette.stroke), points, 180 / points),
    around(facet(inner - 20, 436, points, colors.primary, palette.stroke), points),
    cornerMotifs(scene, points),
    disc(inner - 8, palette.backgroundEdge, palette.stroke, 3.5),
    braidBand(
      { inner: inner - 40, outer: inner - 12, count: repeatCount(points, inner, 46) },
      motifColors(palette, 1),
    ),
    disc(inner - 42, motifColors(palette, 3).primary.deep, palette.stroke, 2.5),
    triangleBand(
      { inner: inner - 104, outer: inner - 48, count: repeatCount(points, inner, 58) },
      motifColors(palette, 1),
    ),
    disc(inner - 106, palette.background, palette.stroke, 3.5),
    circleOutline(inner - 114, palette.stroke, 1.4),
    beads(inner - 124, repeatCount(points, inner - 124, 20), 3, colors.primary.light),
    medallion(design.motifs[0], inner - 140, colors),
  ].join('')
}

function rays({ palette, canvas }: Scene, count: number): string {
  const half = 90 / count
  const end = Math.max(760, Math.hypot(canvas.halfWidth, canvas.halfHeight) + 30)
  const ray = polygon([polar(100, -half), polar(end, -half), polar(end, half), polar(100, half)])
  return (
    around(path(ray, { fill: palette.backgroundTone, opacity: 0.6 }), count) +
    dots(
      [
        ...pointsOnCircle(498, count, half * 2),
        ...pointsOnCircle(540, count),
        ...pointsOnCircle(584, count, half * 2),
        ...outerDots(canvas, count),
      ],
      4,
      palette.stroke,
    )
  )
}

/** One point of a star with a light side, a dark side and a ridge. */
function facet(
  inner: number,
  outer: number,
  points: number,
  { light, base: fill, deep }: Swatch,
  stroke: string,
): string {
  const half = 180 / points
  const base = inner * 0.9
  return (
    path(polygon([polar(base, 0), polar(base, half), polar(outer, 0)]), { fill }) +
    path(polygon([polar(base, 0), polar(base, -half), polar(outer, 0)]), { fill: light }) +
    path(polygon([polar(base, half), polar(outer, 0), polar(base, -half)]), { stroke, width: 2.6 }) +
    path(`M0 ${-Math.round(base)}V${-Math.round(outer)}`, { stroke: deep, width: 1.8 })
  )
}

/** Circles of dots that continue those of a square image towards the ends of a longer one. */
function outerDots(canvas: Canvas, count: number): readonly Point[] {
  const circles = Math.max(0, Math.ceil((longHalf(canvas) - 584) / 44))
  return Array.from({ length: circles }, (_, index) => {
    const repeats = count * 2 ** Math.floor(Math.log2(1 + (index + 1) / 13))
    return pointsOnCircle(628 + index * 44, repeats, index % 2 === 0 ? 0 : 180 / repeats)
  }).flat()
}

/** Smaller stars on the longer axis, each with a motif. */
function sideStars(scene: Scene, points: number): string {
  const { palette, canvas } = scene
  return stationsOn(canvas, { from: 486, margin: 28, pitch: 330 })
    .map(({ x, y, space, index }) => {
      const radius = Math.min(space / 2, 180)
      const colors = motifColors(palette, index + 1)
      const count = Math.max(8, Math.min(points, 12))
      const star = [
        around(
          facet(radius * 0.62, radius, count, motifColors(palette, index + 2).primary, palette.stroke),
          count,
          180 / count,
        ),
        around(facet(radius * 0.58, radius * 0.9, count, colors.primary, palette.stroke), count),
        disc(radius * 0.58, palette.background, palette.stroke, 3),
        beads(radius * 0.51, 32, 2, colors.primary.light),
        medallion(stationMotif(scene, index), radius * 0.44, colors),
      ]
      return place(star.join(''), { x, y })
    })
    .join('')
}

/** Small secondary motifs between the points of the star and the corners. */
function cornerMotifs({ design, palette, canvas }: Scene, points: number): string {
  const { draw, isDirectional } = motifNamed(design.motifs[1] ?? design.motifs[0])
  if (isDirectional || points > 12) return ''
  const corner = place(draw(motifColors(palette, 1)), { scale: 0.92 })
  return inCorners(canvas, place(place(corner, { y: -590 }), { angle: 45 }))
}

import { beads, circleOutline, disc, petalBand, scallopBand } from './bands.ts'
import type { Band } from './bands.ts'
import type { MotifColors } from './color.ts'
import { medallion } from './medallions.ts'
import type { MotifName } from './motifs/catalog.ts'
import { motifColors } from './palette.ts'
import { cyclicAt } from './random.ts'
import { isSquare, longHalf } from './scene.ts'
import type { Canvas, Scene } from './scene.ts'
import { petal, vine } from './shapes.ts'
import type { Vine } from './shapes.ts'
import { copiesAt, mirrored, path, place } from './svg.ts'
import type { Point } from './svg.ts'

/** Position on the longer axis of a canvas, for one of a row of ornaments. */
export interface Station {
  readonly x: number
  readonly y: number
  /** Length that it can fill along the axis. */
  readonly space: number
  /** Number of stations between it and the center. */
  readonly index: number
  /** Whether it is above the center or to its left. */
  readonly isFirst: boolean
}

/** Space below which a station is left out. */
const MIN_SPACE = 56

/**
 * Divides both halves of the longer axis into stations of about `pitch`, or one that is shorter. A square canvas has none.
 *
 * @param range distance from the center at which they begin, and margin at the edge
 */
export function stationsOn(
  canvas: Canvas,
  { from, margin, pitch }: { readonly from: number; readonly margin: number; readonly pitch: number },
): readonly Station[] {
  const length = longHalf(canvas) - margin - from
  if (isSquare(canvas) || length < MIN_SPACE) return []
  const count = Math.max(1, Math.round(length / pitch))
  const space = length / count
  return Array.from({ length: count }, (_, index) => {
    const distance = from + (index + 0.5) * space
    return [true, false].map((isFirst): Station => {
      const position = isFirst ? -distance : distance
      const isWide = canvas.halfWidth > canvas.halfHeight
      return { x: isWide ? position : 0, y: isWide ? 0 : position, space, index, isFirst }
    })
  }).flat()
}

/** Returns the motif of a station: the second of the design next to the center, then the subject, and so on. */
export function stationMotif({ design }: Scene, index: number): MotifName {
  const [subject] = design.motifs
  return cyclicAt([design.motifs[1] ?? subject, subject, design.motifs[2] ?? subject], index)
}

/**
 * Panels on both sides of a round design on a canvas that is not square: medallions on the longer axis with tendrils to
 * both sides, over a field of small flowers.
 */
export function panels(scene: Scene): string {
  const { canvas, random } = scene
  if (isSquare(canvas)) return ''
  const style: PanelStyle = {
    band: random.pick([
      (band, colors) => petalBand(band, 'lotus', colors),
      (band, colors) => petalBand(band, 'round', colors),
      (band, colors) => scallopBand(band, colors),
    ]),
    curl: random.between(0.85, 1.15),
  }
  const isWide = canvas.halfWidth > canvas.halfHeight
  const stations = stationsOn(canvas, { from: 484, margin: 62, pitch: 330 })
  return [
    field(scene),
    ...stations.map((station) => {
      const angle = (isWide ? -90 : 0) + (station.isFirst ? 0 : 180)
      return place(tendrils(scene, station, style), { x: station.x, y: station.y, angle })
    }),
    sideFans(scene, stations[0]),
    ...stations.map((station) => place(roundel(scene, station, style), { x: station.x, y: station.y })),
  ].join('')
}

/** Half flowers on the longer sides, where a round design leaves most space. */
function sideFans({ canvas, palette }: Scene, station: Station | undefined): string {
  if (station === undefined || station.space < 180) return ''
  const radius = Math.min(118, 50 + station.space * 0.26)
  const colors = motifColors(palette, 2)
  const fan =
    petalBand({ inner: radius * 0.56, outer: radius, count: 20 }, 'lotus', colors) +
    disc(radius * 0.6, palette.background, palette.stroke, 2.4) +
    beads(radius * 0.52, 24, 2.4, palette.stroke) +
    disc(radius * 0.43, colors.secondary.base, palette.stroke, 2.4) +
    disc(radius * 0.26, colors.tertiary.base, palette.stroke, 2)
  const along = 452 + station.space * 0.05
  const points = [-1, 1].flatMap((side) =>
    [-along, along].map((position): Point =>
      canvas.halfWidth > canvas.halfHeight ? [position, side * 512] : [side * 512, position],
    ),
  )
  return copiesAt(fan, points)
}

interface PanelStyle {
  readonly band: (band: Band, colors: MotifColors) => string
  /** Factor of the curvature of tendrils. */
  readonly curl: number
}

/** Small flowers on a lattice, in a shade of the background. */
function field({ canvas, palette }: Scene): string {
  const pitch = 74
  const stepsTo = (half: number) => {
    const end = Math.floor((half - 70) / pitch)
    return Array.from({ length: 2 * end + 1 }, (_, index) => index - end)
  }
  const isWide = canvas.halfWidth > canvas.halfHeight
  const points = stepsTo(canvas.halfWidth).flatMap((column) =>
    stepsTo(canvas.halfHeight)
      .filter((row) => (column + row) % 2 === 0 && Math.abs(isWide ? column : row) * pitch > 250)
      .map((row): Point => [column * pitch, row * pitch]),
  )
  const flower = [0, 72, 144, 216, 288]
    .map((angle) => place(path(petal(4, 19, 14, 'round'), { fill: palette.backgroundTone }), { angle }))
    .join('')
  return copiesAt(flower, points)
}

function roundel(scene: Scene, { space, index }: Station, { band }: PanelStyle): string {
  const { palette } = scene
  const outer = roundelRadius(space)
  const core = outer * 0.66
  const count = outer > 80 ? 16 : 12
  return [
    band({ inner: core * 0.96, outer, count }, motifColors(palette, index + 1)),
    disc(core, palette.background, palette.stroke, 2.5),
    outer > 80 ? beads(core * 0.9, count * 2, 2.2, palette.stroke) : '',
    circleOutline(core * 0.82, palette.stroke, 1.3),
    medallion(stationMotif(scene, index), core * 0.76, motifColors(palette, index)),
  ].join('')
}

function roundelRadius(space: number): number {
  return Math.min(space / 2 - 6, 132)
}

/** Two tendrils that part on each side of a roundel, drawn for one above the center. */
function tendrils({ palette }: Scene, { space }: Station, { curl }: PanelStyle): string {
  const radius = roundelRadius(space)
  const size = Math.min(1, Math.max(0.5, space / 260))
  const scroll: Vine = {
    from: [0, 0],
    heading: 84,
    length: 430 * size,
    curvature: [-0.04, (1.5 * curl) / size],
    leafSize: 60 * size,
    width: 5,
  }
  const branch: Vine = {
    from: [0, 0],
    heading: 70,
    length: 300 * size,
    curvature: [-0.03, (-2.5 * curl) / size],
    leafSize: 48 * size,
    width: 4.2,
  }
  const spray = place(vine(branch, motifColors(palette, 2)) + vine(scroll, motifColors(palette, 1)), {
    x: radius + 4,
  })
  const finial = path(petal(radius + 4, radius + 4 + Math.min(40, space * 0.16), 18 * size, 'lotus'), {
    fill: palette.flame.base,
    stroke: palette.stroke,
    width: 1.8,
  })
  const finials = space / 2 - radius > 30 ? finial + place(finial, { angle: 180 }) : ''
  return mirrored(spray) + finials
}

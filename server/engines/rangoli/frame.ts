import {
  type Band,
  beads,
  circleOutline,
  disc,
  petal,
  petalBand,
  scallopBand,
  vine,
  type Vine,
} from './shapes.ts'
import { medallion } from './medallions.ts'
import { type MotifName, motifNamed } from './figures/catalog.ts'
import { motifColors } from './palette.ts'
import { type Canvas, isSquare, longHalf, repeatCount, type Scene, stepsTo } from './scene.ts'
import {
  around,
  circle,
  copiesAt,
  dots,
  mirrored,
  num,
  parsePoints,
  path,
  place,
  type Point,
  polar,
  polygon,
  rect,
  type Style,
} from './svg.ts'
import type { MotifColors } from './color.ts'
import { cyclicAt } from './random.ts'

/** Frame of an image: a random border and, with `hasCorners`, an ornament in each corner. */
export function frame(scene: Scene, hasCorners: boolean): string {
  const { random } = scene
  const border = random.pick([linedBorder, beadedBorder, petalBorder, triangleBorder])
  const corner = random.pick([cornerMedallion, cornerFan, cornerTendrils, cornerLotus])
  return border(scene) + (hasCorners ? inCorners(scene.canvas, place(corner(scene), { angle: 45 })) : '')
}

/** Draws the content, which is in the upper right corner of a square image, in all four corners. */
export function inCorners(canvas: Canvas, content: string): string {
  if (isSquare(canvas)) return around(content, 4)
  return [45, 135, 225, 315]
    .map((angle) => {
      const [right, down] = polar(1, angle).map(Math.sign)
      return place(place(content, { angle: angle - 45 }), {
        x: (right ?? 1) * (canvas.halfWidth - 512),
        y: (down ?? 1) * (canvas.halfHeight - 512),
      })
    })
    .join('')
}

/** Outline of the canvas at a distance from its edges. */
export function outline({ halfWidth, halfHeight }: Canvas, inset: number, style: Style): string {
  const [x, y] = [inset - halfWidth, inset - halfHeight]
  return rect(x, y, -2 * x, -2 * y, style)
}

/**
 * Draws a row of items along each side of the canvas.
 *
 * @param row draws the upper side of a square image, for the given half of the side
 */
export function alongSides({ halfWidth, halfHeight }: Canvas, row: (half: number) => string): string {
  if (halfWidth === halfHeight) return around(row(halfWidth), 4)
  return (
    around(place(row(halfWidth), { y: 512 - halfHeight }), 2) +
    around(place(row(halfHeight), { y: 512 - halfWidth }), 2, 90)
  )
}

/** Returns the centers of a row of items, with the number and pitch that come closest to `pitch` within `length`. */
export function rowOf(
  length: number,
  pitch: number,
): { readonly xs: readonly number[]; readonly pitch: number } {
  const half = Math.max(1, Math.round((length / pitch - 1) / 2))
  const fitted = length / (2 * half + 1)
  return { xs: stepsTo(half).map((step) => step * fitted), pitch: fitted }
}

function linedBorder({ palette, canvas }: Scene): string {
  return (
    outline(canvas, 24, { stroke: palette.stroke, width: 3 }) +
    outline(canvas, 36, { stroke: palette.stroke, width: 1.4 })
  )
}

function beadedBorder({ palette, canvas }: Scene): string {
  const row = (half: number) => {
    const count = Math.round((2 * half - 64) / 24)
    const pitch = (2 * half - 64) / count
    return dots(
      Array.from({ length: count }, (_, index): Point => [32 - half + index * pitch, -480]),
      4,
      palette.stroke,
    )
  }
  return (
    outline(canvas, 15, { stroke: palette.stroke, width: 2 }) +
    outline(canvas, 48, { stroke: palette.stroke, width: 2 }) +
    alongSides(canvas, row)
  )
}

function petalBorder({ palette, canvas }: Scene): string {
  const colors = motifColors(palette, 1)
  const row = (side: number) => {
    const { xs, pitch } = rowOf(2 * side - 96, 32)
    const half = pitch / 2
    const scallop = (x: number) =>
      path(`M${num(x - half)} -484C${num(x - half)} -456 ${num(x + half)} -456 ${num(x + half)} -484Z`, {
        fill: colors.primary.base,
        stroke: palette.stroke,
        width: 1.8,
      })
    return xs.map(scallop).join('')
  }
  return (
    outline(canvas, 0, { fill: colors.primary.deep }) +
    outline(canvas, 28, { fill: palette.background, stroke: palette.stroke, width: 2.4 }) +
    alongSides(canvas, row)
  )
}

function triangleBorder({ palette, canvas }: Scene): string {
  const colors = motifColors(palette, 0)
  const row = (side: number) => {
    const { xs, pitch } = rowOf(2 * side - 32, 32)
    const triangle = (x: number) =>
      path(
        polygon([
          [x - pitch / 2, -496],
          [x + pitch / 2, -496],
          [x, -468],
        ]),
        { fill: colors.primary.base },
      )
    return xs.map(triangle).join('')
  }
  return (
    outline(canvas, 8, { stroke: colors.primary.base, width: 16 }) +
    alongSides(canvas, row) +
    outline(canvas, 52, { stroke: palette.stroke, width: 2 })
  )
}

// Corner ornaments are drawn above the center; `frame` rotates them into the corners.

/** Two tendrils that start in the corner and curl away from each other. */
function cornerTendrils({ palette }: Scene): string {
  const colors = motifColors(palette, 1)
  const tendril: Vine = {
    from: [0, -612],
    heading: 104,
    length: 250,
    curvature: [0.1, 4.4],
    leafSize: 34,
    width: 3.6,
  }
  const bud = path(petal(500, 606, 54, 'lotus'), {
    fill: colors.primary.base,
    stroke: palette.stroke,
    width: 2.4,
  })
  const core = path(petal(530, 592, 24, 'lotus'), { fill: colors.primary.light })
  const spray =
    mirrored(vine(tendril, colors)) + bud + core + dots(parsePoints('0,-486 0,-626'), 5, palette.stroke)
  return place(spray, { y: -84, scale: 0.85 })
}

/** Lotus that opens towards the center. */
function cornerLotus({ palette }: Scene): string {
  const lotus = place(motifNamed('lotus').draw(motifColors(palette, 1)), { y: -548, angle: 180, scale: 1.25 })
  return (
    lotus +
    mirrored(dots(parsePoints('84,-530 106,-516 126,-500'), 4.5, palette.stroke)) +
    dots([[0, -622]], 8, palette.stroke)
  )
}

/** Small round flower with a motif. */
function cornerMedallion({ design, palette }: Scene): string {
  const colors = motifColors(palette, 1)
  const flower =
    petalBand({ inner: 34, outer: 66, count: 12 }, 'round', colors) +
    circle(0, 0, 38, { fill: palette.background, stroke: palette.stroke, width: 2 }) +
    medallion(design.motifs[2] ?? design.motifs[0], 29, motifColors(palette, 0))
  return place(flower, { y: -560 }) + dots(parsePoints('0,-480 -84,-540 84,-540'), 5, palette.stroke)
}

/** Quarter of a mandala around the corner. */
function cornerFan({ palette }: Scene): string {
  const colors = motifColors(palette, 2)
  const corner = { inner: 96, outer: 168, count: 24 }
  const fan =
    petalBand(corner, 'lotus', colors) +
    circle(0, 0, 104, { fill: palette.background, stroke: palette.stroke, width: 2.4 }) +
    beads(90, repeatCount(4, 90, 18), 3, palette.stroke) +
    circle(0, 0, 74, { fill: colors.secondary.base, stroke: palette.stroke, width: 2.4 }) +
    circle(0, 0, 46, { fill: colors.tertiary.base, stroke: palette.stroke, width: 2 })
  return place(fan, { y: -724.1, angle: 45 })
}

/** Position on the longer axis of a canvas, for one of a row of ornaments. */
export interface Station {
  readonly x: number
  readonly y: number
  /** Length that it can fill along the axis. */
  readonly space: number
  /** Number of stations between it and the center. */
  readonly index: number
  /** True if it is above the center or to its left. */
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
  const stepsWithin = (half: number) => stepsTo(Math.floor((half - 70) / pitch))
  const isWide = canvas.halfWidth > canvas.halfHeight
  const points = stepsWithin(canvas.halfWidth).flatMap((column) =>
    stepsWithin(canvas.halfHeight)
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

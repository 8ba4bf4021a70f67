import { beads, circleOutline, disc, petal, petalBand, triangleBand, starPoints } from '../shapes.ts'
import { alongSides, outline, rowOf } from '../frame.ts'
import { medallion } from '../medallions.ts'
import { isOrnament, motifNamed } from '../figures/catalog.ts'
import { motifColors } from '../palette.ts'
import { stepsTo, type Canvas, type Scene } from '../scene.ts'
import { around, circle, copiesAt, dots, path, place, type Point, polar, polygon } from '../svg.ts'

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
    screenMedallion(scene),
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
  const { draw, isDirectional } = motifNamed(design.motifs[1] ?? design.motifs[0])
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

function screenMedallion(scene: Scene): string {
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
  return polygon(starPoints(points, radius, inner))
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

/**
 * Girih, the strapwork of Islamic architecture, drawn with polygons in contact: two straps leave the middle of each edge of
 * a tiling at the same angle, and those of neighboring edges meet in the points of a star.
 *
 * @see https://www.cgl.uwaterloo.ca/csk/papers/kaplan_bridges2005.pdf
 */
export function girih(scene: Scene): string {
  const { design, random, palette, canvas } = scene
  const isTwelvefold = design.order % 6 === 0
  const period = isTwelvefold ? random.pick([256, 292]) : random.pick([186, 226])
  const contact = isTwelvefold ? random.pick([64, 70]) : random.pick([58, 64, 68])
  const tiling = isTwelvefold ? twelvefoldTiling(scene, period) : eightfoldTiling(scene, period)
  return [
    outline(canvas, 0, { fill: palette.backgroundEdge }),
    ...tiling.gaps.map(({ tile, points }) => copiesAt(gapStar(scene, tile, contact), points)),
    ...tiling.rings.map((points, ring) => copiesAt(bigStar(scene, { ...tiling.big, ring, contact }), points)),
    isOrnament(design.motifs[0]) ? '' : centerMedallion(scene, period),
    border(scene),
  ].join('')
}

/** Regular polygon of a tiling. */
interface Tile {
  readonly sides: number
  /** Distance of an edge from the center. */
  readonly apothem: number
  /** Direction of the middle of one edge in degrees. */
  readonly angle: number
}

interface Tiling {
  readonly big: Tile
  /** Centers of the big tiles by their distance from the center of the image. */
  readonly rings: readonly (readonly Point[])[]
  /** Small tiles between the big ones. */
  readonly gaps: readonly { readonly tile: Tile; readonly points: readonly Point[] }[]
}

/** Octagons with squares between them. */
function eightfoldTiling(scene: Scene, period: number): Tiling {
  const centers = lattice(scene, period, period, 0)
  const edge = period / (1 + Math.SQRT2)
  return {
    big: { sides: 8, apothem: period / 2, angle: 0 },
    rings: byRing(centers, period),
    gaps: [
      {
        tile: { sides: 4, apothem: edge / 2, angle: 45 },
        points: centers.map(([x, y]): Point => [x + period / 2, y + period / 2]),
      },
    ],
  }
}

/** Dodecagons with triangles between them. */
function twelvefoldTiling(scene: Scene, period: number): Tiling {
  const height = (period * Math.sqrt(3)) / 2
  const centers = lattice(scene, period, height, period / 2)
  const apothem = period / (2 + Math.sqrt(3)) / (2 * Math.sqrt(3))
  const below = (share: number) => centers.map(([x, y]): Point => [x + period / 2, y + height * share])
  return {
    big: { sides: 12, apothem: period / 2, angle: 0 },
    rings: byRing(centers, period),
    gaps: [
      { tile: { sides: 3, apothem, angle: 180 }, points: below(1 / 3) },
      { tile: { sides: 3, apothem, angle: 0 }, points: below(-1 / 3) },
    ],
  }
}

/** Points that cover the canvas, every other row moved by `shift`, one of them in the center. */
function lattice({ canvas }: Scene, width: number, height: number, shift: number): readonly Point[] {
  const columns = stepsTo(Math.ceil(canvas.halfWidth / width) + 1)
  return stepsTo(Math.ceil(canvas.halfHeight / height) + 1).flatMap((row) =>
    columns.map((column): Point => [column * width + (row % 2 === 0 ? 0 : shift), row * height]),
  )
}

function byRing(points: readonly Point[], period: number): readonly (readonly Point[])[] {
  const rings: Point[][] = []
  for (const point of points) (rings[Math.round(Math.hypot(...point) / period)] ??= []).push(point)
  return Array.from(rings, (ring) => ring ?? [])
}

/** Points of the star that the straps of a tile form, which meet its edges at the angle of contact. */
function strapPoints({ sides, apothem }: Tile, contact: number): readonly Point[] {
  const half = 180 / sides
  const radians = (half * Math.PI) / 180
  const inner = apothem / (Math.cos(radians) + Math.sin(radians) * Math.tan((contact * Math.PI) / 180))
  return starPoints(sides, apothem, inner)
}

/** Wide strap with a light line along its middle. */
function strap(d: string, { palette }: Scene, width: number): string {
  return (
    path(d, { stroke: palette.stroke, width }) +
    path(d, { stroke: palette.backgroundEdge, width: width * 0.66 }) +
    path(d, { stroke: palette.flame.base, width: width * 0.24 })
  )
}

function bigStar(scene: Scene, star: Tile & { readonly ring: number; readonly contact: number }): string {
  const { palette } = scene
  const { sides, apothem, ring, contact } = star
  const colors = motifColors(palette, ring)
  const points = strapPoints(star, contact)
  const notch = Math.hypot(...(points[1] ?? [0, 0]))
  const core = notch * 0.8
  const ornament =
    around(
      path(
        petal(core * 0.3, core * 0.96, core * (sides > 8 ? 0.32 : 0.44), ring % 2 === 0 ? 'lotus' : 'leaf'),
        { fill: colors.tertiary.base, stroke: palette.stroke, width: 1.5 },
      ),
      sides,
      180 / sides,
    ) +
    circle(0, 0, core * 0.3, { fill: colors.primary.light, stroke: palette.stroke, width: 1.8 }) +
    circle(0, 0, core * 0.13, { fill: colors.secondary.deep })
  const facets = around(
    path(polygon([polar(notch, -180 / sides), polar(apothem, 0), polar(notch, 180 / sides), [0, 0]]), {
      fill: colors.primary.base,
    }) +
      path(polygon([polar(notch, -180 / sides), polar(apothem, 0), [0, 0]]), { fill: colors.primary.light }),
    sides,
  )
  return (
    facets +
    circle(0, 0, core, { fill: colors.primary.deep, stroke: palette.stroke, width: 2 }) +
    ornament +
    strap(polygon(points), scene, apothem * 0.085)
  )
}

/** Star between the big ones. */
function gapStar(scene: Scene, tile: Tile, contact: number): string {
  const { palette } = scene
  const colors = motifColors(palette, 3)
  const d = polygon(strapPoints(tile, tile.sides === 3 ? Math.min(contact, 62) : contact))
  const star =
    path(d, { fill: colors.primary.base }) +
    circle(0, 0, tile.apothem * 0.24, { fill: colors.secondary.light, stroke: palette.stroke, width: 1.4 }) +
    strap(d, scene, 8)
  return place(star, { angle: tile.angle })
}

/** Medallion with the subject over the star in the center. */
function centerMedallion({ design, palette }: Scene, period: number): string {
  const radius = period * (design.order % 6 === 0 ? 0.72 : 0.94)
  const colors = motifColors(palette, 0)
  return [
    disc(radius * 1.06, palette.backgroundEdge, palette.stroke, 4),
    petalBand({ inner: radius * 0.72, outer: radius, count: 24 }, 'lotus', motifColors(palette, 1)),
    disc(radius * 0.74, palette.background, palette.stroke, 3.5),
    beads(radius * 0.68, 48, 2.6, palette.stroke),
    circleOutline(radius * 0.62, palette.stroke, 1.6),
    medallion(design.motifs[0], radius * 0.54, colors),
  ].join('')
}

function border({ palette, canvas }: Scene): string {
  const colors = motifColors(palette, 1)
  const row = (half: number) =>
    dots(
      rowOf(2 * half - 96, 32).xs.map((x): Point => [x, -490]),
      5,
      colors.primary.light,
    )
  return (
    outline(canvas, 16, { stroke: colors.primary.deep, width: 56 }) +
    outline(canvas, 8, { stroke: palette.stroke, width: 2 }) +
    outline(canvas, 44, { stroke: palette.stroke, width: 4 }) +
    alongSides(canvas, row)
  )
}

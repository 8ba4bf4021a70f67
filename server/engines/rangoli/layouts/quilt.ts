import type { MotifColors } from '../color.ts'
import { alongSides, outline, rowOf } from '../frame.ts'
import { medallion } from '../medallions.ts'
import { type MotifName, motifNamed } from '../figures/catalog.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import { type Canvas, isSquare, type Scene, type Size, stepsTo } from '../scene.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, path, place, type Point, polygon, rect } from '../svg.ts'

/** Block-printed cloth: square tiles, the same in all four quarters, within a border of triangles. */
export function quilt(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const { columns, rows, width, height } = chooseGrid(canvas, random.pick([2, 2, 3]))
  const side = Math.min(width, height)
  const patterns = new Map<string, number>()
  const patternAt = (x: number, y: number): number => {
    const [a, b] = [Math.abs(x), Math.abs(y)]
    const key = isSquare(canvas) ? `${Math.max(a, b)} ${Math.min(a, b)}` : `${a} ${b}`
    const index = patterns.get(key) ?? random.integer(0, 2)
    patterns.set(key, index)
    return index
  }
  const tiles = columns.flatMap((x) =>
    rows.map((y) => {
      const ring = Math.max(Math.abs(x), Math.abs(y))
      const isMotif = (x + y) % 2 === 0
      const colors = motifColors(palette, ring + (isMotif ? 0 : 2))
      const motif = cyclicAt(design.motifs, Math.min(ring, 2))
      const content = isMotif
        ? motifTile(motif, { side, x, colors })
        : cyclicAt([windmill, flowerTile, diamondTile], patternAt(x, y))(side, colors)
      const fill = isMotif
        ? ring % 2 === 0
          ? palette.background
          : palette.backgroundTone
        : colors.secondary.deep
      return place(tile({ width, height }, fill, palette.stroke) + content, { x: x * width, y: y * height })
    }),
  )
  return [clothBorder(scene), ...tiles].join('')
}

/** Columns and rows of tiles, counted from the center, and the size of a tile, which is almost square. */
interface Grid {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly width: number
  readonly height: number
}

/** Chooses the grid for a canvas: the tiles reach `reach` steps from the center, or as far as makes them squarest. */
function chooseGrid(canvas: Canvas, reach: number): Grid {
  const grids = [reach, 5 - reach].map((shortReach) => {
    const tileSide = 912 / (2 * shortReach + 1)
    const reachOf = (half: number) => Math.round(((2 * half - 112) / tileSide - 1) / 2)
    const [across, down] = [reachOf(canvas.halfWidth), reachOf(canvas.halfHeight)]
    return {
      columns: stepsTo(across),
      rows: stepsTo(down),
      width: (2 * canvas.halfWidth - 112) / (2 * across + 1),
      height: (2 * canvas.halfHeight - 112) / (2 * down + 1),
    }
  })
  const distortion = ({ width, height }: Grid) => Math.max(width / height, height / width)
  return grids.reduce((a, b) => (distortion(b) < distortion(a) ? b : a))
}

/** Motif that fills its tile; directional ones face the center. */
function motifTile(
  motif: MotifName,
  { side, x, colors }: { side: number; x: number; colors: MotifColors },
): string {
  const { draw, isDirectional } = motifNamed(motif)
  if (isDirectional && x === 0) return medallion(motif, side * 0.46, colors)
  return place(draw(colors), { scale: (side * 0.8) / 100, flip: x > 0 })
}

function tile({ width, height }: Size, fill: string, stroke: string): string {
  return (
    rect(-width / 2, -height / 2, width, height, { fill, stroke, width: 3 }) +
    rect(-width / 2 + 7, -height / 2 + 7, width - 14, height - 14, { stroke, width: 1.3 })
  )
}

function windmill(side: number, colors: MotifColors): string {
  const half = side / 2 - 12
  const blade: readonly Point[] = [
    [0, 0],
    [-half, -half],
    [half, -half],
  ]
  const small: readonly Point[] = [
    [0, -half * 0.28],
    [-half * 0.46, -half * 0.86],
    [half * 0.46, -half * 0.86],
  ]
  return (
    around(path(polygon(blade), { fill: colors.primary.base, stroke: colors.stroke, width: 2 }), 2) +
    around(path(polygon(small), { fill: colors.tertiary.light }), 4) +
    circle(0, 0, side * 0.09, { fill: colors.tertiary.base, stroke: colors.stroke, width: 2 })
  )
}

function flowerTile(side: number, colors: MotifColors): string {
  return (
    around(
      path(petal(side * 0.06, side * 0.56, side * 0.22, 'leaf'), {
        fill: colors.leaf.base,
        stroke: colors.stroke,
        width: 1.8,
      }),
      4,
      45,
    ) +
    around(
      path(petal(side * 0.05, side * 0.42, side * 0.25, 'lotus'), {
        fill: colors.primary.base,
        stroke: colors.stroke,
        width: 2,
      }),
      4,
    ) +
    circle(0, 0, side * 0.08, { fill: colors.tertiary.light, stroke: colors.stroke, width: 2 })
  )
}

function diamondTile(side: number, colors: MotifColors): string {
  const diamond = (reach: number, fill: string) =>
    path(
      polygon([
        [0, -reach],
        [reach, 0],
        [0, reach],
        [-reach, 0],
      ]),
      { fill, stroke: colors.stroke, width: 2 },
    )
  const corner = side * 0.36
  return (
    diamond(side * 0.42, colors.primary.base) +
    diamond(side * 0.28, colors.tertiary.light) +
    diamond(side * 0.14, colors.primary.deep) +
    dots(
      [
        [corner, corner],
        [-corner, corner],
        [corner, -corner],
        [-corner, -corner],
      ],
      side * 0.035,
      colors.stroke,
    )
  )
}

function clothBorder({ palette, canvas }: Scene): string {
  const colors = motifColors(palette, 1)
  const row = (side: number) => {
    const { xs, pitch } = rowOf(2 * side - 34, 30)
    const triangle = (x: number) =>
      path(
        polygon([
          [x - pitch / 2, -508],
          [x + pitch / 2, -508],
          [x, -466],
        ]),
        { fill: colors.primary.base },
      )
    return xs.map(triangle).join('')
  }
  return (
    outline(canvas, 0, { fill: palette.backgroundEdge }) +
    alongSides(canvas, row) +
    outline(canvas, 52, { fill: palette.background, stroke: palette.stroke, width: 4 })
  )
}

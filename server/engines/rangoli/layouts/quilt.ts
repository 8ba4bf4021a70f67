import type { MotifColors } from '../color.ts'
import { medallion } from '../medallions.ts'
import { motifs } from '../motifs/catalog.ts'
import type { MotifName } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import type { Scene } from '../scene.ts'
import { petal } from '../shapes.ts'
import { around, circle, dots, path, place, polygon, rect } from '../svg.ts'
import type { Point } from '../svg.ts'

/** Block-printed cloth: square tiles, the same in all four quarters, within a border of triangles. */
export function quilt(scene: Scene): string {
  const { design, palette, random } = scene
  const reach = random.pick([2, 2, 3])
  const side = 912 / (2 * reach + 1)
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const patterns = new Map<string, number>()
  const patternAt = (x: number, y: number): number => {
    const [a, b] = [Math.abs(x), Math.abs(y)]
    const key = `${Math.max(a, b)} ${Math.min(a, b)}`
    const index = patterns.get(key) ?? random.integer(0, 2)
    patterns.set(key, index)
    return index
  }
  const tiles = steps.flatMap((x) =>
    steps.map((y) => {
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
      return place(tile(side, fill, palette.stroke) + content, { x: x * side, y: y * side })
    }),
  )
  return [clothBorder(scene), ...tiles].join('')
}

/** Motif that fills its tile; directional ones face the center. */
function motifTile(
  motif: MotifName,
  { side, x, colors }: { side: number; x: number; colors: MotifColors },
): string {
  const { draw, isDirectional } = motifs[motif]
  if (isDirectional && x === 0) return medallion(motif, side * 0.46, colors)
  return place(draw(colors), { scale: (side * 0.8) / 100, flip: x > 0 })
}

function tile(side: number, fill: string, stroke: string): string {
  const half = side / 2
  return (
    rect(-half, -half, side, side, { fill, stroke, width: 3 }) +
    rect(-half + 7, -half + 7, side - 14, side - 14, { stroke, width: 1.3 })
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

function clothBorder({ palette }: Scene): string {
  const colors = motifColors(palette, 1)
  const triangles = Array.from({ length: 33 }, (_, index) => {
    const x = (index - 16) * 30
    return path(
      polygon([
        [x - 15, -508],
        [x + 15, -508],
        [x, -466],
      ]),
      { fill: colors.primary.base },
    )
  })
  return (
    rect(-512, -512, 1024, 1024, { fill: palette.backgroundEdge }) +
    around(triangles.join(''), 4) +
    rect(-460, -460, 920, 920, { fill: palette.background, stroke: palette.stroke, width: 4 })
  )
}

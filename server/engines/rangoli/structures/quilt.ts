import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { MotifName } from '../names.ts'
import { at } from '../random.ts'
import { petal } from '../petal.ts'
import { inkAt } from '../stage.ts'
import type { Ink, Stage } from '../stage.ts'
import { around, circle, dots, path, place, polygon, rect } from '../svg.ts'
import type { Point } from '../svg.ts'

/** A block-printed cloth: square tiles, the same in all four quarters, within a border of teeth. */
export function quilt(stage: Stage): string {
  const { brief, palette, random } = stage
  const reach = random.pick([2, 2, 3])
  const side = 912 / (2 * reach + 1)
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const designs = new Map<string, number>()
  const designAt = (x: number, y: number): number => {
    const [a, b] = [Math.abs(x), Math.abs(y)]
    const key = `${Math.max(a, b)} ${Math.min(a, b)}`
    const known = designs.get(key) ?? random.whole(0, 2)
    designs.set(key, known)
    return known
  }
  const tiles = steps.flatMap((x) =>
    steps.map((y) => {
      const ring = Math.max(Math.abs(x), Math.abs(y))
      const isMotif = (x + y) % 2 === 0
      const ink = inkAt(palette, ring + (isMotif ? 0 : 2))
      const motif = at(brief.motifs, Math.min(ring, 2))
      const content = isMotif
        ? figure(motif, { side, x, ink })
        : at([windmill, flowerTile, diamondTile], designAt(x, y))(side, ink)
      const flat = isMotif ? (ring % 2 === 0 ? palette.ground : palette.groundTone) : ink.second.deep
      return place(tile(side, flat, palette.line) + content, { x: x * side, y: y * side })
    }),
  )
  return [clothBorder(stage), ...tiles].join('')
}

/** A motif that fills its tile; those that look to a side look to the middle. */
function figure(motif: MotifName, { side, x, ink }: { side: number; x: number; ink: Ink }): string {
  const { draw, isSided } = motifs[motif]
  if (isSided && x === 0) return medal(motif, side * 0.46, ink)
  return place(draw(ink), { scale: (side * 0.8) / 100, flip: x > 0 })
}

function tile(side: number, fill: string, line: string): string {
  const half = side / 2
  return (
    rect(-half, -half, side, side, { fill, stroke: line, width: 3 }) +
    rect(-half + 7, -half + 7, side - 14, side - 14, { stroke: line, width: 1.3 })
  )
}

function windmill(side: number, ink: Ink): string {
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
    around(path(polygon(blade), { fill: ink.fill.base, stroke: ink.line, width: 2 }), 2) +
    around(path(polygon(small), { fill: ink.third.light }), 4) +
    circle(0, 0, side * 0.09, { fill: ink.third.base, stroke: ink.line, width: 2 })
  )
}

function flowerTile(side: number, ink: Ink): string {
  return (
    around(
      path(petal(side * 0.06, side * 0.56, side * 0.22, 'leaf'), {
        fill: ink.leaf.base,
        stroke: ink.line,
        width: 1.8,
      }),
      4,
      45,
    ) +
    around(
      path(petal(side * 0.05, side * 0.42, side * 0.25, 'lotus'), {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 2,
      }),
      4,
    ) +
    circle(0, 0, side * 0.08, { fill: ink.third.light, stroke: ink.line, width: 2 })
  )
}

function diamondTile(side: number, ink: Ink): string {
  const diamond = (reach: number, fill: string) =>
    path(
      polygon([
        [0, -reach],
        [reach, 0],
        [0, reach],
        [-reach, 0],
      ]),
      { fill, stroke: ink.line, width: 2 },
    )
  const corner = side * 0.36
  return (
    diamond(side * 0.42, ink.fill.base) +
    diamond(side * 0.28, ink.third.light) +
    diamond(side * 0.14, ink.fill.deep) +
    dots(
      [
        [corner, corner],
        [-corner, corner],
        [corner, -corner],
        [-corner, -corner],
      ],
      side * 0.035,
      ink.line,
    )
  )
}

function clothBorder({ palette }: Stage): string {
  const ink = inkAt(palette, 1)
  const teeth = Array.from({ length: 33 }, (_, index) => {
    const x = (index - 16) * 30
    return path(
      polygon([
        [x - 15, -508],
        [x + 15, -508],
        [x, -466],
      ]),
      { fill: ink.fill.base },
    )
  })
  return (
    rect(-512, -512, 1024, 1024, { fill: palette.groundEdge }) +
    around(teeth.join(''), 4) +
    rect(-460, -460, 920, 920, { fill: palette.ground, stroke: palette.line, width: 4 })
  )
}

import type { MotifColors } from '../color.ts'
import { alongSides, outline } from '../frame.ts'
import { motifNamed } from '../figures/catalog.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt, type NonEmpty } from '../random.ts'
import { isSquare, type Scene, stepsTo } from '../scene.ts'
import { petal, starPoints } from '../shapes.ts'
import { around, circle, dots, inked, num, path, place, polygon, rect } from '../svg.ts'

/** Block-printed cloth: square tiles, the same in all four quarters, within a border of triangles. */
export function quilt(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const whole = 912 / 5
  const [reachX, reachY] = [canvas.halfWidth, canvas.halfHeight].map((half) =>
    Math.round(((2 * half - 112) / whole - 1) / 2),
  ) as [number, number]
  const [width, height] = [
    (2 * canvas.halfWidth - 112) / (2 * reachX + 1),
    (2 * canvas.halfHeight - 112) / (2 * reachY + 1),
  ]
  const side = Math.min(width, height)
  const patterns = new Map<string, number>()
  const odd = random.integer(0, 9)
  const tiles = stepsTo(reachX).flatMap((x) =>
    stepsTo(reachY).map((y) => {
      const ring = Math.max(Math.abs(x), Math.abs(y))
      const isMotif = (x + y) % 2 === 0
      const colors = motifColors(palette, isMotif ? ring % 2 : ring + 2)
      const key = [Math.abs(x), Math.abs(y)].toSorted((a, b) => (isSquare(canvas) ? a - b : 0)).join()
      const pattern = patterns.get(key) ?? random.integer(0, 2)
      patterns.set(key, pattern)
      // One of the figures walks the other way.
      const flip = x > 0 !== (odd === 3 && x === 1 && y === 1)
      const motif = cyclicAt(design.motifs, ring % 2 === 0 || (x * y) % 2 !== 0 ? 0 : 1)
      const content = isMotif
        ? place(motifNamed(motif).draw(colors), { scale: (side * 0.78) / 100, flip })
        : cyclicAt(blocks, pattern)(side, colors)
      const fill = isMotif
        ? ring % 2 === 0
          ? palette.background
          : palette.backgroundTone
        : colors.secondary.deep
      const cloth =
        rect(-width / 2, -height / 2, width, height, { fill, stroke: palette.stroke, width: 3 }) +
        rect(-width / 2 + 7, -height / 2 + 7, width - 14, height - 14, { stroke: palette.stroke, width: 1.3 })
      return place(cloth + content, { x: x * width, y: y * height })
    }),
  )
  const triangle = path('M-15 -21H15L0 21Z', { fill: motifColors(palette, 1).primary.base })
  return [
    outline(canvas, 0, { fill: palette.backgroundEdge }),
    alongSides(canvas, { item: triangle, pitch: 30, inset: 24 }),
    outline(canvas, 52, { fill: palette.background, stroke: palette.stroke, width: 4 }),
    ...tiles,
  ].join('')
}

/** Patterns of tiles without a figure. */
const blocks: NonEmpty<(side: number, colors: MotifColors) => string> = [
  (side, { primary, tertiary, stroke }) => {
    const half = side / 2 - 12
    return (
      around(inked(`M0 0L${num(-half)} ${num(-half)}H${num(half)}Z`, primary.base, stroke, 2), 2) +
      around(
        path(`M0 ${num(-half * 0.28)}L${num(-half * 0.46)} ${num(-half * 0.86)}H${num(half * 0.46)}Z`, {
          fill: tertiary.light,
        }),
        4,
      ) +
      circle(0, 0, side * 0.09, { fill: tertiary.base, stroke, width: 2 })
    )
  },
  (side, { primary, tertiary, leaf, stroke }) =>
    around(inked(petal(side * 0.06, side * 0.56, side * 0.22, 'leaf'), leaf.base, stroke, 1.8), 4, 45) +
    around(inked(petal(side * 0.05, side * 0.42, side * 0.25, 'lotus'), primary.base, stroke, 2), 4) +
    circle(0, 0, side * 0.08, { fill: tertiary.light, stroke, width: 2 }),
  (side, { primary, tertiary, stroke }) => {
    const diamond = (reach: number, fill: string) =>
      path(polygon(starPoints(2, reach, reach)), { fill, stroke, width: 2 })
    const [corner, dot] = [side * 0.36, side * 0.035]
    return (
      diamond(side * 0.42, primary.base) +
      diamond(side * 0.28, tertiary.light) +
      diamond(side * 0.14, primary.deep) +
      around(dots([[corner, corner]], dot, stroke), 4)
    )
  },
]

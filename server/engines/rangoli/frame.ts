import { petal } from './shapes.ts'
import { recipes, rings, roundel } from './medallions.ts'
import data from './borders.json' with { type: 'json' }
import { motifNamed, paint } from './figures/catalog.ts'
import { motifColors } from './palette.ts'
import { cyclicAt, type NonEmpty } from './random.ts'
import { type Canvas, grid, isSquare, longHalf, type Scene, stepsTo } from './scene.ts'
import { around, copiesAt, dots, path, place, type Point, polar, polygon, rect, type Style } from './svg.ts'

/** Outline of the canvas at a distance from its edges. */
export function outline({ halfWidth, halfHeight }: Canvas, inset: number, style: Style): string {
  const [x, y] = [inset - halfWidth, inset - halfHeight]
  return rect(x, y, -2 * x, -2 * y, style)
}

/** Rows of copies along the sides of the canvas, their outer edges upwards. */
export function alongSides(
  { halfWidth, halfHeight }: Canvas,
  { item, pitch, inset }: { readonly item: string; readonly pitch: number; readonly inset: number },
): string {
  const row = (half: number, distance: number) => {
    const steps = Math.round((half - inset) / pitch)
    return copiesAt(
      item,
      stepsTo(steps).map((step): Point => [(step * (half - inset)) / steps, inset - distance]),
    )
  }
  return around(row(halfWidth, halfHeight), 2) + around(row(halfHeight, halfWidth), 2, 90)
}

/** Border of `borders.json`, with names of colors as `paint` has them. */
interface Border {
  /** Fill of the border, up to its width. */
  readonly fill?: string
  readonly width: number
  /** Insets of lines. */
  readonly lines: readonly number[]
  readonly item?: string
  readonly pitch?: number
  readonly inset?: number
}

const borders = data as unknown as NonEmpty<Border>

/** A random border and, with `hasCorners`, an ornament in each corner. */
export function frame(scene: Scene, hasCorners: boolean): string {
  const { canvas, palette, random } = scene
  const colors = motifColors(palette, 0)
  const { fill, width, lines, item, pitch = 1, inset = 0 } = random.pick(borders)
  return [
    fill === undefined
      ? ''
      : outline(canvas, 0, { fill: paint(fill, colors) }) +
        outline(canvas, width, { fill: palette.background }),
    ...lines.map((line) => outline(canvas, line, { stroke: palette.stroke, width: 2.2 })),
    item === undefined ? '' : alongSides(canvas, { item: paint(item, colors), pitch, inset }),
    hasCorners ? corners(scene, random.pick([cornerFan, cornerRoundel, cornerLotus])(scene)) : '',
  ].join('')
}

/** Draws the content, which faces upwards from a corner, in all four corners. */
function corners({ canvas: { halfWidth, halfHeight } }: Scene, content: string): string {
  return [45, 135, 225, 315]
    .map((angle) => {
      const [x, y] = polar(1, angle)
      return place(content, { x: Math.sign(x) * halfWidth, y: Math.sign(y) * halfHeight, angle })
    })
    .join('')
}

/** Quarter of a mandala around the corner. */
function cornerFan(scene: Scene): string {
  return rings(scene, recipes.cornerFan, 1, 8)
}

function cornerRoundel(scene: Scene): string {
  return (
    place(roundel(scene, scene.design.motifs[2] ?? 'roundel', 66, 1, 0), { y: 150 }) +
    dots([[0, 236]], 5, scene.palette.stroke)
  )
}

const beads = '<path d="M0 76h0M-70 150h0M70 150h0" fill="none" stroke="$stroke" stroke-width="10"/>'

/** Lotus that opens towards the center. */
function cornerLotus({ palette }: Scene): string {
  const lotus = place(motifNamed('lotus').draw(motifColors(palette, 1)), { y: 150, angle: 180, scale: 1.3 })
  return lotus + paint(beads, motifColors(palette, 1))
}

/**
 * Divides both halves of the longer axis, beyond `from`, into stations of about `pitch` for a row of ornaments. A square canvas has none.
 *
 * @returns positions, with the length that an ornament can fill along the axis, and the number of stations between it and the center
 */
export function stationsOn(canvas: Canvas, from: number, pitch: number) {
  const length = longHalf(canvas) - 40 - from
  if (isSquare(canvas) || length < 70) return []
  const count = Math.max(1, Math.round(length / pitch))
  const space = length / count
  return Array.from({ length: 2 * count }, (_, index) => {
    const distance = (index % 2 === 0 ? -1 : 1) * (from + (Math.floor(index / 2) + 0.5) * space)
    const [x, y] = canvas.halfWidth > canvas.halfHeight ? [distance, 0] : [0, distance]
    return { x, y, space, index: Math.floor(index / 2) }
  })
}

/**
 * What is beside a round design on a canvas that is not square: roundels on the longer axis, smaller ones at the longer
 * sides between them, over a field of small flowers.
 */
export function sides(scene: Scene): string {
  const { canvas, palette, random, design } = scene
  const stations = stationsOn(canvas, 490, 320)
  const style = random.integer(0, 3)
  const isWide = canvas.halfWidth > canvas.halfHeight
  const flower = around(path(petal(3, 17, 12, 'round'), { fill: palette.backgroundTone }), 5)
  const field = grid(canvas, 74, 74).filter(([x, y]) => Math.abs(isWide ? x : y) > 460)
  const [subject, second = subject, third = second] = design.motifs
  return [
    copiesAt(flower, field),
    ...stations.map(({ x, y, space, index }) => {
      const radius = Math.min(space / 2 - 8, 190)
      const motif = cyclicAt([second, subject, third], index)
      const small = Math.min(radius * 0.62, 92)
      const [across, along] = [512 - small - 40, space / 2]
      const between = [-across, across].map((side): Point => {
        const outwards = Math.sign(x + y) * along * (space > 200 ? 1 : 0)
        return isWide ? [x - outwards, side] : [side, y - outwards]
      })
      return (
        place(roundel(scene, motif, radius, style + index, index), { x, y }) +
        (radius > 70 ? copiesAt(roundel(scene, third, small, style + index + 1, index + 2), between) : '')
      )
    }),
  ].join('')
}

/** Star with a light and a dark side on each of its points. */
export function facetedStar(
  points: number,
  inner: number,
  outer: number,
  { light, base }: { readonly light: string; readonly base: string },
  stroke: string,
): string {
  const half = 180 / points
  const side = (sign: number, fill: string) =>
    path(polygon([polar(inner, 0), polar(inner, sign * half), polar(outer, 0)]), { fill })
  const edge = path(polygon([polar(inner, half), polar(outer, 0), polar(inner, -half)]), {
    stroke,
    width: 2.6,
  })
  return around(side(1, base) + side(-1, light) + edge, points)
}

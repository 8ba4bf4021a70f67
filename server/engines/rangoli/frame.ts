import { beads, petalBand } from './bands.ts'
import { medallion } from './medallions.ts'
import { motifs } from './motifs/catalog.ts'
import { motifColors } from './palette.ts'
import { isSquare, repeatCount } from './scene.ts'
import type { Canvas, Scene } from './scene.ts'
import { petal, vine } from './shapes.ts'
import type { Vine } from './shapes.ts'
import { around, circle, dots, mirrored, num, path, place, polar, polygon, rect } from './svg.ts'
import type { Point, Style } from './svg.ts'

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
  return { xs: Array.from({ length: 2 * half + 1 }, (_, index) => (index - half) * fitted), pitch: fitted }
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
    mirrored(vine(tendril, colors)) +
    bud +
    core +
    dots(
      [
        [0, -486],
        [0, -626],
      ],
      5,
      palette.stroke,
    )
  return place(spray, { y: -84, scale: 0.85 })
}

/** Lotus that opens towards the center. */
function cornerLotus({ palette }: Scene): string {
  const lotus = place(motifs.lotus.draw(motifColors(palette, 1)), { y: -548, angle: 180, scale: 1.25 })
  return (
    lotus +
    mirrored(
      dots(
        [
          [84, -530],
          [106, -516],
          [126, -500],
        ],
        4.5,
        palette.stroke,
      ),
    ) +
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
  return (
    place(flower, { y: -560 }) +
    dots(
      [
        [0, -480],
        [-84, -540],
        [84, -540],
      ],
      5,
      palette.stroke,
    )
  )
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

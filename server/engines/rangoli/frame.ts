import { beads, petalBand } from './bands.ts'
import { medallion } from './medallions.ts'
import { motifs } from './motifs/catalog.ts'
import { motifColors } from './palette.ts'
import { repeatCount } from './scene.ts'
import type { Scene } from './scene.ts'
import { petal, vine } from './shapes.ts'
import type { Vine } from './shapes.ts'
import { around, circle, dots, mirrored, path, place, polygon, rect } from './svg.ts'
import type { Point } from './svg.ts'

/** Frame of an image: a random border and, with `hasCorners`, an ornament in each corner. */
export function frame(scene: Scene, hasCorners: boolean): string {
  const { random } = scene
  const border = random.pick([linedBorder, beadedBorder, petalBorder, triangleBorder])
  const corner = random.pick([cornerMedallion, cornerFan, cornerTendrils, cornerLotus])
  return border(scene) + (hasCorners ? around(place(corner(scene), { angle: 45 }), 4) : '')
}

function linedBorder({ palette }: Scene): string {
  return (
    rect(-488, -488, 976, 976, { stroke: palette.stroke, width: 3 }) +
    rect(-476, -476, 952, 952, { stroke: palette.stroke, width: 1.4 })
  )
}

function beadedBorder({ palette }: Scene): string {
  const points: Point[] = Array.from({ length: 41 }, (_, index) => [-480 + index * 24, -480])
  return (
    rect(-497, -497, 994, 994, { stroke: palette.stroke, width: 2 }) +
    rect(-464, -464, 928, 928, { stroke: palette.stroke, width: 2 }) +
    around(dots(points.slice(0, -1), 4, palette.stroke), 4)
  )
}

function petalBorder({ palette }: Scene): string {
  const colors = motifColors(palette, 1)
  const half = 16
  const scallop = (x: number) =>
    path(`M${x - half} -484C${x - half} -456 ${x + half} -456 ${x + half} -484Z`, {
      fill: colors.primary.base,
      stroke: palette.stroke,
      width: 1.8,
    })
  const row = Array.from({ length: 29 }, (_, index) => scallop((index - 14) * half * 2)).join('')
  return (
    rect(-512, -512, 1024, 1024, { fill: colors.primary.deep }) +
    rect(-484, -484, 968, 968, { fill: palette.background, stroke: palette.stroke, width: 2.4 }) +
    around(row, 4)
  )
}

function triangleBorder({ palette }: Scene): string {
  const colors = motifColors(palette, 0)
  const triangles = Array.from({ length: 31 }, (_, index) => {
    const x = (index - 15) * 32
    return path(
      polygon([
        [x - 16, -496],
        [x + 16, -496],
        [x, -468],
      ]),
      { fill: colors.primary.base },
    )
  })
  return (
    rect(-504, -504, 1008, 1008, { stroke: colors.primary.base, width: 16 }) +
    around(triangles.join(''), 4) +
    rect(-460, -460, 920, 920, { stroke: palette.stroke, width: 2 })
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

import { beads, circleOutline, disc, petalBand, pointsOnCircle } from '../bands.ts'
import type { Swatch } from '../color.ts'
import { medallion, motifRing } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { around, circle, dots, mirrored, path, polar, polygon, radialGradient } from '../svg.ts'
import type { Point } from '../svg.ts'

/** Number of clouds in one half of the image, which the other half mirrors. */
const CLOUDS = 9

/** Thrown Holi powder: clouds of every color that burst from the center, under a small rangoli. */
export function splash(scene: Scene): string {
  const { palette, random } = scene
  const clouds = Array.from({ length: CLOUDS }, (_, index) => ({
    angle: (index * 180) / (CLOUDS - 1),
    swatch: cyclicAt(palette.swatches, index),
    random: random.fork(`cloud ${index}`),
  }))
  return [
    mirrored(clouds.map((cloud) => haze(cloud)).join('')),
    mirrored(clouds.map((cloud) => jet(cloud)).join('')),
    mirrored(clouds.map((cloud) => specks(cloud)).join('')),
    centralRangoli(scene),
  ].join('')
}

interface Cloud {
  /** Direction in degrees. */
  readonly angle: number
  readonly swatch: Swatch
  readonly random: Random
}

/** Soft outer part of a cloud. */
function haze({ angle, swatch, random }: Cloud): string {
  const soft = radialGradient([swatch.base, `${swatch.base}d0`, `${swatch.base}00`])
  const puffs = Array.from({ length: 5 }, () => {
    const [x, y] = polar(random.between(240, 500), angle + random.between(-12, 12))
    return circle(x, y, random.between(80, 170), { fill: soft.fill })
  })
  return soft.definition + puffs.join('')
}

/** Dense core of a cloud: circles that shrink towards the edge. */
function jet({ angle, swatch, random }: Cloud): string {
  const reach = random.between(400, 520)
  const circles = Array.from({ length: 16 }, (_, index) => {
    const progress = index / 15
    const sway = (1 - progress) * 5 + progress * 9
    const [x, y] = polar(200 + (reach - 200) * progress, angle + random.between(-sway, sway))
    return circle(x, y, (46 - 36 * progress) * random.between(0.7, 1.15), {
      fill: index % 3 === 0 ? swatch.light : swatch.base,
    })
  })
  const streak = polygon([
    polar(220, angle - 9),
    polar(reach + 40, angle + random.between(-2, 2)),
    polar(220, angle + 9),
  ])
  return path(streak, { fill: swatch.base }) + circles.join('')
}

function specks({ angle, swatch, random }: Cloud): string {
  const scatter = (count: number): readonly Point[] =>
    Array.from({ length: count }, () =>
      polar(250 + 440 * Math.sqrt(random.between(0, 1)), angle + random.between(-17, 17)),
    )
  return (
    dots(scatter(60), 2.2, swatch.base) +
    dots(scatter(24), 4.4, swatch.light) +
    dots(scatter(9), 8, swatch.base)
  )
}

function centralRangoli(scene: Scene): string {
  const { design, palette } = scene
  const colors = motifColors(palette, 0)
  return [
    around(
      path('M-20 -262C-20 -300 20 -300 20 -262Z', {
        fill: palette.background,
        stroke: palette.stroke,
        width: 3,
      }),
      40,
    ),
    dots(pointsOnCircle(275, 40), 4, palette.stroke),
    disc(264, palette.background, palette.stroke, 4),
    circleOutline(254, palette.stroke, 2),
    motifRing(scene, { motif: design.motifs[0], inner: 150, outer: 246, colors }),
    petalBand({ inner: 92, outer: 148, count: 16 }, 'lotus', motifColors(palette, 1)),
    disc(98, palette.background, palette.stroke, 3),
    beads(87, 32, 2.6, palette.stroke),
    medallion(design.motifs[1] ?? design.motifs[0], 70, motifColors(palette, 2)),
  ].join('')
}

import { beads, circleOutline, disc, petalBand, pointsOnCircle } from '../shapes.ts'
import type { Swatch } from '../color.ts'
import { medallion, motifRing } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { type Station, stationMotif, stationsOn } from '../frame.ts'
import { cyclicAt, type Random } from '../random.ts'
import type { Canvas, Scene } from '../scene.ts'
import {
  around,
  circle,
  dots,
  mirrored,
  path,
  place,
  type Point,
  polar,
  polygon,
  radialGradient,
} from '../svg.ts'

/** Number of clouds in one half of the image, which the other half mirrors. */
const CLOUDS = 9

/** Thrown Holi powder: clouds of every color that burst from the center, under a small rangoli. */
export function splash(scene: Scene): string {
  const { palette, random, canvas } = scene
  const clouds = Array.from({ length: CLOUDS }, (_, index) => {
    const angle = (index * 180) / (CLOUDS - 1)
    const swatch = cyclicAt(palette.swatches, index)
    return { angle, swatch, random: random.fork(`cloud ${index}`), stretch: stretchAt(canvas, angle) }
  })
  return [
    sidePowder(scene),
    mirrored(clouds.map((cloud) => haze(cloud)).join('')),
    mirrored(clouds.map((cloud) => jet(cloud)).join('')),
    mirrored(clouds.map((cloud) => specks(cloud)).join('')),
    sideRangolis(scene),
    centralRangoli(scene),
  ].join('')
}

interface Cloud {
  /** Direction in degrees. */
  readonly angle: number
  readonly swatch: Swatch
  readonly random: Random
  /** Factor of the distance to the edge in this direction. */
  readonly stretch: number
}

/** Radius at an angle of the ellipse that is to the canvas as the unit circle is to a square one, at most 1.5. */
function stretchAt({ halfWidth, halfHeight }: Canvas, angle: number): number {
  const [x, y] = polar(512, angle)
  return Math.min(1.5, 1 / Math.hypot(x / halfWidth, y / halfHeight))
}

/** Soft outer part of a cloud. */
function haze({ angle, swatch, random, stretch }: Cloud): string {
  const soft = radialGradient([swatch.base, `${swatch.base}d0`, `${swatch.base}00`])
  const puffs = Array.from({ length: 5 }, () => {
    const [x, y] = polar(random.between(240, 500) * stretch, angle + random.between(-12, 12))
    return circle(x, y, random.between(80, 170) * stretch, { fill: soft.fill })
  })
  return soft.definition + puffs.join('')
}

/** Dense core of a cloud: circles that shrink towards the edge. */
function jet({ angle, swatch, random, stretch }: Cloud): string {
  const reach = random.between(400, 520) * stretch
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

function specks({ angle, swatch, random, stretch }: Cloud): string {
  const scatter = (count: number): readonly Point[] =>
    Array.from({ length: count }, () =>
      polar(250 + (690 * stretch - 250) * Math.sqrt(random.between(0, 1)), angle + random.between(-17, 17)),
    )
  return (
    dots(scatter(60), 2.2, swatch.base) +
    dots(scatter(24), 4.4, swatch.light) +
    dots(scatter(9), 8, swatch.base)
  )
}

/** Clouds around the medallions on the longer axis of a canvas that is not square. */
function sidePowder({ palette, random, canvas }: Scene): string {
  return sideStations(canvas)
    .filter(({ isFirst }) => isFirst)
    .map((station) => {
      const { x, y, index } = station
      const burst = random.fork(`burst ${index}`)
      const clouds = Array.from({ length: CLOUDS }, (_, cloud) => {
        const swatch = cyclicAt(palette.swatches, cloud + index)
        return { angle: (cloud * 180) / (CLOUDS - 1), swatch, random: burst.fork(`${cloud}`), stretch: 1 }
      })
      const powder = mirrored(clouds.map((cloud) => haze(cloud) + jet(cloud) + specks(cloud)).join(''))
      return around(place(powder, { x, y, scale: sideRadius(station) / 235 }), 2)
    })
    .join('')
}

function sideRangolis(scene: Scene): string {
  const { palette, canvas } = scene
  return sideStations(canvas)
    .map((station) => {
      const { x, y, index } = station
      const radius = sideRadius(station)
      const rangoli =
        petalBand(
          { inner: radius * 0.72, outer: radius, count: 20 },
          'round',
          motifColors(palette, index + 1),
        ) +
        disc(radius * 0.76, palette.background, palette.stroke, 3) +
        beads(radius * 0.67, 28, 2, palette.stroke) +
        medallion(stationMotif(scene, index), radius * 0.58, motifColors(palette, index))
      return place(rangoli, { x, y })
    })
    .join('')
}

function sideStations(canvas: Canvas): readonly Station[] {
  return stationsOn(canvas, { from: 400, margin: 24, pitch: 420 })
}

function sideRadius({ space }: Station): number {
  return Math.min(space * 0.3, 118)
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
